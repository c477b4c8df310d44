"""A review on the whole screen, key by key: what each decides, that it is taken back, and that no key is lost."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run as RunCommand
from cli.conftest import editor, invoke, pending, refused, suggestions
from cli.test_review import AGENTS, RULES, what_is_known
from textual.pilot import Pilot

from memsuggest.cli.run import Run
from memsuggest.files.lock import owner_of
from memsuggest.suggestions.decision_dialogs import Prepared
from memsuggest.suggestions.marker_files import mark_path
from memsuggest.tui import review_full_screen
from memsuggest.tui.full_review import FullReview, StoreThread
from memsuggest.tui.key_actions import walk
from memsuggest.tui.review_app import ReviewApp

PATIENCE = 60.0
HOOK = "Whenever you edit a Python file, always run `ruff format .`"
MARKUP = "Always write red [bold]labels[/bold] in UTC, never in local time."
HOSTILE = "why does it print \x1b[31mred\x1b[0m labels in \u202eUTC\u202c?"


@pytest.fixture
def cellar(run: RunCommand, git_repo: Path, home: Path) -> Path:
    """A repo in which three rules wait that were said in one chat, and a hook that was said in another."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    subprocess.run(["git", "-C", str(git_repo), "add", "-A"], check=True)
    claude_session(home, git_repo, *RULES)
    claude_session(home, git_repo, HOOK, session="33333333-aaaa-4bbb-8ccc-222222222222", day=2)
    run("reconcile")
    assert len(pending()) == 4, pending()
    return git_repo


class Screen:
    """A person at the screen: presses keys, and waits for what is to be seen."""

    def __init__(self, review: FullReview, pilot: Pilot[int]) -> None:
        self.review, self.pilot = review, pilot

    @property
    def text(self) -> str:
        """All that is on the screen, row by row."""
        rows = self.review.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in row) for row in rows)

    async def sees(self, *words: str) -> None:
        """Wait until all of these are on the screen, however its rows are broken."""
        await self.until(lambda: all(word in self.flat for word in words), words)

    @property
    def flat(self) -> str:
        return re.sub(r"[\s│]+", " ", self.text)

    async def until(self, is_so: Callable[[], bool], what: object = "") -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end and self.review.app.is_running, f"{what} did not come, but:\n{self.text}"
            await asyncio.sleep(0.01)

    async def press(self, *keys: str, sees: str = "") -> None:
        """Press keys one after the other, without waiting in between; then wait for what is to be seen."""
        for key in keys:
            await self.pilot.press(key)
        await self.sees(sees)

    async def scrolls_to(self, words: str) -> None:
        """Press the key until the words are on the screen, as whoever is faster than the screen has to."""
        end = time.monotonic() + PATIENCE
        while words not in self.flat and time.monotonic() < end:
            await self.pilot.press("pagedown")
            await asyncio.sleep(0.05)

    async def types(self, text: str, *, sees: str = "") -> None:
        await self.press(*(partial_key(letter) for letter in text), sees=sees)


def partial_key(letter: str) -> str:
    """What textual calls a letter."""
    from textual.keys import _character_to_key

    return _character_to_key(letter)


Steps = Callable[[Screen], Awaitable[None]]


def at_screen(steps: Steps, *, size: tuple[int, int] = (110, 34), words: tuple[str, ...] = ()) -> None:
    """Open a review on a screen of a size, and do something there."""

    async def go() -> None:
        context = Run().context()
        store, app = StoreThread(context), ReviewApp()
        review = FullReview(app, store, Prepared(context), words)
        app.walk = partial(walk, review, is_maybe=False)
        try:
            async with app.run_test(size=size) as pilot:
                screen = Screen(review, pilot)
                await screen.until(lambda: review.is_open, "opening")
                await steps(screen)
        finally:
            store.finish(lambda _context: None)

    asyncio.run(go())


async def taken_back(screen: Screen, verb: str, before: object, files: dict[str, bytes], repo: Path) -> None:
    """What was decided has changed something, and `u` makes all as it was."""
    assert what_is_known() != before, verb
    await screen.press("u", sees=f"undone: {verb}")
    assert what_is_known() == before, verb
    assert tree(repo) == files, verb


