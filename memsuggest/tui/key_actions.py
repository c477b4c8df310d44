"""The keys of a full-screen review: the letters are those of the line mode, and so is what they decide."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from textual.app import SuspendNotSupported
from textual.worker import Worker

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import Page
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.suggestions import review_steps as steps
from memsuggest.suggestions.apply_and_undo import with_text
from memsuggest.suggestions.dangerous_rules import with_danger
from memsuggest.suggestions.decision_dialogs import text_of_editor, with_new_text
from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
from memsuggest.suggestions.listed import as_written, where
from memsuggest.suggestions.move import colliding_line, move, other_places, sharpen, typed_place, what_is_new
from memsuggest.suggestions.review_loop import HELP
from memsuggest.suggestions.review_report import place_name
from memsuggest.suggestions.review_steps import Many
from memsuggest.tui.full_review import LOOK, FullReview, Ready, in_other_words, ready_from
from memsuggest.tui.review_app import Press, agrees, ask, ask_line, ask_words, pick, show_answers, told_of
from memsuggest.tui.review_list import ALL, APPLIED, DISMISSED, Item
from memsuggest.tui.widgets import SuggestionList

EDIT = "e  edit the rule here with a live diff, then decide"
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
    """Show what every key does; the suggestion comes back after it."""

    def draw(page: Page) -> None:
        rows = [EDIT if row.startswith("e  ") else row for row in HELP.splitlines()]
        for row in (*rows, "", *MORE_HELP.splitlines()):
            page.line(row, hang=3)

    app = review.app
    app.show_panel(draw)
    show_answers(app, "", {})
    app.note("press any key to go back; page up and page down scroll")
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
        review.app.note(f"not applied, still pending: {one_line(as_written(shown.suggestion))}")


async def is_agreed(review: FullReview, shown: Shown) -> bool:
    """Ask for the word `yes` where one key is not enough: it runs a command, or weakens safety."""
    why = steps.why_own(shown)
    if not why:
        return True
    question = f"{why}; type `yes` to write the file" + ("" if shown.suggestion.executable else " anyway")
    answer = await ask_line(review.app, "", draw=lambda page: page.line((question, "bold")))
    return (answer or "").strip().lower() == "yes"


async def write(review: FullReview, suggestions: Sequence[MemorySuggestion]) -> None:
    notes = await review.do("writing", partial(steps.write, suggestions=suggestions))
    review.mark([suggestion.id for suggestion in suggestions], APPLIED)
    await review.load()
    review.app.note(*notes)


async def put_off(review: FullReview) -> None:
    if review.item:
        review.app.list.put_off.add(review.item.id)
        _go(review, 1)


async def dismiss(review: FullReview, *, only_here: bool) -> None:
    """Dismiss it, everywhere or for its file alone."""
    shown = await review.shown()
    what = "finding another place" if only_here else "dismissing"
    done = await review.do(what, partial(steps.silence, suggestion=shown.suggestion, only_here=only_here))
    if not done.stays:
        review.mark([shown.suggestion.id], DISMISSED)
    await review.load(go_to=[shown.suggestion.id] if done.stays else ())
    review.app.note(done.note)


async def whole(review: FullReview) -> None:
    """Show all of its evidence and its whole change on the whole screen, or both panes again."""
    if not review.is_whole:
        await review.shown()
    review.is_whole = not review.is_whole
    review.app.screen.set_class(review.is_whole, "whole")
    review.app.call_after_refresh(review.draw)


async def apply_file(review: FullReview) -> None:
    """Apply all that go to its file, once the user has seen them."""
    shown = await review.shown()
    put_off = frozenset(review.app.list.put_off)
    many = await review.do(
        "finding suggestions for this file", partial(steps.of_same_file, suggestion=shown.suggestion, put_off=put_off)
    )
    if not many.question:
        raise MemsuggestError("no suggestions for this file can be applied together", hint="review each one separately")
    if await _is_wanted(review, many):
        await write(review, many.chosen)


async def dismiss_chat(review: FullReview, *, never_again: bool) -> None:
    """Dismiss all that was said in its chat alone, once the user has seen them."""
    suggestion = (await review.shown()).suggestion
    many = await review.do(
        "finding suggestions from this chat",
        partial(steps.of_same_chat, suggestion=suggestion, never_again=never_again),
    )
    if await _is_wanted(review, many):
        job = partial(steps.silence_chat, suggestion=suggestion, never_again=never_again)
        note = await review.do("dismissing", job)
        review.mark([suggestion.id for suggestion in many.chosen], DISMISSED)
        await review.load()
        review.app.note(note)


async def _is_wanted(review: FullReview, many: Many) -> bool:
    def draw(page: Page) -> None:
        for row in filter(None, (many.title, many.remark)):
            page.line(one_line(row))
        many.show(page)

    is_wanted = await agrees(review.app, many.question, draw=draw)
    if not is_wanted:
        review.app.note("no decision was made")
    return is_wanted


async def undo(review: FullReview) -> None:
    """Undo the last decision, and go to what it was about, also where the filter would hide it."""
    done = await review.do("undoing", steps.take_back)
    await review.load(go_to=done.ids)
    if done.ids and (review.item is None or review.item.id not in done.ids):
        review.filter, review.words = ALL, ""
        review.show_rows(go_to=done.ids)
    review.app.note(done.note)


async def search(review: FullReview) -> None:
    before = review.words

    def told(text: str) -> None:
        if text != review.words:
            review.words = text
            review.show_rows()
            review.app.note(review.waiting.told_of(text))

    if await ask_line(review.app, "search:", text=before, told=told) is None:
        review.words = before
    review.show_rows()


async def choose_filter(review: FullReview) -> None:
    found = review.waiting.filters()
    at = await pick(review.app, "show:", [(part.name, f"{part.count:,}") for part in found])
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


def _go(review: FullReview, step: int) -> None:
    review.choose(review.app.list.further(step) if review.item else review.app.list.nearest(review.gone_at))
    review.app.note()


_TYPING = 0.2
"""Seconds without a key after which the change is shown as it would be with the words typed so far."""


async def edit(review: FullReview) -> None:
    """Change the words in place, see what comes of them, and apply that with one more key."""
    suggestion = (await review.shown()).suggestion
    if suggestion.fact is None:  # nobody said it: there are no words, only its file
        await edit_outside(review)
        return
    words = first = safe(as_written(suggestion))
    while True:
        left = await _typed_words(review, suggestion, words)
        if left is None or left.strip() == first.strip():
            _discard(review, "nothing was changed")
            return
        words = left
        job = partial(in_other_words, suggestion=suggestion, words=words.strip())
        made = await review.do("updating the diff", job)
        if made.shown is None:
            review.app.note(told_of(made.error))
        elif await _is_settled(review, made):
            return


def _discard(review: FullReview, note: str) -> None:
    review.draw()
    review.app.note(note)


async def _typed_words(review: FullReview, suggestion: MemorySuggestion, words: str) -> str | None:
    """Let the user type, and show the change of the file as it would be, a moment after each key."""
    timer: list[Worker[None]] = []

    async def show(text: str) -> None:
        await asyncio.sleep(_TYPING)
        made = await review.store.do(partial(in_other_words, suggestion=suggestion, words=text.strip()))
        review.show_instead(made)
        review.app.note(told_of(made.error))

    def told(text: str) -> None:
        stop()
        timer[:] = [review.app.begin(partial(show, text))]

    def stop() -> None:
        for worker in timer:
            worker.cancel()

    try:
        return await ask_words(review.app, words, told=told)
    finally:
        stop()


async def _is_settled(review: FullReview, made: Ready) -> bool:
    """Show a suggestion in the user's words, and do what they say; False where they go on editing."""
    if made.shown is None:
        return True
    review.show_instead(made)
    if steps.why_own(made.shown):
        key = "y" if await is_agreed(review, made.shown) else ""
    else:
        key = await ask(review.app, "apply this version?", {"y": "apply", "e": "edit again", "n": "discard the edit"})
    if key == "y":
        await write(review, [made.shown.suggestion])
    elif key != "e":
        _discard(review, "not applied; the edit was discarded")
    return key != "e"


