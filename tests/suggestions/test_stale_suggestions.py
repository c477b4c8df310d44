"""Lines about what is gone are taken out, with the commit that did it."""

from __future__ import annotations

from memsuggest.core.model import MemorySuggestion
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.staleness.declared_tasks import declared_tasks
from memsuggest.customizations.staleness.stale_lines import Removal, known_paths, stale_lines
from memsuggest.suggestions.stale_search import of_stale

KNOWN = known_paths(["src/api/users.py", "src/core/orders.py", "package.json"])
TASKS = declared_tasks([("package.json", '{"scripts": {"lint": "eslint ."}}')])
REMOVAL = Removal(commit="1a2b3c4", day="2026-03-01", subject="Tidy up")


def suggested(lines: str, *removals: Removal | None) -> MemorySuggestion | None:
    """What is suggested for lines, with what git tells of each thing that is gone."""
    target = target_from("AGENTS.md", f"# A\n\n- first\n{lines}\n")
    (found,) = stale_lines(target, KNOWN, TASKS)
    return of_stale(target, found, removals)


def test_a_file_that_is_gone() -> None:
    """The line is taken out; the reason is the commit."""
    found = suggested("- See `src/api/old.py`", REMOVAL)
    assert found is not None
    assert (found.replaces, found.suggested_merge_content) == ("- See `src/api/old.py`", "")
    assert found.edit.after == "# A\n\n- first\n"
    assert found.why == "removed by commit 1a2b3c4 on 2026-03-01: “Tidy up”"


def test_what_git_never_had() -> None:
    """It is to come, or the file was written for another repository; so is a line of which git knows a part."""
    assert suggested("- See `src/api/old.py`", None) is None
    assert suggested("- See `src/api/old.py` and `src/api/older.py`", REMOVAL, None) is None


def test_a_script_that_is_gone() -> None:
    """A command goes out of its block, and the rest of the block stays."""
    found = suggested("```bash\nnpm run lint\n# all of it\nnpm run fmt\n```", REMOVAL)
    assert found is not None and found.content == "Mentions `npm run fmt`, which no longer exists"
    assert found.edit.after == "# A\n\n- first\n```bash\nnpm run lint\n```\n"


def test_a_rule_that_only_points_there() -> None:
    """A rule that holds without the file stays: only what stands in brackets behind it goes."""
    aside = suggested("- Strict mode is on (`src/api/strict.json`).", REMOVAL)
    assert aside is not None and aside.edit.after == "# A\n\n- first\n- Strict mode is on.\n"
    rule = "- Clients of the payment service are registered by key, which follows the pattern of `src/api/old.py`"
    assert stale_lines(target_from("AGENTS.md", f"{rule}\n"), KNOWN, TASKS) == ()
