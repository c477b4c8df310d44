"""Notices on the desktop."""

from __future__ import annotations

import pytest

from memsuggest.learning import desktop
from memsuggest.suggestions.status_report import Notice


def notice(text: str) -> Notice:
    return Notice(text=text, review="memsuggest review", suggestions=())


def test_without_the_library_there_is_no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal's line is all there is, and nobody is told off."""
    monkeypatch.setattr(desktop.importlib.util, "find_spec", lambda _name: None)
    assert desktop.find_desktop() is None


def test_without_a_session_there_is_no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Linux, where nobody would answer."""
    monkeypatch.setattr(desktop.importlib.util, "find_spec", lambda _name: object())
    monkeypatch.setattr(desktop.sys, "platform", "linux")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert desktop.find_desktop() is None
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    assert desktop.find_desktop() is not None


def test_what_is_shown_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, no markup, nothing invisible, not too long."""
    monkeypatch.setattr(desktop.sys, "platform", "linux")
    body = desktop.body_of(notice("Learned: '<img src=x> a\u202eb\x1b[31m\nc'"))
    assert "<" not in body
    assert "\n" not in body
    assert "\u202e" not in body
    assert "\x1b" not in body
    assert len(desktop.body_of(notice("x" * 999))) == 200


def test_a_desktop_that_does_not_answer_is_no_matter(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed and nothing raised."""
    pytest.importorskip("desktop_notifier")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    desktop._show("memsuggest", "hello")
    assert capfd.readouterr() == ("", "")