async def edit_outside(review: FullReview) -> None:
    """Open the user's editor on the words, or on the file where there are none."""
    changed = (await review.shown()).suggestion
    while True:
        try:
            with review.app.suspend():
                text = text_of_editor(changed, patch=False)
        except SuspendNotSupported:
            raise MemsuggestError("cannot open an editor in this terminal", hint="press `e` to edit here") from None
        if text is None:
            _discard(review, "nothing was changed")
            return
        job = partial(with_new_text, suggestion=changed, text=text, patch=False)
        changed = await review.do("updating the diff", job)
        if await _is_settled(review, ready_from(with_danger(Shown(suggestion=changed)))):
            return


async def choose_place(review: FullReview) -> None:
    suggestion = (await review.shown()).suggestion
    index = await review.do("finding other places", lambda _context: review.prepared.ranked())
    found = await review.do("finding other places", lambda _context: other_places(suggestion, index))

    def draw(page: Page) -> None:
        for number, place in enumerate(found, 1):
            page.line((f"  {number}  ", "bold"), (place_name(place), "cyan"), hang=5)
        page.line(("  t  ", "bold"), "type a file, a heading or both, for example `AGENTS.md#Testing`", hang=5)

    keys = {str(number): "" for number in range(1, len(found) + 1)}
    key = await ask(review.app, "move where?", keys | {"t": "type a place", "n": "cancel"}, draw=draw)
    place = found[int(key) - 1] if key.isdecimal() else None
    text = await ask_line(review.app, "place:") if key == "t" else None
    if text and text.strip():
        place = typed_place(text, here=suggestion.edit.path, known=list(index.by_uri))
        missing = await review.do("checking the place", partial(what_is_new, suggestion=suggestion, place=place))
        if missing:
            is_made = await agrees(review.app, f"{missing}: create it?")
            place = replace(place, makes=True) if is_made else None
    if place is None:
        review.app.note("not moved")
    else:
        await _move(review, suggestion, place)


