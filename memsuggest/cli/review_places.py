"""The keys of a review that choose another place: `m` moves a rule, `s` lets it stand in the place of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.cli.keys import ask
from memsuggest.cli.place_dialog import pick_place
from memsuggest.cli.progress_line import working

if TYPE_CHECKING:
    from memsuggest.cli.review_state import ReviewLoop
    from memsuggest.reports.decision_reports import Shown


def choose_place(loop: ReviewLoop, shown: Shown) -> None:
    """Offer the next best places by number, or take one that is typed."""
    from memsuggest.suggestions.listed import where

    with working("looking through your files for other places"):
        from memsuggest.workflows.decide.move import move, other_places

        workspace_index = loop.prepared.ranked()
        places = other_places(shown.suggestion, workspace_index)
    known = list(workspace_index.by_uri)
    chosen = pick_place(loop.run, loop.context, loop.keys, shown.suggestion, places, known=known)
    if chosen is None:
        loop.notes.append("it stays where it was")
        return
    with working("moving it there"):
        moved = move(loop.context, shown.suggestion, chosen)
    place = where(moved.suggestion)
    loop.notes.append(f"it stays where it is: {place}" if moved.stays else f"moved to {place}")


def replace_line(loop: ReviewLoop, shown: Shown) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    with working("looking through your files for the line"):
        from memsuggest.workflows.decide.move import colliding_line, sharpen

        existing_rule = colliding_line(loop.context, shown.suggestion, loop.prepared.read())
    loop.tell(f"  {existing_rule.uri}:{existing_rule.line}  {existing_rule.raw.strip()}")
    if ask(loop.keys, "put the rule in its place? [y/N] ") not in {"y", "Y"}:
        loop.notes.append("it stays as it was")
        return
    with working("putting it there"):
        made = sharpen(loop.context, shown.suggestion, existing_rule)
    loop.notes.append(f"it stands in the place of line {existing_rule.line} of {made.edit.path} now")