def test_what_each_key_decides_is_taken_back(cellar: Path) -> None:
    """Apply, dismiss, here, edit, move, type a place, swap, a whole file, a chat: each key, and its undo."""
    files, known = tree(cellar), what_is_known()

    async def steps(screen: Screen) -> None:
        await screen.sees("@@", "Always use pnpm, never npm.", "In the chat", "▸ 1 you: Always use pnpm")
        undone = partial(taken_back, screen, before=known, files=files, repo=cellar)
        await screen.press("y", sees="applied: Always use pnpm")
        await undone("applied")
        await screen.press("d", sees="dismissed everywhere: Always use pnpm")
        await undone("dismissed")
        await screen.press("h", sees="dismissed for AGENTS.md")
        await undone("dismissed")
        await screen.press("e", sees="edit the rule:")
        await screen.types(" Really", sees="+- Always use pnpm, never npm. Really")  # the change, while it is typed
        await screen.press("enter", sees="apply this version?")
        await screen.press("enter", sees="`enter` is not a valid answer")
        await screen.press("y", sees="applied: Always use pnpm, never npm. Really")
        assert "never npm. Really" in (cellar / "AGENTS.md").read_text(encoding="utf-8")
        await undone("applied")
        await screen.press("m", sees="move where?")
        await screen.press("2", sees="moved to AGENTS.md ›")
        await undone("moved")
        await screen.press("m", "t", sees="place:")
        await screen.types("#Packages")
        await screen.press("enter", sees="has no heading `Packages`: create it?")
        await screen.press("y", sees="moved to AGENTS.md › Packages (new heading)")
        await undone("moved")
        await screen.press("s", sees="replace this line with the rule?")
        await screen.press("y", sees="the rule now replaces line")
        await undone("moved")
        await screen.press("a", sees="apply these 3 to AGENTS.md?")
        await screen.press("y", sees="applied: 1 more")
        await undone("applied")
        for key, verb in (("D", "dismissed"), ("x", "dismissed a chat")):
            await screen.press(key, sees="dismiss these 3 from the chat from 2026-03-01 10:00")
            await screen.press("y", sees="dismissed 3 suggestions from the chat")
            await undone(verb)
        await screen.press("u", sees="there is nothing to undo")

    at_screen(steps)


