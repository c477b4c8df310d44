"""What files need by themselves becomes suggestions: exact, few, and silent once dismissed."""

from __future__ import annotations

from cases import cases

from memsuggest.core.model import Cause, Decision, MemorySuggestion, SuggestionStatus
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.staleness.stale_lines import Removal, known_paths, stale_lines
from memsuggest.suggestions.maintenance import LIMIT, PER_FILE, chosen, of_budget, of_lints
from memsuggest.suggestions.stale_search import of_stale

LISTED = '---\napplyTo: ["**/*.py"]\n---\n\n- Use hints.\n'


def test_a_lint_with_a_fix() -> None:
    """The edit is the lint's own, the line that gives way is told, and the file's digest is kept."""
    target = target_from(".github/instructions/py.instructions.md", LISTED)
    (made,) = of_lints(target)
    assert made.maintenance is not None and made.maintenance.cause is Cause.LINT and made.fact is None
    assert (made.replaces, made.suggested_merge_content) == ('applyTo: ["**/*.py"]', 'applyTo: "**/*.py"')
    assert made.edit.after == LISTED.replace('["**/*.py"]', '"**/*.py"')
    assert made.base_digest == target.digest
    assert not made.executable


def test_one_edit_for_several_lints() -> None:
    """Troubles that one edit mends are one suggestion."""
    text = '---\napplyTo: ["./src/*.py"]\n---\n\n- Use hints.\n'
    (made,) = of_lints(target_from(".github/instructions/py.instructions.md", text))
    assert "list" in made.content and "`./src/*.py`" in made.content


def test_tools_that_a_host_did_not_read_are_executable() -> None:
    """What brings an agent's tools into force is confirmed by itself."""
    text = '\ufeff---\ndescription: "Reviews."\ntools: ["*"]\n---\n\nReview.\n'
    (made,) = of_lints(target_from(".github/agents/reviewer.agent.md", text))
    assert made.executable


def test_repetitions_only_past_the_budget() -> None:
    """A file says something twice at no cost until it is past its budget."""
    rule = "- Every public function of the payment package needs a short docstring with an example\n"
    small = target_from("AGENTS.md", f"# A\n\n{rule}\n## B\n\n{rule}")
    assert list(of_budget(small)) == []
    large = target_from("AGENTS.md", f"# A\n\n{rule}\n## B\n\n{rule}\n" + "Some words. " * 1500 + "\n")
    (made,) = of_budget(large)
    assert "line 3" in made.content and "budget is 4,000" in made.why
    assert made.edit.after is not None and made.edit.after.count(rule) == 1


def made_for(names: list[str]) -> list[MemorySuggestion]:
    return [
        one for name in names for one in of_lints(target_from(f".github/instructions/{name}.instructions.md", LISTED))
    ]


def test_few_at_a_time() -> None:
    """No more than a handful is shown, the rest when that is settled."""
    found = chosen(made_for([f"a{number}" for number in range(9)]), [])
    assert (len(found.shown), sum(found.held.values())) == (LIMIT, 9 - LIMIT)
    text = "# A\n\n" + "".join(f"- See `src/api/old{number}.py`\n" for number in range(9))
    target = target_from("AGENTS.md", text)
    gone = Removal(commit="1a2b3c4", day="2026-03-01")
    lines = stale_lines(target, known_paths(["src/a.py"]))
    stale = [one for line in lines if (one := of_stale(target, line, [gone]))]
    assert len(stale) == 9
    of_one = chosen(stale, [])
    assert (len(of_one.shown), of_one.held) == (PER_FILE, {"AGENTS.md": 9 - PER_FILE})


@cases(
    ("status", "left"), [(SuggestionStatus.DISMISSED, 1), (SuggestionStatus.APPLIED, 2)], ids=["dismissed", "applied"]
)
def test_dismissed_is_silent(status: SuggestionStatus, left: int) -> None:
    """What was dismissed does not come again; what was applied does, should it be needed again."""
    found = made_for(["a", "b"])
    decision = Decision(fact_id=found[0].about, target=None, status=status)
    assert len(chosen(found, [decision]).shown) == left
