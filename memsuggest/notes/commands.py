"""The command `notes`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

notes_command = Commands("notes")


@notes_command("")
def _notes(run: Run) -> None:
    """List your assistants' notes about this repo, with the outcome of each.

    Notes are written by assistants, so their rules are suggested one at a time and never applied in bulk. Private
    details are left out, and note files are never changed. Notes that duplicate an applied rule are also listed.
    """
    from memsuggest.notes.read_notes import list_notes

    run.emit(list_notes(run.look()))


@notes_command("show")
def _show(
    run: Run, note: Annotated[str, typer.Argument(metavar="NOTE", help="The note's ID, path or file name.")]
) -> None:
    """Show the full text of a note, its rules, and what you typed before it was written."""
    from memsuggest.notes.read_notes import show_note

    run.emit(show_note(run.look(), note))
