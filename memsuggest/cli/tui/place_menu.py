"""The keys of a full-screen review that choose another place: `m` moves a rule, `s` puts it in a line's place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.cli.tui.questions import agrees, ask, ask_line

if TYPE_CHECKING:
    from memsuggest.cli.review_state import Prepared
    from memsuggest.cli.tui.full_review import FullReview
    from memsuggest.model import MemorySuggestion
    from memsuggest.render.page import Page
    from memsuggest.reports.decision_reports import PlaceChoice
    from memsuggest.suggestions.existing_rules import ExistingRule
    from memsuggest.workflows.context import Context


async def choose_place(review: FullReview) -> None:
    """Offer the next best places by number, or take one that is typed."""
    from memsuggest.suggestions.listed import where
    from memsuggest.workflows.decide.move import move

    suggestion = (await review.shown()).suggestion
    found, known = await review.do(
        "looking through your files for other places", partial(_places, suggestion=suggestion, prepared=review.prepared)
    )
    place = await _chosen(review, suggestion, found, known)
    if place is None:
        review.app.note("it stays where it was")
        return
    moved = await review.do("moving it there", partial(move, suggestion=suggestion, place=place))
    await review.load(go_to=[suggestion.id])
    to = where(moved.suggestion)
    review.app.note(f"it stays where it is: {to}" if moved.stays else f"moved to {to}")


def _places(_context: Context, suggestion: MemorySuggestion, prepared: Prepared) -> tuple[list[PlaceChoice], list[str]]:
    """Return the next best places, and the files that there are."""
    from memsuggest.workflows.decide.move import other_places

    index = prepared.ranked()
    return other_places(suggestion, index), list(index.by_uri)


async def _chosen(
    review: FullReview, suggestion: MemorySuggestion, found: list[PlaceChoice], known: list[str]
) -> PlaceChoice | None:
    from memsuggest.workflows.decide.move import typed_place, what_is_new

    def draw(page: Page) -> None:
        for number, place in enumerate(found, 1):
            page.line((f"  {number}  ", "bold"), (_name(place), "cyan"), hang=5)
        page.line(("  t  ", "bold"), "type one: a file, a heading, or both, as `AGENTS.md#Testing`", hang=5)

    keys = {str(number): "" for number in range(1, len(found) + 1)}
    key = await ask(review.app, "where to?", keys | {"t": "type one", "n": "nowhere"}, draw=draw)
    if key.isdecimal():
        return found[int(key) - 1]
    text = await ask_line(review.app, "place:") if key == "t" else None
    if not (text and text.strip()):
        return None
    place = typed_place(text, here=suggestion.edit.path, known=known)
    missing = await review.do("looking at that place", partial(what_is_new, suggestion=suggestion, place=place))
    if missing and not await agrees(review.app, f"{missing}: make it with this rule?"):
        return None
    return replace(place, makes=True) if missing else place


def _name(place: PlaceChoice) -> str:
    return f"{place.uri} › {place.heading}" if place.heading else place.uri


async def replace_line(review: FullReview) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    from memsuggest.workflows.decide.move import sharpen

    suggestion = (await review.shown()).suggestion
    line: ExistingRule = await review.do(
        "looking through your files for the line", partial(_colliding, suggestion=suggestion, prepared=review.prepared)
    )

    def draw(page: Page) -> None:
        page.line((f"{line.uri}:{line.line}", "cyan"), f"  {line.raw.strip()}", hang=2)

    if not await agrees(review.app, "put the rule in its place?", draw=draw):
        review.app.note("it stays as it was")
        return
    made = await review.do("putting it there", partial(sharpen, suggestion=suggestion, existing_rule=line))
    await review.load(go_to=[suggestion.id])
    review.app.note(f"it stands in the place of line {line.line} of {made.edit.path} now")


def _colliding(context: Context, suggestion: MemorySuggestion, prepared: Prepared) -> ExistingRule:
    from memsuggest.workflows.decide.move import colliding_line

    return colliding_line(context, suggestion, prepared.read())
