"""Notices on the desktop, for whoever asks: through the optional library `desktop-notifier`.

Where the library or a desktop is missing, the terminal's line is all there is. Nothing leaves this machine.
"""

from __future__ import annotations

import asyncio
import html
import importlib.util
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import Any

from memsuggest.core.redact import clean
from memsuggest.suggestions.status_report import Notice

_TITLE = "memsuggest"
_LENGTH = 200  # characters; desktops cut what is longer, each in its own way
_SECONDS = 5.0


class Desktop:
    """Shows notices on the desktop, in a thread of its own: a desktop that hangs holds nobody up."""

    def show(self, notice: Notice) -> None:
        """Show a notice, or nothing where there is no desktop."""
        thread = threading.Thread(target=_show, args=(_TITLE, body_of(notice)), daemon=True)
        thread.start()


def find_desktop() -> Desktop | None:
    """Return the desktop, where one can be shown to: the library is installed and there is a session."""
    if importlib.util.find_spec("desktop_notifier") is None:
        return None
    has_session = bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS") or os.environ.get("XDG_RUNTIME_DIR"))
    return Desktop() if has_session or not sys.platform.startswith("linux") else None


def body_of(notice: Notice) -> str:
    """Return a notice's text as desktops take it: some read it as HTML."""
    text = " ".join(clean(notice.line).split())
    cut = text if len(text) <= _LENGTH else text[: _LENGTH - 1].rstrip() + "…"
    return html.escape(cut, quote=False) if sys.platform.startswith("linux") else cut


def _show(title: str, body: str) -> None:
    with suppress(OSError, RuntimeError, ImportError, TimeoutError):  # the line stands in the terminal
        asyncio.run(asyncio.wait_for(_sent(title, body), _SECONDS))


async def _sent(title: str, body: str) -> Any:
    from desktop_notifier import DesktopNotifier

    logging.getLogger("desktop_notifier").disabled = True  # it logs what fails, and goes on
    logging.getLogger("desktop_notifier.backends.base").disabled = True
    return await DesktopNotifier(app_name=_TITLE).send(title=title, message=body)