async def _move(review: FullReview, suggestion: MemorySuggestion, place: PlaceChoice) -> None:
    moved = await review.do("moving the suggestion", partial(move, suggestion=suggestion, place=place))
    review.places.pop(suggestion.id, None)
    await review.load(go_to=[suggestion.id])
    to = where(moved.suggestion)
    review.app.note(f"not moved, already at {to}" if moved.stays else f"moved to {to}; press `u` to undo")


async def replace_line(review: FullReview) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    suggestion = (await review.shown()).suggestion
    line = await review.do(
        "finding the conflicting line", lambda context: colliding_line(context, suggestion, review.prepared.read())
    )

    def draw(page: Page) -> None:
        page.line((f"{line.uri}:{line.line}", "cyan"), f"  {line.raw.strip()}", hang=2)

    if not await agrees(review.app, "replace this line with the rule?", draw=draw):
        review.app.note("not changed")
        return
    made = await review.do("replacing the line", partial(sharpen, suggestion=suggestion, existing_rule=line))
    await review.load(go_to=[suggestion.id])
    review.app.note(f"the rule now replaces line {line.line} of {made.edit.path}")


async def take_place(review: FullReview, *, number: int) -> None:
    """Move it to one of the places that stand below the rule, and stay with it."""
    suggestion = (await review.shown()).suggestion
    places = review.places.get(suggestion.id, [])
    if number == 1:
        review.app.note(f"already at {where(suggestion)}")
    elif number - 2 < len(places):
        await _move(review, suggestion, places[number - 2])
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
    patterns = await ask_line(review.app, "applies to files:", text=found["patterns"])
    if not patterns or not patterns.strip() or '"' in patterns:
        review.app.note("nothing was changed")
        return
    changed = with_text(
        suggestion, after[: found.start("patterns")] + patterns.strip() + after[found.end("patterns") :]
    )
    await _is_settled(review, ready_from(Shown(suggestion=changed)))


async def choose_command(review: FullReview) -> None:
    """Show all commands by name, narrowed by what is typed; the chosen one is done next."""
    at = await pick(review.app, "command:", [(name, key) for key, (name, _) in COMMANDS.items()], narrows=True)
    if at >= 0:
        review.app.press(list(COMMANDS)[at])


Action = Callable[[FullReview], Awaitable[None]]
COMMANDS: dict[str, tuple[str, Action | None]] = {
    "y": ("apply", apply_it),
    "n": ("leave pending and continue", put_off),
    "d": ("dismiss everywhere", partial(dismiss, only_here=False)),
    "h": ("dismiss for this file only", partial(dismiss, only_here=True)),
    "e": ("edit the rule here", edit),
    "E": ("edit in your editor", edit_outside),
    "g": ("change which files a new instructions file applies to", edit_apply_to),
    "1": ("use the suggested place", partial(take_place, number=1)),
    "2": ("move to the second place", partial(take_place, number=2)),
    "3": ("move to the third place", partial(take_place, number=3)),
    "m": ("move elsewhere", choose_place),
    "s": ("replace the conflicting line", replace_line),
    "w": ("show all evidence and the full diff", whole),
    "a": ("apply all suggestions for this file", apply_file),
    "D": ("dismiss all suggestions from this chat", partial(dismiss_chat, never_again=False)),
    "x": (
        "dismiss all suggestions from this chat, and never read that chat again",
        partial(dismiss_chat, never_again=True),
    ),
    "u": ("undo the last decision", undo),
    "/": ("search", search),
    "f": ("filter", choose_filter),
    "escape": ("show all again", all_again),
    "tab": ("switch panes", None),
    "?": ("show all keys", show_help),
    "q": ("quit", whole),  # where all of it is shown, that is left; else `walk` ends
}
"""By their keys, the commands with their names in the palette, and what decides or asks something."""
ACTIONS = {key: action for key, (_, action) in COMMANDS.items()} | {":": choose_command, "ctrl+p": choose_command}
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
SCROLLING = {"up": -1, "down": 1, "k": -1, "j": 1}
"""Keys that scroll what is read while the arrows act on it."""


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
        review.choose_filter(key.removeprefix("filter "))
    elif press.event is not None and key != "paste":
        told = "Enter has no effect; press `y` to apply" if key == "enter" else f"`{one_line(key)}` has no effect here"
        app.note(f"{told}; press `?` for all keys")


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
        review.app.note(told_of(error))


async def _ahead(review: FullReview) -> None:
    with suppress(MemsuggestError):  # the decision that needs it says so
        await asyncio.sleep(LOOK)
        await review.compare_ahead()
