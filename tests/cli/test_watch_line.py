"""The person at the terminal: notices, talk, and a line of counts that is always the last one."""

from __future__ import annotations

import io
import sys

import pytest

from memsuggest.cli.run import Run
from memsuggest.core.config import Mode
from memsuggest.learning.watch_command import Terminal
from memsuggest.suggestions.status_report import Counts, Notice

COUNTS = Counts(mode=Mode.EAGER, transcripts=1_200, learned=1, pending=3)
LINE = "eager · 1,200 transcripts · 1 new fact learned · 3 pending"
NOTICE = Notice(text="Learned: 'x'", review="memsuggest show ab", suggestions=("ab12",))


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen_of(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Put a screen where everything is printed; not in a fixture, for pytest has screens of its own."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


def rows(screen: Screen) -> list[str]:
    """What a person sees: later signs over earlier ones."""
    seen = []
    for row in screen.getvalue().split("\n"):
        shown: list[str] = []
        for part in row.split("\r"):
            shown[: len(part)] = part
        seen.append("".join(shown).rstrip())
    return seen


def test_what_is_told_stands_above_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each notice and each word of talk has a row of its own; at the end the counts are gone."""
    screen = screen_of(monkeypatch)
    terminal = Terminal(Run())
    terminal.show(COUNTS)
    assert rows(screen) == [LINE]
    terminal.tell(NOTICE)
    terminal.say("mode changed to `manual`")
    told = "Learned: 'x' → review with `memsuggest show ab`"
    assert rows(screen) == [told, "mode changed to `manual`", LINE]
    terminal.clear()
    assert rows(screen) == [told, "mode changed to `manual`", ""]


def test_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No talk, no counts; what is told is the report."""
    screen = screen_of(monkeypatch)
    terminal = Terminal(Run(quiet=True))
    terminal.show(COUNTS)
    terminal.say("watching")
    terminal.tell(NOTICE)
    assert rows(screen) == ["Learned: 'x' → review with `memsuggest show ab`", ""]
