"""The actions of a full-screen review's keys: the letters are those of the line mode, and so is what they decide."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.cli import review_steps as steps
from memsuggest.cli.review_keys import HELP
from memsuggest.cli.tui.questions import agrees, ask_line, pick
from memsuggest.cli.tui.review_list import ALL
from memsuggest.errors import MemsuggestError
from memsuggest.render.safe_output import one_line
from memsuggest.suggestions.listed import as_written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.review_steps import Many
    from memsuggest.cli.tui.full_review import FullReview
    from memsuggest.model import MemorySuggestion
    from memsuggest.render.page import Page
    from memsuggest.reports.decision_reports import Shown

EDIT = "e  edit the words here, and see the change while you type; then decide"
MORE_HELP = """On the whole screen, too:
↑ ↓ choose · ← → other file · home end first, last · page up, page down, space: scroll what is read
/  search: all words, in rules, quotes and files
f  filter: new, kinds, chats, what is kept aside; escape shows all again
E  edit in your editor instead of here
tab  on a narrow screen: the list, or what is read
Marks in the list: * new · ! needs its own confirmation · - answered with `n`"""


async def show_help(review: FullReview) -> None:
    """Show what every key does; the suggestion comes back after it."""

    def draw(page: Page) -> None:
        rows = [EDIT if row.startswith("e  ") else row for row in HELP.splitlines()]
        for row in (*rows, "", *MORE_HELP.splitlines()):
            page.line(row, hang=3)

    app = review.app
    app.show_panel(draw)
    app.show_keys([])
    app.note("any key goes back; page up and page down scroll")
    while (press := await app.next_press()).key in {"pageup", "pagedown", "up", "down"}:
        app.panel.scroll_rows({"pageup": -8, "pagedown": 8, "up": -1, "down": 1}[press.key])
    app.hide_panel()
    app.draw_keys()
    app.note()


async def apply_it(review: FullReview) -> None:
    """Write it; what runs a command or weakens safety, after the word `yes`."""
    shown = await review.shown()
    if await is_agreed(review, shown):
        await write(review, [shown.suggestion])
    else:
        _go(review, 1)
        review.app.note(f"not written, it waits still: {one_line(as_written(shown.suggestion))}")


async def is_agreed(review: FullReview, shown: Shown) -> bool:
    """Ask for the word `yes` where one key is not enough: it runs a command, or weakens safety."""
    if not steps.needs_own(shown):
        return True
    question = f"{steps.why_own(shown)}; type `yes` to write it" + (
        "" if shown.suggestion.executable else " all the same"
    )
    answer = await ask_line(review.app, "", draw=lambda page: page.line((question, "bold")))
    return (answer or "").strip().lower() == "yes"


async def write(review: FullReview, suggestions: Sequence[MemorySuggestion]) -> None:
    """Apply suggestions that the person agreed to, and go on."""
    notes = await review.do("writing", partial(steps.write, suggestions=suggestions))
    await review.load()
    review.app.note(*notes)


async def put_off(review: FullReview) -> None:
    """Leave it pending, whatever is applied together afterwards."""
    if review.item:
        review.app.list.put_off.add(review.item.id)
        _go(review, 1)


async def dismiss(review: FullReview, *, only_here: bool) -> None:
    """Silence it, everywhere or for its file alone."""
    shown = await review.shown()
    what = "looking for another place" if only_here else "dismissing"
    done = await review.do(what, partial(steps.silence, suggestion=shown.suggestion, only_here=only_here))
    await review.load(go_to=[shown.suggestion.id] if done.stays else ())
    review.app.note(done.note)


async def whole(review: FullReview) -> None:
    """Show all of its evidence and its whole change on the whole screen, or both panes again."""
    await review.shown()
    review.is_whole = not review.is_whole
    review.app.screen.set_class(review.is_whole, "whole")
    review.app.call_after_refresh(review.draw)


async def apply_file(review: FullReview) -> None:
    """Apply all that go to its file, once the person has seen them."""
    shown = await review.shown()
    put_off = frozenset(review.app.list.put_off)
    many = await review.do(
        "looking at what goes to this file",
        partial(steps.of_same_file, suggestion=shown.suggestion, put_off=put_off),
    )
    if not many.question:
        raise MemsuggestError("nothing of this file can be applied together", hint="look at each by itself")
    if await _is_wanted(review, many):
        await write(review, many.chosen)


async def dismiss_chat(review: FullReview, *, never_again: bool) -> None:
    """Dismiss all that was said in its chat alone, once the person has seen them."""
    shown = await review.shown()
    many = await review.do(
        "looking at what was said in its chat",
        partial(steps.of_same_chat, suggestion=shown.suggestion, never_again=never_again),
    )
    if await _is_wanted(review, many):
        note = await review.do(
            "dismissing", partial(steps.silence_chat, suggestion=shown.suggestion, never_again=never_again)
        )
        await review.load()
        review.app.note(note)


async def _is_wanted(review: FullReview, many: Many) -> bool:
    """Show what would be decided together, and ask."""

    def draw(page: Page) -> None:
        for row in filter(None, (many.title, many.remark)):
            page.line(one_line(row))
        many.bundle.show(page)

    is_wanted = await agrees(review.app, many.question, draw=draw)
    if not is_wanted:
        review.app.note("nothing was decided")
    return is_wanted


async def undo(review: FullReview) -> None:
    """Take the last decision back, and go to what it was about, also where the filter would hide it."""
    done = await review.do("taking back", steps.take_back)
    await review.load(go_to=done.ids)
    if done.ids and (review.item is None or review.item.id not in done.ids):
        review.filter, review.words = ALL, ""
        review.show_rows(go_to=done.ids)
    review.app.note(done.note)


async def search(review: FullReview) -> None:
    """Narrow the list with every key."""
    before = review.words

    def told(text: str) -> None:
        if text != review.words:
            review.words = text
            review.show_rows()

    if await ask_line(review.app, "search:", text=before, told=told) is None:
        review.words = before
    review.show_rows()


async def choose_filter(review: FullReview) -> None:
    """Show a part of what waits."""
    found = review.waiting.filters()
    at = await pick(review.app, "show:", [(one.name, f"{one.count:,}") for one in found])
    if at >= 0:
        review.filter = found[at]
        review.show_rows()
    review.draw()


async def all_again(review: FullReview) -> None:
    """Show everything again."""
    if review.is_whole:
        await whole(review)
    else:
        review.filter, review.words = ALL, ""
        review.show_rows()


def _go(review: FullReview, step: int) -> None:
    review.choose(review.app.list.further(step) if review.item else review.app.list.nearest(review.gone_at))
    review.app.note()
