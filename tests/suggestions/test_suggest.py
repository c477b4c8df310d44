"""From a fact to a suggestion: in order, and never where it may not be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases

from memsuggest.core.model import (
    Citation,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Scope,
    Skipped,
    Target,
    TargetType,
    Trust,
    fact_id,
)
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.listed import similar
from memsuggest.suggestions.rank_places import places_of
from memsuggest.suggestions.ranking.match import Rule
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, Case, WorkspaceIndex
from memsuggest.suggestions.suggest import replan, suggest

AGENTS = "# App\n\n## Conventions\n\n- Money is whole cents\n- Use tabs for indentation\n"
TESTS = '---\ndescription: "How tests are written"\napplyTo: "tests/**"\n---\n# Tests\n\n- One behaviour per test\n'
HOOKS = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'
OWN = '---\napplyTo: "**"\n---\n# Me\n\n- Be brief\n'


def fact(
    content: str,
    *,
    scope: Scope = Scope.WORKSPACE,
    kind: Kind = Kind.CONVENTION,
    paths: tuple[str, ...] = (),
    trust: Trust = Trust.TYPED,
) -> MemoryFact:
    citation = Citation(session_id="s", turn=1, quote=content[:300], paths=paths, trust=trust)
    return MemoryFact(
        id=fact_id(scope, content),
        content=content,
        kind=kind,
        scope=scope,
        confidence=0.9,
        citations=(citation,),
        timestamp=1,
    )


def workspace_index(*targets: Target, closed: tuple[str, ...] = ()) -> WorkspaceIndex:
    return WorkspaceIndex(targets, tracked_paths=("tests/a.py", "src/a.py", "docs/x.md"), root="/repo", closed=closed)


def workspace(**more: str) -> list[Target]:
    files = {
        "AGENTS.md": AGENTS,
        ".github/instructions/tests.instructions.md": TESTS,
        ".github/hooks/a.json": HOOKS,
    } | more
    own = target_from("~/.copilot/instructions/me.instructions.md", OWN)
    return [*(target_from(uri, text) for uri, text in files.items()), own]


def suggested(content: MemoryFact, on: WorkspaceIndex, **options: object) -> MemorySuggestion:
    made = suggest(content, on, **options)  # type: ignore[arg-type]
    assert isinstance(made, MemorySuggestion)
    return made


def test_what_no_file_may_get_is_refused() -> None:
    """A fact that would break out is skipped, with the reason."""
    made = suggest(fact("use pnpm <!-- x -->"), workspace_index(*workspace()))
    assert isinstance(made, Skipped)
    assert "an HTML comment" in made.why


@cases(
    ("uri", "paths", "holds"),
    [
        ("web/AGENTS.md", ("web/a.py",), True),
        ("web/AGENTS.md", ("src/a.py",), False),
        ("web/AGENTS.md", (), True),
        ("AGENTS.md", ("src/a.py",), True),
        (".github/skills/x/SKILL.md", ("src/a.py",), True),
    ],
)
def test_what_is_said_elsewhere_does_not_hold_here(uri: str, paths: tuple[str, ...], *, holds: bool) -> None:
    """A rule for other files is no rule for those that are cited."""
    target = target_from(uri, "# Web\n\n- Every query has a timeout\n")
    case = Case(fact=fact("x", paths=paths), workspace_index=workspace_index(target), shut=frozenset(), likes=[])
    assert case.is_in_force(target) is holds


def test_a_correction_replaces_the_line() -> None:
    """The old line gives way, and the reason shows its words."""
    made = suggested(fact("Use spaces for indentation"), workspace_index(*workspace()))
    assert (made.target_uri, made.heading, made.replaces) == ("AGENTS.md", "Conventions", "- Use tabs for indentation")
    assert made.suggested_merge_content == "- Use spaces for indentation"
    assert "Use tabs for indentation" in made.why


def test_what_cannot_give_way_is_told() -> None:
    """A contradiction in a file that is closed is no replacement, but it is said."""
    made = suggested(fact("Use spaces for indentation"), workspace_index(*workspace(), closed=("AGENTS.md",)))
    assert made.target_uri != "AGENTS.md"
    assert "AGENTS.md" in made.why


@cases("closed", ["AGENTS.md", ".github/instructions/tests.instructions.md"])
def test_closed_files_are_never_written(closed: str) -> None:
    """What is refused for writing is read, and nothing else."""
    for content in ("One assertion per test", "Never use floats", "Use spaces for indentation"):
        made = suggested(fact(content, paths=("tests/a.py",)), workspace_index(*workspace(), closed=(closed,)))
        assert made.edit.path != closed


@cases(
    ("uri", "text"),
    [
        ("CLAUDE.local.md", "# Mine\n\n- x\n"),
        ("CLAUDE.md", "<!-- auto-generated, do not edit -->\n# A\n\n- Money has no floats\n"),
    ],
)
def test_some_files_are_nobody_s_to_share(uri: str, text: str) -> None:
    """A person's local file and a generated one get nothing."""
    made = suggested(fact("Never use floats"), workspace_index(target_from(uri, text)))
    assert made.edit.path != uri


