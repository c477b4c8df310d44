"""The keys of a review that choose another place: `m` moves a rule, `s` lets it stand in the place of a line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.progress import working
from memsuggest.cli.walk import ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.walk import Walk
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.moving import Place

_TYPED = "  t  type a file, a heading, or both: `AGENTS.md`, `#Testing`, `AGENTS.md#Testing`"


def choose_place(walk: Walk, shown: Shown) -> None:
    """Offer the next best places by number, or take one that is typed."""
    with working("looking through your files for other places"):
        from memsuggest.workflows.moving import move, other_places

        bench = walk.prepared.ranked()
        places = other_places(shown.suggestion, bench)
    walk.tell(*(f"  {number}  {_named(place)}" for number, place in enumerate(places, 1)), _TYPED)
    chosen = _chosen(walk, shown, places, list(bench.by_uri))
    if chosen is None:
        walk.notes.append("it stays where it was")
        return
    with working("moving it there"):
        moved = move(walk.desk, shown.suggestion, chosen)
    walk.notes.append(f"moved to {_place_now(moved)}")


def _chosen(walk: Walk, shown: Shown, places: Sequence[Place], known: Sequence[str]) -> Place | None:
    key = ask(walk.keys, f"where to? [1-{len(places)}, t, or any other key: nowhere] " if places else "type one? [t] ")
    if key.isdecimal() and 0 < int(key) <= len(places):
        return places[int(key) - 1]
    return _typed(walk, shown, known) if key in {"t", "T"} else None


def _typed(walk: Walk, shown: Shown, known: Sequence[str]) -> Place | None:
    """Take a place that is typed; what is not there yet is made once the person agrees."""
    from memsuggest.workflows.moving import typed_place, what_is_new

    with walk.keys.away():
        text: str = typer.prompt("place", default="", show_default=False)
    if not text.strip():
        return None
    place = typed_place(text, here=shown.suggestion.edit.path, known=known)
    missing = what_is_new(walk.desk, shown.suggestion, place)
    if not missing:
        return place
    walk.tell(missing)
    is_wanted = ask(walk.keys, "make it with this rule? [y/N] ") in {"y", "Y"}
    return replace(place, makes=True) if is_wanted else None


def _named(place: Place) -> str:
    return f"{place.uri} › {place.heading}" if place.heading else place.uri


def _place_now(one: MemorySuggestion) -> str:
    from memsuggest.suggestions.whereabouts import where

    return where(one)


def sharpen_line(walk: Walk, shown: Shown) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    with working("looking through your files for the line"):
        from memsuggest.workflows.moving import colliding_line, sharpen

        saying = colliding_line(walk.desk, shown.suggestion, walk.prepared.read())
    walk.tell(f"  {saying.uri}:{saying.line}  {saying.raw.strip()}")
    if ask(walk.keys, "put the rule in its place? [y/N] ") not in {"y", "Y"}:
        walk.notes.append("it stays as it was")
        return
    with working("putting it there"):
        made = sharpen(walk.desk, shown.suggestion, saying)
    walk.notes.append(f"it stands in the place of line {saying.line} of {made.edit.path} now")
