"""The keys of a full-screen review that are its own, and the walk from key to key. What the others do is shared."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.render.page import Page
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.suggestions.apply_and_undo import with_text
from memsuggest.suggestions.dangerous_rules import with_danger
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.listed import as_written, where
from memsuggest.suggestions.review_steps import HELP, KEYS, edit_outside, is_settled, move_to
from memsuggest.suggestions.suggesting import compare_ahead
from memsuggest.tui.full_review import LOOK, FullReview, in_other_words
from memsuggest.tui.review_app import Press, error_line
from memsuggest.tui.review_list import ALL, Item
from memsuggest.tui.widgets import SuggestionList

MORE_HELP = """In full-screen mode only:
↑ ↓ choose · ← → previous or next file · home end first or last · page up, page down, space: scroll the suggestion
/  search: all words, in rules, quotes and files
f  filter: new, kinds, chats, low confidence; escape shows all again
E  edit in your editor instead of here
1 2 3  use the suggested place, or one of the next best two
g  set the files that a new instructions file applies to (`applyTo`)
tab  switch panes: the title of the active one is bold, and the arrow keys scroll it
:  all commands by name
Marks in the list: * new · ! needs its own confirmation · - skipped with `n` · ✓ applied · × dismissed"""


async def show_help(review: FullReview) -> None:
    def draw(page: Page) -> None:
        for row in (*HELP, "", *MORE_HELP.splitlines()):
            page.line("e  edit the rule here with a live diff, then decide" if row.startswith("e  ") else row, hang=3)

    app = review.app
    app.show_panel(draw)
    app.show_answers("", {})
    app.note("press any key to go back; page up and page down scroll")
    while (press := await app.next_press()).key in {"pageup", "pagedown", "up", "down"}:
        app.panel.scroll_rows({"pageup": -8, "pagedown": 8, "up": -1, "down": 1}[press.key])
    app.hide_panel()
    app.draw_keys()
    app.note()


async def put_off(review: FullReview) -> None:
    if review.item:
        review.app.list.put_off.add(review.item.id)
        review.go_on()


async def whole(review: FullReview) -> None:
    """Show all of its evidence and its whole change on the whole screen, or both panes again."""
    if not review.is_whole:
        await review.shown()
    review.is_whole = not review.is_whole
    review.app.screen.set_class(review.is_whole, "whole")
    review.app.call_after_refresh(review.draw)


async def search(review: FullReview) -> None:
    before = review.words

    def find(text: str) -> None:
        if text != review.words:
            review.words = text
            review.show_rows()
            review.app.note(review.waiting.where_found(text))

    if await review.app.ask_line("search:", text=before, on_change=find) is None:
        review.words = before
    review.show_rows()


async def choose_filter(review: FullReview) -> None:
    found = review.waiting.filters()
    at = await review.app.pick("show:", [(part.name, f"{part.count:,}") for part in found])
    if at >= 0:
        review.filter = found[at]
        review.show_rows()
    review.draw()


async def all_again(review: FullReview) -> None:
    if review.is_whole:
        await whole(review)
    else:
        review.filter, review.words = ALL, ""
        review.show_rows()


_TYPING = 0.2  # seconds without a key after which the change is shown as it would be with the words typed so far


async def edit(review: FullReview) -> None:
    """Change the words in place, see what comes of them, and apply that with one more key."""
    suggestion = (await review.shown()).suggestion
    if suggestion.fact is None:  # nobody said it: there are no words, only its file
        await edit_outside(review)
        return

    async def show(text: str) -> None:
        await asyncio.sleep(_TYPING)
        made = await review.store.do(partial(in_other_words, suggestion=suggestion, words=text.strip()))
        review.show_instead(made)
        review.app.note(error_line(made.error))

    words = first = safe(as_written(suggestion))
    while True:
        try:
            left = await review.app.ask_words(
                words, on_change=lambda text: review.app.begin(partial(show, text), only="edit")
            )
        finally:
            review.app.workers.cancel_group(review.app, "edit")
        if left is None or left.strip() == first.strip():
            review.note("nothing was changed")
            return
        words = left
        job = partial(in_other_words, suggestion=suggestion, words=words.strip())
        made = await review.do("updating the diff", job)
        if made.shown is None:
            review.app.note(error_line(made.error))
        elif await is_settled(review, made.shown):
            return


async def take_place(review: FullReview, *, number: int) -> None:
    suggestion = (await review.shown()).suggestion
    places = review.places.get(suggestion.id, [])
    if number == 1:
        review.app.note(f"already at {where(suggestion)}")
    elif number - 2 < len(places):
        await move_to(review, suggestion, places[number - 2])
    else:
        review.app.note(f"place {number} is not listed; press `m` to find other places")


_APPLY_TO = re.compile(r'^applyTo: "(?P<patterns>[^"\n]*)"', re.MULTILINE)


async def edit_apply_to(review: FullReview) -> None:
    """Change which files a new file of instructions is for, see the file, and decide."""
    suggestion = (await review.shown()).suggestion
    after = suggestion.edit.after or ""
    found = _APPLY_TO.search(after) if suggestion.edit.before is None else None
    if found is None:
        raise MemsuggestError(
            "this suggestion has no `applyTo` to change",
            hint="only new instructions files have an `applyTo` you can change",
        )
    patterns = await review.app.ask_line("applies to files:", text=found["patterns"])
    if not patterns or not patterns.strip() or '"' in patterns:
        review.app.note("nothing was changed")
        return
    changed = with_text(
        suggestion, after[: found.start("patterns")] + patterns.strip() + after[found.end("patterns") :]
    )
    await is_settled(review, with_danger(Shown(suggestion=changed)))


async def choose_command(review: FullReview) -> None:
    """Show all commands by name, narrowed by what is typed; the chosen one is done next."""
    commands = [(about.name, key) for key, about in KEYS.items() if about.name]
    at = await review.app.pick("command:", commands, narrows=True)
    if at >= 0:
        review.app.press(commands[at][1])


OWN: dict[str, Callable[[FullReview], Awaitable[None]]] = {
    "n": put_off,
    "e": edit,
    "g": edit_apply_to,
    **{str(number): partial(take_place, number=number) for number in (1, 2, 3)},
    "w": whole,
    "/": search,
    "f": choose_filter,
    "escape": all_again,
    "?": show_help,
    "q": whole,  # where all of it is shown, that is left; else `walk` ends
    ":": choose_command,
    "ctrl+p": choose_command,
}
ACTIONS = OWN | {key: about.act for key, about in KEYS.items() if about.act}
"""What decides or asks something, by its key."""
MOVING: dict[str, Callable[[SuggestionList], int]] = {
    **dict.fromkeys(("k", "up"), lambda rows: rows.further(-1)),
    **dict.fromkeys(("j", "down"), lambda rows: rows.further(1)),
    "left": lambda rows: rows.other_file(-1),
    "right": lambda rows: rows.other_file(1),
    "home": lambda rows: rows.nearest(0),
    "end": lambda rows: rows.nearest(len(rows.rows)),
}
"""Keys that choose another row."""
READING = {"pageup": -10, "pagedown": 10, " ": 10, "space": 10, "ctrl+u": -5, "ctrl+d": 5}
"""Keys that scroll what is read, by so many rows."""
SCROLLING = {"up": -1, "down": 1, "k": -1, "j": 1}  # keys that scroll what is read while the arrows act on it


async def act(review: FullReview, press: Press) -> None:
    key, app = press.key, review.app
    if deciding := ACTIONS.get(key) or ACTIONS.get(key.lower()):
        app.note()
        await deciding(review)
    elif key in SCROLLING and app.is_reading:
        app.detail.scroll_rows(SCROLLING[key])
    elif key in MOVING:
        review.choose(MOVING[key](app.list) if review.item else app.list.nearest(review.gone_at))
        app.note()
    elif key in READING:
        app.detail.scroll_rows(READING[key])
    elif key == "tab":
        app.turn_over()
        app.call_after_refresh(review.draw)
    elif key == "row":
        if press.row < len(app.list.rows) and isinstance(app.list.rows[press.row], Item):
            review.choose(press.row)
            app.note()
    elif key.startswith("filter "):
        name = key.removeprefix("filter ")
        review.filter = next((part for part in review.waiting.filters() if part.name == name), ALL)
        review.show_rows()
    elif press.event is not None and key != "paste":
        says = "Enter has no effect; press `y` to apply" if key == "enter" else f"`{one_line(key)}` has no effect here"
        app.note(f"{says}; press `?` for all keys")


_QUIT = frozenset({"q", "Q", "ctrl+q"})


async def walk(review: FullReview, *, is_maybe: bool) -> None:
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
    app.set_interval(LOOK, partial(app.begin, partial(_telling, review, review.look)))
    while True:
        press = await app.next_press()
        if press.key in _QUIT and not (review.is_whole and review.item and press.key != "ctrl+q"):
            app.exit(0)
            return
        async with review.turn:
            await _telling(review, partial(act, review, press), redraws=True)
        app.draw_keys()


async def _telling(review: FullReview, job: Callable[[], Awaitable[None]], *, redraws: bool = False) -> None:
    try:
        await job()
    except MemsuggestError as error:
        if redraws:
            review.draw()
        review.app.note(error_line(error))


_COMPARED = 100
"""Rules that are compared with all others in a step, which takes about a tenth of a second among thousands."""
_REST = 0.05  # seconds between two such steps, for the keys


async def _ahead(review: FullReview) -> None:
    """Compare the rules with one another in small steps, so that the first decision does not wait for all of it."""
    count = 0
    with suppress(MemsuggestError):  # the decision that needs it says so
        await asyncio.sleep(LOOK)
        while not await review.store.do(partial(compare_ahead, count=(count := count + _COMPARED))):
            await asyncio.sleep(_REST)