def test_decided_files_are_closed_to_the_fact() -> None:
    """Dismissed here means: not here."""
    made = suggested(fact("Never use floats"), workspace_index(*workspace()), decided=frozenset({"AGENTS.md"}))
    assert made.edit.path != "AGENTS.md"


def test_the_person_s_own_file() -> None:
    """What concerns the person goes to the one general file of theirs, never into the repo."""
    made = suggested(fact("Explain in plain words", scope=Scope.USER), workspace_index(*workspace()))
    assert made.target_uri == "~/.copilot/instructions/me.instructions.md"


def test_no_third_always_on_file() -> None:
    """What is about everything goes to the file that is in use, not to another beside it."""
    files = [target_from("CLAUDE.md", "@AGENTS.md\n"), target_from("AGENTS.md", AGENTS)]
    assert suggested(fact("Sign every commit"), workspace_index(*files)).edit.path == "AGENTS.md"


HOOK = "Every time you edit a file, run `make lint`"


def test_a_hook_is_executable() -> None:
    """An automation is an entry of our hook file, marked as what it is, with nothing of the text but the command."""
    made = suggested(fact(HOOK), workspace_index(*workspace(), target_from(".github/hooks/memsuggest.json", HOOKS)))
    assert (made.target_uri, made.target_type, made.executable) == (
        ".github/hooks/memsuggest.json",
        TargetType.HOOK,
        True,
    )
    assert made.heading == "PostToolUse"
    assert "Every time" not in (made.edit.after or "")


def told_claude(content: str) -> MemoryFact:
    said = fact(content)
    return replace(said, citations=(replace(said.citations[0], format="claude-code"),))


@cases(
    ("files", "path"),
    [
        pytest.param({"CLAUDE.md": AGENTS}, ".claude/settings.json", id="no hooks yet"),
        pytest.param({"CLAUDE.md": AGENTS, ".claude/settings.json": "{}\n"}, ".claude/settings.json", id="settings"),
        pytest.param({"AGENTS.md": AGENTS}, ".github/hooks/memsuggest.json", id="no files of Claude's"),
        ({".claude/settings.json": "{}\n", ".github/hooks/a.json": HOOKS}, ".claude/settings.json"),  # both
        ({"CLAUDE.md": AGENTS, ".github/hooks/a.json": HOOKS}, ".github/hooks/memsuggest.json"),  # hooks in use
    ],
)
def test_a_hook_where_the_assistant_reads_it(files: dict[str, str], path: str) -> None:
    """What Claude Code was told goes to its own settings, where the repo keeps to it or has them."""
    made = suggested(told_claude(HOOK), workspace_index(*(target_from(uri, text) for uri, text in files.items())))
    assert (made.edit.path, made.executable) == (path, True)
    assert ('"hooks": [' in (made.edit.after or "")) == (path == ".claude/settings.json")


@cases(
    "theirs",
    [
        ".github/hooks/telemetry.json",
        "plugins/usage/hooks/hooks.json",
        "plugins/usage/.claude/settings.json",
    ],
)
def test_a_hook_goes_to_our_file(theirs: str) -> None:
    """Any other file of hooks may be one that is shipped, and run at everybody's tool calls."""
    files = (target_from("AGENTS.md", AGENTS), target_from(theirs, HOOKS))
    for said in (fact(HOOK), told_claude(HOOK)):
        assert suggested(said, workspace_index(*files)).edit.path == ".github/hooks/memsuggest.json"


@cases("trust", [Trust.AGENT, Trust.CLAIMED, Trust.CONFIRMED, Trust.SHARED])
def test_only_the_person_makes_hooks(trust: Trust) -> None:
    """From anybody else's words comes a rule at most."""
    made = suggested(fact(HOOK, trust=trust), workspace_index(*workspace()))
    assert not made.executable
    assert made.target_type is not TargetType.HOOK


def test_hooks_never_go_to_closed_files() -> None:
    """Where every hook file is closed, there is no hook."""
    files = (target_from(".github/hooks/memsuggest.json", HOOKS),)
    assert suggest(fact(HOOK), workspace_index(*files, closed=(".github/hooks/memsuggest.json",))) is None


def applied(made: MemorySuggestion) -> Target:
    assert made.edit.after is not None
    return target_from(made.edit.path, made.edit.after)


