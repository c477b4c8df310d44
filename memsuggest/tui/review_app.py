"""The screen of a review: what stands where, the keys in their turn, and questions. It decides nothing."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.message_pump import MessagePump
from textual.widgets import Input, TextArea
from textual.worker import Worker, WorkerFailed

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.render.page import BAD, FAINT, GOOD, HEAD, KeptPage, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.suggestions.decision_dialogs import Draw
from memsuggest.tui.widgets import Bar, Entry, RowsView, SuggestionList

INTERRUPTED = 130
TWO_PANES = 80  # columns from which the list and the suggestion stand side by side
LEAST = (40, 12)  # columns and rows below which nothing can be decided
_SIGN_AFTER = 0.1  # seconds after which it is said what is being done
_TITLES = ("Suggestions", "Change")
_CSS = """
Screen { layout: vertical; background: ansi_default; color: ansi_default; }
#panes { height: 1fr; }
#list { width: 36%; min-width: 28; max-width: 64; border-top: solid ansi_default; }
#detail { width: 1fr; padding: 0 0 0 1; border-left: solid ansi_default; border-top: solid ansi_default; }
#list, #detail { border-title-style: dim; }
.two #list, .two.focused #detail, .one #list, .one #detail { border-title-style: bold; }
.two.focused #list { border-title-style: dim; }
#panel, #typed, #words, #small { display: none; }
#panel { border-top: solid ansi_default; height: auto; }
#typed { border: none; height: 1; padding: 0; background: ansi_default; }
#words { border: none; border-top: solid ansi_default; height: 6; padding: 0; background: ansi_default; }
#notes { height: 1; }
#keys { height: 1; }
.one #detail { border-left: none; padding: 0; }
.one.reading #list { display: none; }
.one.listing #detail { display: none; }
.one #list { width: 1fr; max-width: 100%; }
.whole #list { display: none; }
.whole #detail { border-left: none; padding: 0; display: block; }
.small #panes, .small #panel, .small #bar, .small #notes, .small #keys, .small #typed, .small #words { display: none; }
.small #small { display: block; height: 1fr; }
"""


class Press(NamedTuple):
    """A key that was pressed, or a row or a text by the mouse."""

    key: str
    """A letter as it is, or the name of another key; of the mouse `row`, `panel` or `filter …`."""
    event: events.Event | None = None
    row: int = -1


class ReviewApp(App[int], inherit_bindings=False):
    """List, suggestion, panel for questions, notes, and the keys."""

    CSS = _CSS
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE = False
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self._named: Callable[[str], str] = getattr(sys.stdout, "named", str)  # before the screen takes stdout over
        self.walk: Callable[[], Coroutine[None, None, None]] | None = None
        """What is done from the opening to the end."""
        self._presses: asyncio.Queue[Press] = asyncio.Queue()
        self._notes: tuple[str, ...] = ()
        self._sign = ""
        self.draw_keys: Callable[[], None] = lambda: None
        """Shows the keys that do something while nothing is asked; whoever walks sets it."""
        self.list = SuggestionList()
        self.detail, self.panel, self.notes = RowsView("detail"), RowsView("panel"), RowsView("notes")
        self.small = RowsView("small")
        self.notes.redraw = self._draw_notes
        self.bar, self.keys = Bar("bar"), Bar("keys")
        self.list.pressed, self.panel.pressed = partial(self.press, "row"), partial(self.press, "panel")
        self.bar.pressed = self.keys.pressed = self.press
        self.typed, self.words = Input(id="typed"), TextArea(id="words", soft_wrap=True, show_line_numbers=False)

    def compose(self) -> ComposeResult:
        yield self.bar
        yield Horizontal(self.list, self.detail, id="panes")
        yield self.panel
        yield self.words
        yield self.typed
        yield self.notes
        yield self.keys
        yield self.small

    def on_mount(self) -> None:
        self.screen.add_class("reading")
        self.list.border_title, self.detail.border_title = _TITLES
        self.screen.can_focus = False
        self.typed.cursor_blink = self.words.cursor_blink = False
        for number in (getattr(signal, name, None) for name in ("SIGHUP", "SIGTERM")):
            if number is not None and sys.platform != "win32":
                asyncio.get_running_loop().add_signal_handler(number, self.exit, 128 + number)
        if self.walk:
            self.begin(self.walk)

    def begin(self, job: Callable[[], Coroutine[None, None, None]], *, only: str = "") -> Worker[None]:
        """Do something beside the keys, in the place of another job of the kind `only`; an error ends the review."""
        return self.run_worker(job, exit_on_error=True, group=only or "default", exclusive=bool(only))

    @property
    def failure(self) -> BaseException | None:
        error = self._exception
        return error.error if isinstance(error, WorkerFailed) else error

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    # --- keys, each in its turn ---------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Keep keys until whoever asks for them is ready; only Ctrl-C and Ctrl-Z are heard at once."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if isinstance(event, events.Key) and event.key == "ctrl+c":
                self.exit(INTERRUPTED)
                return
            if isinstance(event, events.Key) and event.key == "ctrl+z":
                self.action_suspend_process()
                return
            letter = event.character if isinstance(event, events.Key) and event.is_printable else None
            name = event.key if isinstance(event, events.Key) else "paste"
            self._presses.put_nowait(Press(letter or name, event))
            return
        await super().on_event(event)

    def press(self, key: str, row: int = -1) -> None:
        self._presses.put_nowait(Press(key, row=row))

    async def next_press(self) -> Press:
        return await self._presses.get()

    # --- what stands where ---------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Show both panes where there is room for them, else one, else what is missing."""
        columns, rows = event.size
        is_small = columns < LEAST[0] or rows < LEAST[1]
        self.screen.set_class(is_small, "small")
        self.screen.set_class(columns < TWO_PANES, "one")
        self.screen.set_class(columns >= TWO_PANES, "two")
        needs = f"review needs {LEAST[0]} columns and {LEAST[1]} rows; press `q` to quit"
        text = f"a {columns} × {rows} terminal is too small: {needs}"
        self.small.show(self.rows_of(lambda page: page.line(text), columns - 1))

    @property
    def is_reading(self) -> bool:
        """Tell whether the arrows scroll the suggestion; otherwise they choose another one."""
        return self.screen.has_class("focused") and self.screen.has_class("two")

    def turn_over(self) -> None:
        """Let the keys act on the other pane, which is shown alone where there is no room for both."""
        if self.screen.has_class("two"):
            self.screen.toggle_class("focused")
            self.list.border_title, self.detail.border_title = (
                ("Suggestions", "Change ▸ arrows scroll, tab goes back") if self.is_reading else _TITLES
            )
        else:
            self.screen.toggle_class("reading", "listing")

    def rows_of(self, draw: Draw, width: int) -> list[Text]:
        page = KeptPage(width, named=self._named)
        draw(page)
        return page.rows

    def show_panel(self, draw: Draw) -> None:
        def again() -> None:
            rows = self.rows_of(draw, max(20, self.size.width - 1))
            self.panel.styles.height = min(len(rows) + 1, max(3, self.size.height * 6 // 10))
            self.panel.show(rows, is_same=self.panel.display)
            self.panel.display = True

        self.panel.redraw = again
        again()

    def hide_panel(self) -> None:
        self.panel.redraw = lambda: None
        self.panel.display = False
        self.panel.show(())

    def note(self, *notes: str) -> None:
        """Say what was done, or went wrong, until something else is said."""
        self._notes = notes
        self._draw_notes()

    def _draw_notes(self) -> None:
        def draw(page: Page) -> None:
            for note in [f"{self._sign} …"] if self._sign else self._notes:
                is_bad = note.startswith("error: ")
                page.line((one_line(note, limit=4 * page.size[0]), "" if self._sign else BAD if is_bad else GOOD))

        rows = self.rows_of(draw, max(1, self.size.width))
        self.notes.styles.height = max(1, min(4, len(rows)))
        self.notes.show(rows)

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Say what is being done, once it takes longer than a moment."""

        def say() -> None:
            self._sign = what
            self._draw_notes()

        timer = self.set_timer(_SIGN_AFTER, say)
        try:
            yield
        finally:
            timer.stop()
            if self._sign:
                self._sign = ""
                self._draw_notes()

    # --- questions -----------------------------------------------------------------------------------------------

    def show_answers(self, question: str, answers: Mapping[str, str]) -> None:
        """Show a question with its answers, of a question without their meaning where there is no room for it."""
        head = [Entry("", Text(one_line(question), style=HEAD))] if question else []
        keys = [
            (key, (key.replace("escape", "esc"), HEAD), f" {what}" if what else "") for key, what in answers.items()
        ]
        whole = [Entry(key, Text.assemble(name, what)) for key, name, what in keys]
        short = [Entry(key, Text.assemble(name)) for key, name, _ in keys] if question else whole
        self.keys.show(head + whole, short=head + short)

    @contextmanager
    def _asking(
        self, question: str, answers: Mapping[str, str], draw: Draw | None, field: Input | TextArea | None = None
    ) -> Iterator[None]:
        if draw:
            self.show_panel(draw)
        self.show_answers(question, answers)
        if field:
            field.display = True
            self.screen.set_focus(field)
        try:
            yield
        finally:
            if self.screen_stack:  # else the whole screen is gone already
                if field:
                    self.screen.set_focus(None)
                    field.display = False
                if draw:
                    self.hide_panel()
                self.draw_keys()

    async def ask(self, question: str, answers: Mapping[str, str], draw: Draw | None = None) -> str:
        """Ask for one key; an empty answer for one that leaves it. Whatever else is pressed is no answer."""
        with self._asking(question, answers, draw):
            while True:
                press = await self.next_press()
                key = press.key if press.key in answers else press.key.lower()
                if key in answers:
                    return key
                if key in _LEAVE:
                    return ""
                if key in _SCROLLING:
                    self.panel.scroll_rows(_SCROLLING[key])
                elif press.event is not None and key != "paste":
                    pressed = one_line(press.key)
                    self.note(f"`{pressed}` is not a valid answer: press {', '.join(answers)}, or Esc to cancel")

    async def ask_line(
        self,
        question: str,
        *,
        draw: Draw | None = None,
        text: str = "",
        on_change: Callable[[str], object] = lambda _text: None,
    ) -> str | None:
        """Ask for a line, ended with Enter; None where it is left with escape. `on_change` hears every change."""
        self.typed.value, self.typed.cursor_position = text, len(text)
        return await self._fill(question, self.typed, lambda: self.typed.value, on_change, draw)

    async def ask_words(self, text: str, *, on_change: Callable[[str], object]) -> str | None:
        """Let the user change some words in place; None where they leave it. `on_change` hears every change."""
        self.words.load_text(text)
        self.words.move_cursor(self.words.document.end)
        return await self._fill("edit the rule:", self.words, lambda: self.words.text, on_change)

    async def _fill(
        self,
        question: str,
        field: Input | TextArea,
        value: Callable[[], str],
        on_change: Callable[[str], object],
        draw: Draw | None = None,
    ) -> str | None:
        with self._asking(question, {"enter": "done", "escape": "cancel"}, draw, field):
            while (press := await self.next_press()).key not in {"enter", "ctrl+s", "escape"}:
                if press.event is not None:
                    done = asyncio.Event()
                    field._forward_event(press.event)
                    _after([*field.ancestors_with_self], done.set)
                    await done.wait()
                on_change(value())
            return None if press.key == "escape" else value()

    async def pick(self, question: str, labels: list[tuple[str, str]], *, narrows: bool = False) -> int:
        """Let a person choose one of many rows with the arrows or the mouse; -1 for none. A view, not a decision.

        With `narrows`, letters that are typed leave the rows that have them.
        """
        at, typed, rows = 0, "", list(range(len(labels)))
        answers = {"↑↓": "choose", "enter": "select", "escape": "cancel"}

        def draw(page: Page) -> None:
            for place, row in enumerate(rows):
                name, style = (
                    (f"› {one_line(labels[row][0])}", HEAD) if place == at else (f"  {one_line(labels[row][0])}", "")
                )
                page.line((name, style), (f"  {labels[row][1]}", FAINT))

        with self._asking(question, answers, draw):
            while True:
                key, _, row = await self.next_press()
                if key == "panel" and 0 <= row < len(rows):
                    return rows[row]
                if key == "enter":
                    return rows[at] if at < len(rows) else -1
                if key == "escape" or (key.lower() in _LEAVE and not narrows):
                    return -1
                if narrows and (len(key) == 1 or key == "backspace"):
                    typed, at = (typed[:-1] if key == "backspace" else typed + key.casefold()), 0
                    rows = [row for row, (label, _) in enumerate(labels) if typed in label.casefold()]
                    self.show_answers(f"{question} {typed}", answers)
                else:
                    step = _CHOOSING.get(key, 0) if key != "home" else -at
                    at = max(0, min(len(rows) - 1, at + step))
                self.panel.redraw()
                self.panel.scroll_to(y=max(0, at - 4), animate=False, immediate=True)


_LEAVE = frozenset({"escape", "q", "n", "ctrl+d"})  # keys that leave a question without an answer
_SCROLLING = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "space": 8, " ": 8}
_CHOOSING = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -8, "pagedown": 8, "end": 1 << 30}


def _after(nodes: Sequence[MessagePump], done: Callable[[], object]) -> None:
    if nodes:
        nodes[0].call_later(_after, nodes[1:], done)
    else:
        done()


def error_line(error: MemsuggestError | None) -> str:
    hint = f" ({error.hint})" if error and error.hint else ""
    return f"error: {error.message}{hint}" if error else ""
