"""A full-screen review from its opening to its end: one key after the other."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.cli.tui.full_review import LOOK
from memsuggest.cli.tui.key_table import act
from memsuggest.cli.tui.questions import told_of
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from memsuggest.cli.tui.full_review import FullReview
    from memsuggest.cli.tui.review_app import Press

_QUIT = frozenset({"q", "Q", "ctrl+q"})


async def walk(review: FullReview, *, is_maybe: bool) -> None:
    """Open what waits, and do what the keys say until one of them ends it."""
    app = review.app
    try:
        async with review.turn:
            await review.open(is_maybe=is_maybe)
    except MemsuggestError as error:
        review.failure = error
        app.exit(1)
        return
    app.draw_keys()
    app.begin(partial(_ahead, review))
    app.set_interval(LOOK, partial(app.begin, partial(_look, review)))
    while True:
        press = await app.next_press()
        if press.key in _QUIT:
            app.exit(0)
            return
        async with review.turn:
            await _act(review, press)
        app.draw_keys()


async def _act(review: FullReview, press: Press) -> None:
    """Do what a key says, and tell what went wrong."""
    try:
        await act(review, press)
    except MemsuggestError as error:
        review.draw()
        review.app.note(told_of(error))


async def _look(review: FullReview) -> None:
    try:
        await review.look()
    except MemsuggestError as error:
        review.app.note(told_of(error))


async def _ahead(review: FullReview) -> None:
    with suppress(MemsuggestError):  # the decision that needs it tells it
        await asyncio.sleep(LOOK)
        await review.compare_ahead()