RULES = ["Never use floats", "Use spaces for indentation", "Every query has a timeout", "Sign every commit", HOOK]


@cases("content", RULES)
def test_applying_twice_changes_nothing(content: str) -> None:
    """What was applied is said already, for new facts and for old suggestions."""
    made = suggested(fact(content), workspace_index(*workspace()))
    after = applied(made)
    others = [target for target in workspace() if target.uri != after.uri]
    assert isinstance(suggest(fact(content), workspace_index(*others, after)), AlreadySaid)
    assert replan(made, after) is None


@cases("first", RULES)
@cases("second", RULES)
def test_suggestions_for_one_file_compose(first: str, second: str) -> None:
    """One is planned anew on top of the other, and both stand there."""
    one, other = (suggested(fact(content), workspace_index(*workspace())) for content in (first, second))
    if first == second or one.edit.path != other.edit.path:
        return
    both = replan(other, applied(one))
    assert both is not None
    assert both.edit.before == one.edit.after
    assert all(row in (both.edit.after or "") for row in one.suggested_merge_content.split("\n"))
    assert both.id == other.id


def test_two_rules_for_one_new_file_compose() -> None:
    """The second joins the file that the first one made."""
    tests = target_from(".github/instructions/tests.instructions.md", TESTS)
    first, second = (
        suggested(fact(content, paths=("docs/x.md", "docs/y.md")), workspace_index(tests))
        for content in ("One sentence per line", "Say who decided it")
    )
    assert first.edit.path == second.edit.path == ".github/instructions/docs.instructions.md"
    assert first.why == "no file is loaded for docs/x.md"
    both = replan(second, applied(first))
    assert both is not None
    assert (both.edit.after or "").count("\n- ") == 2


def test_replan_without_the_file() -> None:
    """A new file that is still missing is made as planned, with the present words."""
    made = suggested(fact("Be brief"), workspace_index())
    again = replan(made, None)
    assert again is not None
    assert again.edit == made.edit


def test_similar_ones() -> None:
    """What goes to the same file, under the same heading, is offered together."""
    words = ("Never use floats", "Sign every commit", "One assertion per test")
    made = [suggested(fact(content), workspace_index(*workspace())) for content in words]
    assert [one.edit.path for one in made] == ["AGENTS.md", "AGENTS.md", ".github/instructions/tests.instructions.md"]
    assert similar(made[0], made) == [made[1]]
    assert similar(made[2], made) == []


def test_ranking_a_bare_rule() -> None:
    """Places come with their edits; closed ones, hooks and refused rules with none."""
    rule = Rule(content="One assertion per test", paths=("tests/a.py",))
    places = places_of(rule, workspace_index(*workspace(), closed=("AGENTS.md",)))
    assert places[0].path == ".github/instructions/tests.instructions.md"
    assert places[0].diff
    assert not any(place.diff for place in places if place.path == "AGENTS.md")
    assert not any(place.diff for place in places_of(Rule(content="x <!-- y -->"), workspace_index(*workspace())))


def test_a_file_past_its_budget() -> None:
    """Where one rule more makes a file too dear, the reason says so; a replaced line does not."""
    long = "# A\n\n## Conventions\n\n- Prices have a currency.\n" + "- Some rule about the shop's carts.\n" * 500
    made = suggested(fact("Never log addresses"), workspace_index(target_from("AGENTS.md", long)))
    assert made.why.endswith("tokens (budget: 4,000)")
    made = suggested(fact("Prices never have a currency"), workspace_index(target_from("AGENTS.md", long)))
    assert "tokens" not in made.why
    made = suggested(fact("Never log addresses"), workspace_index(target_from("AGENTS.md", AGENTS)))
    assert "tokens" not in made.why


def test_what_no_assistant_of_the_person_reads_comes_last() -> None:
    """A rule that was said to Claude Code goes where it reads it, unless that takes in the other file."""
    said = fact("One assertion per test", paths=("tests/a.py",))
    to_claude = replace(said, citations=tuple(replace(citation, format="claude-code") for citation in said.citations))
    tests = target_from(".github/instructions/tests.instructions.md", TESTS)
    claude = target_from("CLAUDE.md", AGENTS)
    assert suggested(said, workspace_index(tests, claude)).edit.path == tests.uri
    assert suggested(to_claude, workspace_index(tests, claude)).edit.path == "CLAUDE.md"
    both = workspace_index(
        target_from("AGENTS.md", AGENTS), target_from("CLAUDE.md", f"# Claude\n\n@AGENTS.md\n{'x ' * 99}\n")
    )
    assert suggested(replace(to_claude, content="Money has a currency"), both).edit.path == "AGENTS.md"
