"""A review on the whole screen, for who has the `tui` extra. Nothing of it is loaded before it is asked for."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from memsuggest.cli.dialog import is_interactive
from memsuggest.core.errors import MemsuggestError

if TYPE_CHECKING:
    from memsuggest.cli.run import Run
    from memsuggest.core.context import Context
    from memsuggest.core.plain_reports import Talk

AUTO, FULL = "auto", "full"
USUAL = (80, 24)  # columns and rows from which it is better than one suggestion after the other
_HINT = (
    "run `pip install '.[tui]'` or `uv tool install '.[tui]'` in your memsuggest clone; `memsuggest review` "
    "works without this extra"
)


def review_full_screen(run: Run, wanted: Sequence[str], *, is_maybe: bool) -> int:
    """Go through what is pending on the whole screen; raises MemsuggestError where that cannot be shown."""
    if find_spec("textual") is None:
        raise MemsuggestError("full-screen review needs the `tui` extra", hint=_HINT)
    if why := _why_not() if is_interactive() else "not running in a terminal":
        raise MemsuggestError(f"`review --tui` cannot start: {why}", hint="use `memsuggest list` instead")
    from memsuggest.suggestions.decision_dialogs import Prepared
    from memsuggest.suggestions.list_and_show import note_met
    from memsuggest.suggestions.marker_files import reviewing
    from memsuggest.suggestions.review_loop import farewell
    from memsuggest.tui.full_review import FullReview, StoreThread
    from memsuggest.tui.key_actions import walk
    from memsuggest.tui.review_app import ReviewApp

    context = run.context()
    store, app = StoreThread(context), ReviewApp()
    review = FullReview(app, store, Prepared(context), wanted)
    app.walk = partial(walk, review, is_maybe=is_maybe)

    def last(context: Context) -> Talk:
        note_met(context, review.met)
        last = context.journal.last()
        return farewell(context, is_decided=last is not None and last.number > review.first_decision)

    with reviewing(context):
        try:
            code = app.run()
        finally:
            report = store.finish(last)
    if failure := review.failure or app.failure:
        raise failure
    if code == 0:
        run.emit(report)
    elif code is not None and code > 1:
        run.say("interrupted")
    return code if code is not None else app.return_code or 0


def is_wanted(run: Run) -> bool:
    """Tell if a review goes on the whole screen when nobody says so: as the setting has it, and where it can be."""
    if not is_interactive() or _why_not():  # before settings: most who cannot be shown it never set anything
        return False
    wish = run.context().settings.text("reviewScreen")
    columns, rows = shutil.get_terminal_size()
    return wish == FULL or (wish == AUTO and columns >= USUAL[0] and rows >= USUAL[1])


def _why_not() -> str:
    """Say why no whole screen can be shown; empty where one can."""
    if find_spec("textual") is None:
        return "the `tui` extra is not installed"
    if sys.__stderr__ is None or not sys.__stderr__.isatty():  # it is drawn there
        return "stderr is not a terminal"
    is_plain = sys.platform != "win32" and os.environ.get("TERM", "dumb") in {"dumb", "unknown"}
    return "this terminal does not support full-screen output" if is_plain else ""
