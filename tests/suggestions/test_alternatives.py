"""What a person may choose from instead of the best place."""

from __future__ import annotations

from edit_kit import fact_of

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.alternatives import alternatives, colliding, moved, sharpened
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

FILES = {
    "AGENTS.md": "# Shop\n\n## Conventions\n\n- Never log passwords.\n\n## Testing\n\n- Mock the mailer.\n",
    "web/AGENTS.md": "# Web\n\n## Rules\n\n- Components are small.\n",
}
BENCH = WorkspaceIndex(
    [target_from(uri, text) for uri, text in FILES.items()], tracked_paths=("web/a.ts",), closed=("x",)
)


def test_places_with_their_headings() -> None:
    """All open files are offered, each with the headings that one can choose among."""
    found = {one.uri: one.headings for one in alternatives(fact_of("Write tests for the mailer"), BENCH)}
    assert found == {"AGENTS.md": ("Shop", "Conventions", "Testing"), "web/AGENTS.md": ("Web", "Rules")}


def test_decided_places_are_not_offered() -> None:
    """Where a fact was dismissed it is not offered again."""
    found = alternatives(fact_of("Write tests for the mailer"), BENCH, decided=("AGENTS.md",))
    assert [one.uri for one in found] == ["web/AGENTS.md"]


def test_moved_under_a_heading() -> None:
    """The person's choice holds, however little speaks for it."""
    made = moved(fact_of("Write tests for the mailer"), BENCH, uri="web/AGENTS.md", heading="Rules")
    assert made is not None
    assert made.heading == "Rules"
    assert made.edit.after == FILES["web/AGENTS.md"] + "- Write tests for the mailer.\n"


def test_moved_under_a_new_heading() -> None:
    """A heading that the file lacks is made."""
    made = moved(fact_of("Write tests for the mailer"), BENCH, uri="web/AGENTS.md", heading="Mail")
    assert made is not None
    assert made.edit.after == FILES["web/AGENTS.md"] + "\n## Mail\n\n- Write tests for the mailer.\n"


def test_no_place_for_a_move() -> None:
    """A file that is closed, or that nobody found, takes nothing."""
    assert moved(fact_of("Write tests"), BENCH, uri="x") is None
    assert moved(fact_of("Write tests"), BENCH, uri="nowhere.md") is None


def test_the_line_to_sharpen() -> None:
    """The line that a rule completes gives way to it."""
    fact = fact_of("Never log passwords or e-mail addresses")
    found, made = colliding(fact, BENCH), sharpened(fact, BENCH)
    assert found is not None
    assert made is not None
    assert found.existing_rule.raw == "Never log passwords."
    assert "- Never log passwords or e-mail addresses." in (made.edit.after or "")
    assert "- Never log passwords.\n" not in (made.edit.after or "")


def test_nothing_to_sharpen() -> None:
    """A rule unlike any line has none."""
    assert colliding(fact_of("Bake bread on Fridays"), BENCH) is None
