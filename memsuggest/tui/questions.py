"""Questions below the panes: one key as an answer, a line, some words. Enter is never the answer to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.text import Text
from textual.widget import Widget

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.render.page import FAINT, HEAD, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.tui.review_app import Press, ReviewApp
from memsuggest.tui.widgets import Entry

Draw = Callable[[Page], object]

LEAVE = frozenset({"escape", "q", "n", "ctrl+d"})
"""Keys that leave a question without an answer."""
_SCROLLING = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "space": 8, " ": 8}


def show_answers(app: ReviewApp, question: str, answers: Mapping[str, str]) -> None:
    """Show a question with its answers, of a question without their meaning where there is no room for it."""
    short = keys_of(question, dict.fromkeys(answers, "")) if question else ()
    app.show_keys(keys_of(question, answers), short=short)


def keys_of(question: str, answers: Mapping[str, str]) -> list[Entry]:
    """Return a question with its answers, as the row of keys shows them."""
    told = [Entry("", Text(one_line(question), style=HEAD))] if question else []
    return told + [Entry(key, Text.assemble((key, HEAD), f" {what}" if what else "")) for key, what in answers.items()]


async def ask(app: ReviewApp, question: str, answers: Mapping[str, str], *, draw: Draw | None = None) -> str:
    """Ask for one key; an empty answer for one that leaves it. Whatever else is pressed is no answer."""
    if draw:
        app.show_panel(draw)
    show_answers(app, question, answers)
    try:
        while True:
            press = await app.next_press()
            key = press.key if press.key in answers else press.key.lower()
            if key in answers:
                return key
            if press.key.lower() in LEAVE:
                return ""
            if press.key in _SCROLLING:
                app.panel.scroll_rows(_SCROLLING[press.key])
            elif press.event is not None and press.key != "paste":
                app.note(
                    f"`{one_line(press.key)}` is not a valid answer: press {', '.join(answers)}, or escape to cancel"
                )
    finally:
        _end(app, has_panel=draw is not None)


async def agrees(app: ReviewApp, question: str, *, draw: Draw | None = None) -> bool:
    return await ask(app, question, {"y": "yes", "n": "no"}, draw=draw) == "y"


async def ask_line(
    app: ReviewApp,
    question: str,
    *,
    draw: Draw | None = None,
    text: str = "",
    told: Callable[[str], None] | None = None,
) -> str | None:
    """Ask for a line, ended with Enter; None where it is left with escape. `told` hears of every change."""
    if draw:
        app.show_panel(draw)
    show_answers(app, question, {"enter": "done", "escape": "cancel"})
    field = app.typed
    field.value, field.cursor_position = text, len(text)
    field.display = True
    app.screen.set_focus(field)
    try:
        while (press := await app.next_press()).key not in {"enter", "escape"}:
            await app.feed(field, press)
            if told:
                told(field.value)
        return field.value if press.key == "enter" else None
    finally:
        _end(app, field, has_panel=draw is not None)


async def ask_words(app: ReviewApp, text: str, *, told: Callable[[str], None]) -> str | None:
    """Let a person change some words in place; None where they leave it. `told` hears of every change."""
    answers = {"enter": "done", "escape": "cancel"}
    show_answers(app, "edit the rule:", answers)
    field = app.words
    field.load_text(text)
    field.move_cursor(field.document.end)
    field.display = True
    app.screen.set_focus(field)
    try:
        while (press := await app.next_press()).key not in {"enter", "ctrl+s", "escape"}:
            await app.feed(field, press)
            told(field.text)
        return None if press.key == "escape" else field.text
    finally:
        _end(app, field)


async def pick(app: ReviewApp, question: str, labels: list[tuple[str, str]], *, narrows: bool = False) -> int:
    """Let a person choose one of many rows with the arrows or the mouse; -1 for none. A view, not a decision.

    With `narrows`, letters that are typed leave the rows that have them.
    """
    at, typed = 0, ""

    def shown() -> list[int]:
        return [number for number, (label, _) in enumerate(labels) if typed in label.casefold()]

    def draw(page: Page) -> None:
        for number, (label, count) in enumerate(labels[one] for one in shown()):
            is_chosen = number == at
            page.line(
                (f"{'›' if is_chosen else ' '} {one_line(label)}", HEAD if is_chosen else ""), (f"  {count}", FAINT)
            )

    app.show_panel(draw)
    show_answers(app, question, {"↑↓": "choose", "enter": "select", "escape": "cancel"})
    try:
        while True:
            press = await app.next_press()
            rows = shown()
            if press.key == "panel" and 0 <= press.row < len(rows):
                return rows[press.row]
            if press.key == "enter":
                return rows[at] if at < len(rows) else -1
            if press.key == "escape" or (press.key.lower() in LEAVE and not narrows):
                return -1
            if narrows and (len(press.key) == 1 or press.key == "backspace"):
                typed, at = (typed[:-1] if press.key == "backspace" else typed + press.key.casefold()), 0
                show_answers(app, f"{question} {typed}", {"↑↓": "choose", "enter": "select", "escape": "cancel"})
            else:
                at = _moved(at, press, len(rows))
            app.panel.redraw()
            app.panel.scroll_to(y=max(0, at - 4), animate=False, immediate=True)
    finally:
        _end(app, has_panel=True)


def told_of(error: MemsuggestError | None) -> str:
    """Return what is told of an error; nothing for none."""
    if error is None:
        return ""
    return f"error: {error.message}" + (f" ({error.hint})" if error.hint else "")


def _end(app: ReviewApp, field: Widget | None = None, *, has_panel: bool = False) -> None:
    """Take a question away, and show the keys of the review again; unless the whole screen is gone already."""
    if not app.screen_stack:
        return
    if field:
        app.screen.set_focus(None)
        field.display = False
    if has_panel:
        app.hide_panel()
    app.draw_keys()


def _moved(at: int, press: Press, count: int) -> int:
    step = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -8, "pagedown": 8, "home": -count, "end": count}
    return max(0, min(count - 1, at + step.get(press.key, 0)))
