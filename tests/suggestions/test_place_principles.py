"""What holds of every place, whatever a rule says: who loads the file, where in it, in whose language."""

from __future__ import annotations

import pytest
from edit_kit import fact_of

from memsuggest.core.model import MemorySuggestion
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.placement.place import is_about_rules
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

TRACKED = ("ship/crate.go", "ship/crate_test.go", "web/cart.tsx", "ops/deploy.sh", "docs/guide.md", "lib/core/sum.py")
AGENTS = "# Depot\n\n## Conventions\n\n- Crates are counted in whole numbers\n\n## Releases\n\n- Tag every release\n"
SHIP = '---\napplyTo: "ship/**/*.go"\n---\n# Shipping\n\n- A crate has one owner\n- Wrap what goes wrong with context\n'
LABELS = (
    "---\nname: label-printer\ndescription: Prints labels for parcels. Use when a parcel needs a label.\n---\n"
    "# Label printer\n\n## When to Use\n\n- A parcel has no label\n- The label of a parcel is torn and illegible\n\n"
    "## Guidelines\n\n- Labels are printed twice\n"
)
SCALES = (
    "---\nname: scales\ndescription: Weighs crates on the scales of the depot.\n---\n# Scales\n\n## Trouble\n\n"
    "- An error ends the weighing\n- The belt is stopped by hand\n"
)
CORE = "# Core\n\n## Errors\n\n- Error messages of the core are short\n- Messages end with a full stop\n"


def placed(content: str, files: dict[str, str], *, paths: tuple[str, ...] = ()) -> MemorySuggestion:
    """Return the suggestion for a rule among some files."""
    targets = [target_from(uri, text) for uri, text in files.items()]
    made = suggest(fact_of(content, paths=paths), WorkspaceIndex(targets, tracked_paths=TRACKED, root="/depot"))
    assert isinstance(made, MemorySuggestion)
    return made


ALL = {
    "AGENTS.md": AGENTS,
    ".github/instructions/ship.instructions.md": SHIP,
    ".github/skills/label-printer/SKILL.md": LABELS,
    ".github/skills/scales/SKILL.md": SCALES,
    "lib/core/AGENTS.md": CORE,
}


@pytest.mark.parametrize(
    "content",
    [
        "Use early returns in `ship/`",
        "Prefer table tests in `ship/crate_test.go`",
        "No naked returns in `ship/crate.go`",
    ],
)
def test_what_covers_the_files_wins(content: str) -> None:
    """Instructions whose pattern covers the files that a rule names are its place, whatever words they hold."""
    files = {name: text for name, text in ALL.items() if name != "AGENTS.md"}
    assert placed(content, files).edit.path == ".github/instructions/ship.instructions.md"


def test_a_word_in_passing_is_no_ground() -> None:
    """A skill or a nested file that has the words of a general rule somewhere is no place for it."""
    made = placed("Error messages end without a full stop", ALL)
    assert made.edit.path == "AGENTS.md"


def test_a_word_of_what_a_skill_is_for_is_ground() -> None:
    """A skill whose description is about the rule's matter is its place."""
    made = placed("Labels of parcels show the sender's street", ALL)
    assert made.edit.path == ".github/skills/label-printer/SKILL.md"


def test_a_nested_file_is_for_its_folder() -> None:
    """The same rule about a file of the folder goes to the folder's own file."""
    made = placed("Error messages end without a dash", ALL, paths=("lib/core/sum.py",))
    assert made.edit.path == "lib/core/AGENTS.md"


def test_without_a_file_for_everything_one_is_made() -> None:
    """A skill is not taken for want of a better file."""
    made = placed("Error messages end without a full stop", {".github/skills/scales/SKILL.md": SCALES})
    assert made.edit.before is None


def test_what_is_always_loaded_and_speaks_of_it_before_a_new_file() -> None:
    """A rule that names files goes to the file for everything that speaks of the matter, not to a new one."""
    made = placed("Every release in `ops/` and `ship/` gets a tag and a release note", ALL)
    assert made.edit.before is not None


@pytest.mark.parametrize(
    "heading",
    [
        "Non-negotiable rules",
        "Rules we hold ourselves to",
        "Important Notes for Agents",
        "Known Gotchas",
        "House rules",
        "Invariants",
        "Mandatory conventions",
    ],
)
def test_headings_for_rules_of_all_sorts(heading: str) -> None:
    """No second heading is made where one for rules of all sorts stands, however it is put."""
    assert is_about_rules(heading)
    made = placed(
        "Sign every delivery note", {"AGENTS.md": f"# Depot\n\n## Layout\n\nTwo halls.\n\n## {heading}\n\n- Ask.\n"}
    )
    assert made.heading == heading


@pytest.mark.parametrize("heading", ["Rules of the forklift", "Known hosts", "Process of customs"])
def test_headings_about_a_matter(heading: str) -> None:
    """A heading about some matter is none for rules of all sorts."""
    assert not is_about_rules(heading)


ENGLISH = "# Depot\n\n## Conventions\n\n- Write commit messages in the past tense\n- Run the linter before you push\n"
GERMAN = (
    "# Lager\n\n## Konventionen\n\n- Commit-Nachrichten werden in der Vergangenheit geschrieben\n"
    "- Vor dem Push wird der Linter für alle Dateien ausgeführt, und das ist keine Bitte\n"
)


@pytest.mark.parametrize(
    "rule",
    [
        "Commit-Nachrichten immer im Imperativ schreiben",
        "Schreibe Commit-Nachrichten nie in der Vergangenheit",
        "Vor dem Push immer den Linter ausführen, auch bei kleinen Änderungen in der Doku",
    ],
)
def test_german_replaces_no_english(rule: str) -> None:
    """A German rule stands beside what an English file says, and takes nothing away from who reads English."""
    made = suggest(fact_of(rule), WorkspaceIndex([target_from("AGENTS.md", ENGLISH)]))
    assert isinstance(made, AlreadySaid) or (isinstance(made, MemorySuggestion) and made.replaces is None)
    if isinstance(made, MemorySuggestion):
        assert all(line in (made.edit.after or "") for line in ENGLISH.split("\n"))


def test_german_replaces_german() -> None:
    """In a German file a German rule replaces what it contradicts."""
    made = suggest(
        fact_of("Commit-Nachrichten werden nie in der Vergangenheit geschrieben"),
        WorkspaceIndex([target_from("AGENTS.md", GERMAN)]),
    )
    assert isinstance(made, MemorySuggestion)
    assert made.replaces is not None
