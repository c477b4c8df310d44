"""The command `notes`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

notes_command = Commands("notes")


@notes_command("")
def _notes(run: Run) -> None:
    """List the notes that your assistants keep about this repo, and what became of each.

    A note is the assistant's word: its rules are suggested one by one, never applied in bulk, and nothing private of it
    is suggested. Nothing is ever written where notes lie; what is double since you applied it is named.
    """
    from memsuggest.notes.list_notes import list_notes

    run.emit(list_notes(run.look()))


@notes_command("show")
def _show(
    run: Run, note: Annotated[str, typer.Argument(metavar="NOTE", help="A note: its id, its path or its file name.")]
) -> None:
    """Show one note whole, with the rules taken from it, and what you typed before it was noted."""
    from memsuggest.notes.list_notes import show_note

    run.emit(show_note(run.look(), note))
