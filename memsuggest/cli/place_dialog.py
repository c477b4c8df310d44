"""Asking where a suggestion is to go: one of the next best places by number, or one that is typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.keys import ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.keys import Keys
    from memsuggest.cli.run import Run
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import PlaceChoice
    from memsuggest.workflows.context import Context

_TYPED = "  t  type one: a file, a heading, or both, as `AGENTS.md#Testing`"


def list_places(run: Run, prefix: str) -> None:
    """Print where else a suggestion could go."""
    from memsuggest.workflows.decide.move_command import best_places, find_movable

    context = run.look().dry()
    run.emit(best_places(context, find_movable(context, prefix)))


def move_asking(run: Run, prefix: str, *, file: str, heading: str, makes: bool) -> None:
    """Move a suggestion to the place that was named, or to one that is asked for; print what came of it."""
    is_asked = is_interactive() and run.format != "json"
    if not (file or heading or is_asked):
        raise MemsuggestError(
            "nothing was moved: there is no terminal to ask on",
            hint=f"`memsuggest move {prefix} AGENTS.md --heading Testing` names the place",
        )
    context = run.context()
    with working("looking for what is to be moved"):
        from memsuggest.workflows.decide.move import move
        from memsuggest.workflows.decide.move_command import find_movable

        suggestion = find_movable(context, prefix)
    if not (file or heading):
        place = _chosen(run, context, suggestion)
    else:
        from memsuggest.workflows.decide.move_command import named_place, require_place

        with working("looking for that place"):
            place = replace(named_place(context, suggestion, file=file, heading=heading), makes=makes)
        if is_asked and not makes:
            with single_keys() as keys:
                place = _agreed(run, context, keys, suggestion, place)
        else:
            require_place(context, suggestion, place)
    if place is None:
        run.say("nothing was moved")
        return
    with working("moving it there"):
        moved = move(context, suggestion, place)
    run.emit(moved)


def _chosen(run: Run, context: Context, suggestion: MemorySuggestion) -> PlaceChoice | None:
    """Show the next best places, and ask which."""
    from memsuggest.reports.plain import Talk
    from memsuggest.suggestions.listed import as_written, where
    from memsuggest.workflows.decide.move_command import best_places
    from memsuggest.workflows.marker_files import reviewing

    with working("looking through your files for other places"):
        places = best_places(context, suggestion).places
    run.emit(Talk(rows=(as_written(suggestion), f"goes to {where(suggestion)}; it could go to:")))
    with reviewing(context), single_keys() as keys:
        return pick_place(run, context, keys, suggestion, places, known=list(context.workspace_index.by_uri))


def pick_place(
    run: Run,
    context: Context,
    keys: Keys,
    suggestion: MemorySuggestion,
    places: Sequence[PlaceChoice],
    *,
    known: Sequence[str],
) -> PlaceChoice | None:
    """Offer places by number, or take one that is typed; None for neither. `known` are the files that there are."""
    from memsuggest.reports.plain import Talk

    run.emit(Talk(rows=(*(f"  {number}  {_name(place)}" for number, place in enumerate(places, 1)), _TYPED)))
    key = ask(keys, f"where to? [1-{len(places)}, t, or any other key: nowhere] " if places else "type one? [t] ")
    if key.isdecimal() and 0 < int(key) <= len(places):
        return places[int(key) - 1]
    if key not in {"t", "T"}:
        return None
    from memsuggest.workflows.decide.move import typed_place

    with keys.away():
        text: str = typer.prompt("place", default="", show_default=False)
    if not text.strip():
        return None
    return _agreed(run, context, keys, suggestion, typed_place(text, here=suggestion.edit.path, known=known))


def _agreed(
    run: Run, context: Context, keys: Keys, suggestion: MemorySuggestion, place: PlaceChoice
) -> PlaceChoice | None:
    """Return a place; one that is not there yet, only if the person agrees that it is made."""
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.decide.move import what_is_new

    missing = what_is_new(context, suggestion, place)
    if not missing:
        return place
    run.emit(Talk(rows=(missing,)))
    is_wanted = ask(keys, "make it with this rule? [y/N] ") in {"y", "Y"}
    return replace(place, makes=True) if is_wanted else None


def _name(place: PlaceChoice) -> str:
    return f"{place.uri} › {place.heading}" if place.heading else place.uri
