"""The keys of a full-screen review that change words: `e` in place, `E` in the person's editor."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.cli import review_steps as steps
from memsuggest.cli.tui import review_data as stores
from memsuggest.cli.tui.key_actions import is_agreed, write
from memsuggest.cli.tui.questions import ask, ask_words, told_of
from memsuggest.errors import MemsuggestError
from memsuggest.render.safe_output import safe
from memsuggest.suggestions.listed import as_written

if TYPE_CHECKING:
    from textual.worker import Worker

    from memsuggest.cli.tui.full_review import FullReview
    from memsuggest.cli.tui.review_data import Ready
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import Shown

_TYPING = 0.2
"""Seconds without a key after which the change is shown as it would be with the words typed so far."""


async def edit(review: FullReview) -> None:
    """Change the words in place, see what comes of them, and apply that with one more key."""
    shown = await review.shown()
    if shown.suggestion.fact is None:  # nobody said it: there are no words, only its file
        await edit_outside(review)
        return
    first = safe(as_written(shown.suggestion))
    words = first
    while True:
        left = await _typed_words(review, shown.suggestion, words)
        if left is None or left.strip() == first.strip():
            review.draw()
            review.app.note("nothing was changed")
            return
        words = left
        made = await review.do(
            "looking at it", partial(stores.in_other_words, suggestion=shown.suggestion, words=words.strip())
        )
        if made.shown is None:
            review.app.note(told_of(made.error))
            continue
        if await _is_settled(review, made.shown, made):
            return


async def _typed_words(review: FullReview, suggestion: MemorySuggestion, words: str) -> str | None:
    """Let the person type, and show the change of the file as it would be, a moment after each key."""
    timer: list[Worker[None]] = []

    async def show(text: str) -> None:
        await asyncio.sleep(_TYPING)
        made = await review.store.do(partial(stores.in_other_words, suggestion=suggestion, words=text.strip()))
        review.show_instead(made)
        review.app.note(told_of(made.error) if made.error else "")

    def told(text: str) -> None:
        for one in timer:
            one.cancel()
        timer[:] = [review.app.begin(partial(show, text))]

    try:
        return await ask_words(review.app, words, told=told)
    finally:
        for one in timer:
            one.cancel()


async def _is_settled(review: FullReview, looked: Shown, made: Ready) -> bool:
    """Show a suggestion in the person's words, and do what they say; False where they go on editing."""
    review.show_instead(made)
    if steps.needs_own(looked):
        key = "y" if await is_agreed(review, looked) else ""
    else:
        key = await ask(review.app, "apply it like this?", {"y": "apply", "e": "edit again", "n": "leave it as it was"})
    if key == "e":
        return False
    if key == "y":
        await write(review, [looked.suggestion])
    else:
        review.draw()
        review.app.note("not applied: its words are what they were")
    return True


async def edit_outside(review: FullReview) -> None:
    """Open the person's editor on the words, or on the file where there are none."""
    from textual.app import SuspendNotSupported

    from memsuggest.cli.dialog import text_of_editor, with_new_text
    from memsuggest.cli.tui.review_data import Ready
    from memsuggest.reports.decision_reports import Shown
    from memsuggest.reports.review_report import hunks_of
    from memsuggest.workflows.decide.dangerous_rules import with_danger

    changed = (await review.shown()).suggestion
    while True:
        try:
            with review.app.suspend():
                text = text_of_editor(changed, patch=False)
        except SuspendNotSupported:
            raise MemsuggestError("an editor cannot be opened in this terminal", hint="`e` edits here") from None
        if text is None:
            review.draw()
            review.app.note("nothing was changed")
            return
        changed = await review.do("looking at it", partial(with_new_text, suggestion=changed, text=text, patch=False))
        looked = with_danger(Shown(suggestion=changed))
        if await _is_settled(review, looked, Ready(id=changed.id, shown=looked, diff=hunks_of(changed.edit))):
            return
