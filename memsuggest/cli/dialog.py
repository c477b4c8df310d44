"""Asking the person in any command: whether one is there, their editor, entries one by one; showing what is pending."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.run import Run
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError

if TYPE_CHECKING:
    from memsuggest.facts.fact_reports import FactShown, Importable
    from memsuggest.learning.learning_reports import Reconciled
    from memsuggest.suggestions.decision_reports import Listing, Shown

_SET = "set EDITOR to an installed editor, for example `export EDITOR=vi`"


def edited_text(text: str, *, suffix: str) -> str:
    """Return the text as the person leaves it in `$VISUAL` or `$EDITOR`."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not command and not sys.stdin.isatty():
        raise MemsuggestError("cannot open an editor: not running in a terminal", hint=_SET)
    command = command or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory(prefix="memsuggest-") as folder:
        path = Path(folder) / f"text{suffix}"
        path.write_bytes(text.encode())
        try:
            code = subprocess.run([*shlex.split(command), str(path)], check=False).returncode
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise MemsuggestError(f"cannot start the editor `{command}`: {why}", hint=_SET) from None
        if code:
            raise MemsuggestError(f"the editor `{command}` exited with code {code}; nothing was changed", hint=_SET)
        try:
            return path.read_bytes().decode()  # newlines as they are
        except (OSError, UnicodeDecodeError) as error:
            raise MemsuggestError(
                f"the edited file cannot be read: {error}", hint="save the file as UTF-8 under the same name"
            ) from None


def is_interactive() -> bool:
    """Return whether a person is there to read and to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def picked(run: Run, rows: Sequence[Importable]) -> list[Importable]:
    """Show entries one by one and return those that the person wants; `q` leaves the rest."""
    taken = []
    for number, row in enumerate(rows, 1):
        run.emit(row)
        answer: str = typer.prompt(f"import {number} of {len(rows)}? y, n or q", default="n", show_default=False)
        if answer.strip().lower() in {"q", "quit"}:
            break
        if answer.strip().lower() in {"y", "yes"}:
            taken.append(row)
    return taken


def emit_one(run: Run, context: Context, report: Shown | FactShown | Listing) -> None:
    """Print what was asked for by its id or its file; where a person sees it, it is not new any more."""
    from memsuggest.core.plain_reports import Talk
    from memsuggest.suggestions.decision_reports import Listing, Shown
    from memsuggest.suggestions.list_and_show import note_met, note_shown

    run.emit(report)
    if run.format not in (None, "text") or not sys.stdout.isatty():
        return
    if isinstance(report, Listing):
        note_shown(context, report)
    elif isinstance(report, Shown):
        note_met(context, [report.suggestion.id])
        apply = f"`memsuggest apply {report.suggestion.id[:7]}` applies the suggestion"
        others = "`edit`, `move` and `dismiss` accept" if report.suggestion.fact else "`edit` and `dismiss` accept"
        if not run.quiet:
            run.emit(Talk(rows=("", f"{apply}; {others} the same ID")))


def emit_look(run: Run, context: Context, report: Listing | Reconciled, *, is_whole: bool = False) -> None:
    """Print a report of what waits; only where a person sees it, it counts as a look."""
    if run.format not in (None, "text") or not sys.stdout.isatty():
        run.emit(report)
        return
    from memsuggest.suggestions.decision_reports import Listing
    from memsuggest.suggestions.list_and_show import note_shown, seen_of

    looked = replace(report, seen=seen_of(context, report))
    run.emit(replace(looked, is_whole=True) if is_whole and isinstance(looked, Listing) else looked)
    note_shown(context, report)
