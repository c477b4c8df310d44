"""The keys of a review that choose another place: `m` moves a rule, `s` lets it stand in the place of a line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.progress_line import working
from memsuggest.cli.review_state import ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.review_state import ReviewLoop
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import Shown
    from memsuggest.workflows.move import PlaceChoice

_TYPED = "  t  type a file, a heading, or both: `AGENTS.md`, `#Testing`, `AGENTS.md#Testing`"


def choose_place(loop: ReviewLoop, shown: Shown) -> None:
    """Offer the next best places by number, or take one that is typed."""
    with working("looking through your files for other places"):
        from memsuggest.workflows.move import move, other_places

        workspace_index = loop.prepared.ranked()
        places = other_places(shown.suggestion, workspace_index)
    loop.tell(*(f"  {number}  {_named(place)}" for number, place in enumerate(places, 1)), _TYPED)
    chosen = _chosen(loop, shown, places, list(workspace_index.by_uri))
    if chosen is None:
        loop.notes.append("it stays where it was")
        return
    with working("moving it there"):
        moved = move(loop.context, shown.suggestion, chosen)
    loop.notes.append(f"moved to {_place_now(moved)}")


def _chosen(loop: ReviewLoop, shown: Shown, places: Sequence[PlaceChoice], known: Sequence[str]) -> PlaceChoice | None:
    key = ask(loop.keys, f"where to? [1-{len(places)}, t, or any other key: nowhere] " if places else "type one? [t] ")
    if key.isdecimal() and 0 < int(key) <= len(places):
        return places[int(key) - 1]
    return _typed(loop, shown, known) if key in {"t", "T"} else None


def _typed(loop: ReviewLoop, shown: Shown, known: Sequence[str]) -> PlaceChoice | None:
    """Take a place that is typed; what is not there yet is made once the person agrees."""
    from memsuggest.workflows.move import typed_place, what_is_new

    with loop.keys.away():
        text: str = typer.prompt("place", default="", show_default=False)
    if not text.strip():
        return None
    place = typed_place(text, here=shown.suggestion.edit.path, known=known)
    missing = what_is_new(loop.context, shown.suggestion, place)
    if not missing:
        return place
    loop.tell(missing)
    is_wanted = ask(loop.keys, "make it with this rule? [y/N] ") in {"y", "Y"}
    return replace(place, makes=True) if is_wanted else None


def _named(place: PlaceChoice) -> str:
    return f"{place.uri} › {place.heading}" if place.heading else place.uri


def _place_now(one: MemorySuggestion) -> str:
    from memsuggest.suggestions.place_line import where

    return where(one)


def sharpen_line(loop: ReviewLoop, shown: Shown) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    with working("looking through your files for the line"):
        from memsuggest.workflows.move import colliding_line, sharpen

        existing_rule = colliding_line(loop.context, shown.suggestion, loop.prepared.read())
    loop.tell(f"  {existing_rule.uri}:{existing_rule.line}  {existing_rule.raw.strip()}")
    if ask(loop.keys, "put the rule in its place? [y/N] ") not in {"y", "Y"}:
        loop.notes.append("it stays as it was")
        return
    with working("putting it there"):
        made = sharpen(loop.context, shown.suggestion, existing_rule)
    loop.notes.append(f"it stands in the place of line {existing_rule.line} of {made.edit.path} now")
