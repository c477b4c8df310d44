"""Lines about what is gone are taken out or put right, with the commit that did it."""

from __future__ import annotations

from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.staleness.declared_tasks import declared_tasks
from memsuggest.customizations.staleness.known_paths import known_paths
from memsuggest.customizations.staleness.removal import Removal
from memsuggest.customizations.staleness.stale_lines import stale_lines
from memsuggest.model import MemorySuggestion
from memsuggest.suggestions.stale_suggestions import of_stale

KNOWN = known_paths(["src/api/users.py", "src/core/orders.py", "package.json"])
TASKS = declared_tasks([("package.json", '{"scripts": {"lint": "eslint ."}}')])


def suggested(lines: str, *, renamed_to: str | None = None) -> MemorySuggestion | None:
    """What is suggested for lines of which all that is gone went in one commit; None: nobody knows of it."""
    target = target_from("AGENTS.md", f"# A\n\n- first\n{lines}\n")
    (found,) = stale_lines(target, KNOWN, TASKS)
    removal = Removal(commit="1a2b3c4", day="2026-03-01", subject="Tidy up", renamed_to=renamed_to or "")
    return of_stale(target, found, {} if renamed_to is None else dict.fromkeys(found.gone, removal))


def test_a_file_that_is_gone() -> None:
    """The line is taken out; the reason is the commit, where git knows one."""
    found = suggested("- See `src/api/old.py`", renamed_to="")
    assert found is not None
    assert (found.replaces, found.suggested_merge_content) == ("- See `src/api/old.py`", "")
    assert found.edit.after == "# A\n\n- first\n"
    assert found.why == "commit 1a2b3c4 removed it on 2026-03-01: “Tidy up”"
    unknown = suggested("- See `src/api/old.py`")
    assert unknown is not None and "nothing in the repo" in unknown.why


def test_a_file_that_moved() -> None:
    """The path is put right and the rest of the line stays, wherever it stands."""
    for line in ("- Orders live in `src/api/orders.py`, one a day.", "Orders of `src/api/orders.py` come first."):
        found = suggested(line, renamed_to="src/core/orders.py")
        assert found is not None
        assert found.suggested_merge_content == line.replace("src/api", "src/core")
        assert found.why.startswith("commit 1a2b3c4 renamed it")


def test_a_file_that_moved_and_is_cited_twice() -> None:
    """Where the new place cannot be put in plainly, nothing is suggested."""
    line = "- `src/api/orders.py` and [the same](src/api/orders.py)"
    assert suggested(line, renamed_to="src/core/orders.py") is None


def test_a_script_that_is_gone() -> None:
    """A script goes where git knows that it was there once: else it may be one of a project made with this one."""
    assert suggested("- Run `npm run fmt` before you commit") is None
    found = suggested("- Run `npm run fmt` before you commit", renamed_to="")
    assert found is not None and found.content == "It speaks of `npm run fmt`, which is gone"
    block = "```bash\nnpm run lint\n# all of it\nnpm run fmt\n```"
    assert suggested(block) is None
    taken = suggested(block, renamed_to="")
    assert taken is not None and taken.edit.after == "# A\n\n- first\n```bash\nnpm run lint\n```\n"


def test_a_script_that_was_renamed() -> None:
    """The new name takes the place of the old one within its command."""
    found = suggested("Then `npm run lint:all -- --fix` is run.", renamed_to="lint")
    assert found is not None
    assert found.suggested_merge_content == "Then `npm run lint -- --fix` is run."
    assert found.content == "It cites `npm run lint:all -- --fix`, which was renamed to `lint`"


def test_a_rule_that_only_points_there() -> None:
    """A rule that holds without the file stays: only what stands in brackets behind it goes."""
    aside = suggested("- Strict mode is on (`src/api/strict.json`).", renamed_to="")
    assert aside is not None and aside.edit.after == "# A\n\n- first\n- Strict mode is on.\n"
    rule = "- Clients of the payment service are registered by key, which follows the pattern of `src/api/old.py`"
    assert suggested(rule, renamed_to="") is None


def test_a_file_that_was_split_up() -> None:
    """A folder of the file's name takes its place, also where git says only that the file went."""
    target = target_from("AGENTS.md", "- `src/Core.py` holds the orders\n")
    (found,) = stale_lines(target, KNOWN)
    made = of_stale(target, found, {found.gone[0]: Removal(commit="1a2b3c4", day="2026-03-01", subject="Split")})
    assert made is not None and made.suggested_merge_content == "- `src/core/` holds the orders"


def test_a_file_of_the_same_name_elsewhere() -> None:
    """The only file of a telling name is put in; of several, and of names such as `index`, nothing is said."""
    known = known_paths(
        ["src/a.py", "src/new/order-list.py", "src/new/index.py", "src/x/user-list.py", "src/y/user-list.py"]
    )
    target = target_from("AGENTS.md", "- See `src/order-list.py`\n- See `src/index.py`\n- See `src/user-list.py`\n")
    made = [of_stale(target, one, {}) for one in stale_lines(target, known)]
    assert [one and one.suggested_merge_content for one in made] == ["- See `src/new/order-list.py`", "", None]