def test_what_is_left_decides_nothing(cellar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter, keys without a meaning, escape and `n` in every question leave files and stores as they are."""
    monkeypatch.setenv("EDITOR", editor(tmp_path, ""))
    files, known = tree(cellar), what_is_known()

    async def steps(screen: Screen) -> None:
        await screen.sees("@@")
        await screen.press("enter", sees="Enter has no effect")
        await screen.press("Z", sees="`Z` has no effect here")
        for key, question in (
            ("m", "move where?"),
            ("s", "replace this line with the rule?"),
            ("a", "apply these"),
            ("x", "never read"),
        ):
            await screen.press(key, sees=question)
            await screen.press("enter", sees="`enter` is not a valid")
            await screen.press("n", sees="w why")
        for keys in (
            ("e", "escape"),
            ("m", "t", "escape"),
            ("f", "escape"),
            ("slash", "escape"),
            ("question_mark", "x"),
        ):
            await screen.press(*keys, sees="w why")
        await screen.press("w", sees="diff --git a/AGENTS.md b/AGENTS.md")
        await screen.sees("esc back")
        for back in ("w", "escape", "q"):
            await screen.press(back, sees="AGENTS.md (3)")
            await screen.press("w", sees="esc back")
        await screen.press("q", sees="AGENTS.md (3)")
        await screen.press("n", "k", "down", "up", "end", "home", "right", "left", "pagedown", sees="w why")

    at_screen(steps)
    assert what_is_known() == known
    assert tree(cellar) == files


def test_what_runs_a_command_takes_the_whole_word(cellar: Path) -> None:
    """One key, `y` and Enter, or a half word write no hook; `yes` does."""

    async def steps(screen: Screen) -> None:
        await screen.press("end", "up", sees="executable configuration")
        for word in ("", "y", "no", "yess"):
            await screen.press("end", "up", "y", sees="assistants will run `ruff format .` after every tool use")
            await screen.types(word)
            await screen.press("enter", sees="not applied, still pending")
        assert len(pending()) == 4
        await screen.press("end", "up", "y", sees="type `yes` to write the file")
        await screen.types("yes")
        await screen.press("enter", sees="applied: Whenever you edit a Python file")

    at_screen(steps)
    assert len(pending()) == 3


def test_an_edit_that_needs_the_whole_word_is_shown_first(cellar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `yes` would write stands on the screen, also where no preview came while it was typed."""
    monkeypatch.setattr("memsuggest.tui.key_actions._TYPING", PATIENCE)

    async def steps(screen: Screen) -> None:
        await screen.press("e", sees="edit the rule:")
        await screen.types(" Turn off certificate checks.")
        await screen.press("enter", sees="type `yes` to write the file")
        await screen.sees("certificate checks")
        await screen.types("no")
        await screen.press("enter", sees="not applied; the edit was discarded")

    at_screen(steps)
    assert len(pending()) == 4


def test_keys_typed_ahead_are_not_lost(cellar: Path) -> None:
    """Whoever knows what comes types a whole review at once, words and answers too."""

    async def steps(screen: Screen) -> None:
        for key in [
            *"nydu",
            "home",
            "m",
            "t",
            *map(partial_key, "#Releases"),
            "enter",
            "e",
            *"ab",
            "backspace",
            "enter",
            "y",
        ]:
            screen.pilot.app.post_message(_key(key))
        await screen.sees("applied: Always use pnpm, never npm.a. → AGENTS.md › Releases")

    at_screen(steps)
    text = (cellar / "AGENTS.md").read_text(encoding="utf-8")
    assert "only from main.\n- Always use pnpm, never npm.a.\n" in text
    assert "Never mock the database" in text  # the second, by `y`
    assert len(pending()) == 2


def _key(name: str) -> object:
    from textual.events import Key

    return Key(name, name if len(name) == 1 else {"number_sign": "#"}.get(name))


def test_others_decide_meanwhile(cellar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list follows, the place stays; and no key decides about what stepped into the place of another one."""
    monkeypatch.setattr("memsuggest.tui.full_review.LOOK", 0.05)
    first = str(suggestions()[0]["id"])

    async def steps(screen: Screen) -> None:
        await screen.press("down", sees="+- Never mock the database in tests.")
        invoke("dismiss", first)
        await screen.sees("AGENTS.md (2)", "+- Never mock the database in tests.")
        (cellar / "AGENTS.md").write_text(AGENTS + "- Say ahoy.\n", encoding="utf-8")
        await screen.sees("the file has changed")
        await screen.press("y", sees="applied: Never mock the database in tests.")
        item = screen.review.item
        assert item
        invoke("dismiss", item.id)
        await screen.sees("no longer pending: Never log")
        await screen.press("y", "d", sees="nothing is selected")
        assert len(pending()) == 1
        await screen.press("down", sees="Whenever you edit")
        await screen.press("d", sees="Make Claude Code read")
        await screen.press("d", sees="All caught up! ✓")

    at_screen(steps)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_every_size_shows_what_it_takes_to_decide(cellar: Path, size: tuple[int, int]) -> None:
    """The rule, its place, its quote and the line that is added; in a narrow window one pane after the other."""

    async def steps(screen: Screen) -> None:
        await screen.sees("Always use pnpm, never npm.", "→ AGENTS.md › Conventions")
        await screen.until(lambda: screen.review.ready is not None, "the change of its file")
        for shown in ("+- Always use pnpm, never npm.", "1 you: Always use pnpm"):
            if size[1] < 24:
                await screen.scrolls_to(shown)
            await screen.sees(shown)
        if size[0] < 80:
            assert "AGENTS.md (3)" not in screen.text
            await screen.press("tab", sees="AGENTS.md (3)")
        await screen.pilot.resize_terminal(30, 8)
        await screen.sees("30 × 8 terminal is too small")
        await screen.pilot.resize_terminal(100, 30)
        await screen.sees("AGENTS.md (3)", "+- Always use pnpm, never npm.", "w why")

    at_screen(steps, size=size)


def test_filters_search_and_the_mouse(cellar: Path) -> None:
    """A chat, a kind, some words: each narrows the list; rows and keys can be pressed."""

    async def steps(screen: Screen) -> None:
        await screen.press("slash")
        await screen.types("mock chat", sees="No pending suggestion matches")
        await screen.press("escape", "slash")
        await screen.types("TESTS mock", sees="AGENTS.md (1)")
        await screen.press("enter", "escape", sees="AGENTS.md (3)")
        await screen.press("f", sees="chat from 02")
        await screen.press("end", "enter", sees="Whenever you edit")
        assert "AGENTS.md (3)" not in screen.flat
        await screen.press("escape", sees="AGENTS.md (3)")
        await screen.pilot.click("#list", offset=(5, 3))
        await screen.sees("+- Never mock the database in tests.")
        await screen.pilot.click("#keys", offset=(20, 0))
        await screen.sees("dismissed everywhere: Never mock the database in tests.")

    at_screen(steps)


def test_hostile_words_command_nothing(run: RunCommand, git_repo: Path, home: Path) -> None:
    """Markup stands there as it was typed; nothing that orders a terminal about, or turns text round, gets out."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    claude_session(home, git_repo, HOSTILE, MARKUP)
    run("reconcile")

    async def steps(screen: Screen) -> None:
        await screen.sees("[bold]labels[/bold]", "In the chat")
        await screen.press("e", sees="edit the rule:")
        await screen.press("escape", "a", sees="apply this one")
        await screen.press("n", "y", sees="applied: Always write red [bold]labels[/bold]")
        rows = screen.review.app.screen._compositor.render_strips()
        assert not any(re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e]", part.text) for row in rows for part in row)

    at_screen(steps)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
@pytest.mark.parametrize(("ends", "code"), [("q", 0), ("m\x03", 130), ("hangup", 129)])
def test_the_terminal_is_left_as_it_was(cellar: Path, tmp_path: Path, ends: str, code: int) -> None:
    """However it ends, lines are echoed again, the other screen is gone, and what was decided is kept.

    `E` gives the screen to the person's editor meanwhile; what it leaves is written after one more key.
    """
    from cli.terminal import Terminal

    command = editor(tmp_path, "path.write_text(path.read_text().replace('Always', 'Now', 1))")
    terminal = Terminal("review", TERM="xterm-256color", COLUMNS="100", LINES="30", EDITOR=command)
    before = terminal.flags()
    terminal.expect("In the chat")
    assert "\x1b[?1049h" in terminal.seen and terminal.flags() != before
    terminal.press("E").expect("apply this version?")
    terminal.press("y").expect("Now use pnpm")
    if ends == "hangup":
        context = Run().context()
        owner = owner_of(mark_path(context, "review"))
        context.close()
        assert owner
        os.kill(owner.pid, signal.SIGHUP)
    else:
        for key in ends:
            terminal.press(key)
            terminal.expect({"m": "move where?"}.get(key, ""))
    seen = terminal.end(code=code, check=lambda: terminal.flags() == before)
    assert "\x1b[?1049l" in seen.rpartition("In the chat")[2]
    assert len(pending()) == 3 and "- Now use pnpm" in (cellar / "AGENTS.md").read_text(encoding="utf-8")


def test_without_the_extra_it_says_what_to_do(cellar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--tui` names the extra and the command that installs it; without a terminal it says so."""
    refused("review", "--tui", says="not running in a terminal")
    monkeypatch.setitem(sys.modules, "textual", None)
    assert "pip install '.[tui]'" in refused("review", "--tui", says="needs the `tui` extra")
    assert review_full_screen.__doc__


def test_numbers_places_and_the_palette(cellar: Path) -> None:
    """What is decided stays in its row with a mark; `2` moves to the second place, `:` does what is named."""

    async def steps(screen: Screen) -> None:
        await screen.sees("or 2 ", "1 of 5 · 0 applied")
        rows = [getattr(row, "id", "") for row in screen.review.app.list.rows]
        item = screen.review.item
        assert item
        await screen.until(lambda: bool(screen.review.places.get(item.id)), "places")
        place = screen.review.places[item.id][0]
        await screen.press("m", sees="1 AGENTS.md › Conventions (current place)")  # the numbers of the pane
        await screen.sees(f"2 {place.uri} › {place.heading}", f"or 2 › {place.heading}")
        await screen.press("1", sees="not moved")
        await screen.press("2", sees=f"moved to {place.uri}")
        assert next(one for one in suggestions() if one["id"] == item.id)["heading"] == place.heading
        await screen.press("u", sees="1 of 5")
        await screen.press("y", sees="2 of 5 · 1 applied")
        await screen.press("colon", sees="leave pending and continue")
        await screen.types("dismiss every", sees="command: dismiss every")
        await screen.press("enter", sees="× Never mock the database")
        await screen.sees("✓ Always use pnpm", "3 of 5")
        assert [getattr(row, "id", "") for row in screen.review.app.list.rows] == rows
        chosen = screen.review.app.list.chosen
        await screen.press("tab", "down", sees="arrows scroll")
        assert screen.review.app.list.chosen == chosen
        await screen.press("tab", "u", sees="2 of 5")
        assert "× Never mock" not in screen.flat

    at_screen(steps, size=(140, 40))


def test_a_move_leaves_the_search_as_it_is(cellar: Path) -> None:
    """Who sorts what was found goes on with the next of it; only what is undone is shown in any case."""

    async def steps(screen: Screen) -> None:
        await screen.press("slash", sees="search:")
        await screen.types("agents.md", sees="3 in file")
        await screen.press("enter", sees="w why")
        await screen.press("m", "t", sees="place:")
        await screen.types("CLAUDE.md")
        await screen.press("enter", sees="create it?")
        await screen.press("y", sees="moved to CLAUDE.md")
        assert screen.review.words == "agents.md"
        await screen.press("u", sees="undone: moved")

    at_screen(steps, size=(140, 40))


def test_a_search_finds_maybes_and_says_where(cellar: Path, home: Path) -> None:
    """Sentences of low confidence come after what is pending, and the place of the words is named."""
    claude_session(home, cellar, "the importer should use the mock clock", session="44444444-aaaa-4bbb-8ccc-1", day=3)
    invoke("reconcile")

    async def steps(screen: Screen) -> None:
        await screen.press("slash")
        await screen.types("mock", sees="found: 1 in rule, 1 with low confidence")
        await screen.sees("low confidence (1)", "The importer should use")

    at_screen(steps, size=(140, 40))
