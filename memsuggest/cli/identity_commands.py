"""The commands of the identity."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.memory_commands import EntryArgument
from memsuggest.cli.run import Commands, Run
from memsuggest.recall.entry import Layer, Source

identity_command = Commands("identity", "Who you are: at most 1,000 characters that every session begins with.")


@identity_command("show")
def _show_identity(run: Run) -> None:
    """Show who you are to every assistant, and how much room is left."""
    from memsuggest.workflows.memory.identity_layer import read_identity_report

    run.emit(read_identity_report(run.look(with_state=False)))


@identity_command("edit")
def _edit_identity(run: Run) -> None:
    """Edit it as Markdown in your editor: `## Section` and a line for each thing."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.cli.editor import edited_text
    from memsuggest.errors import MemsuggestError
    from memsuggest.recall.identity_text import read_identity
    from memsuggest.reports.recall_reports import EntriesChanged
    from memsuggest.workflows.memory.identity_layer import edit_identity, read_identity_report

    context = run.context()
    report = read_identity_report(context)
    text = report.text or "## About me\n"
    while True:
        text = edited_text(text, suffix=".md")
        try:
            lines = read_identity(text)
            if not lines and report.entries:
                _require_emptying()
            run.emit(EntriesChanged(changes=edit_identity(context, lines)))
        except MemsuggestError as error:
            if not is_interactive():
                raise
            run.say(f"{error.message}{f': {error.hint}' if error.hint else ''}")
            if not typer.confirm("edit it again?", default=True, err=True):
                run.say(text)  # what was written is not lost
                raise
        else:
            return


def _require_emptying() -> None:
    """Raise MemsuggestError unless the person wants no line of their identity any more."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.errors import MemsuggestError

    if not is_interactive() or not typer.confirm("the text is empty: remove every line?", err=True):
        raise MemsuggestError(
            "the text is empty, so nothing was changed", hint="`memsuggest identity remove ID` removes a line"
        )


@identity_command("add")
def _add(
    run: Run,
    text: Annotated[str, typer.Argument(help="What every assistant should know of you.")],
    section: Annotated[str, typer.Option(help="The heading it stands under.", show_default="About me")] = "",
) -> None:
    """Add a line to it."""
    from memsuggest.workflows.memory.memory_entries import add_entry

    run.emit(add_entry(run.context(), text, layer=Layer.IDENTITY, source=Source.USER, section=section))


@identity_command("remove")
def _remove(run: Run, id: EntryArgument) -> None:
    """Remove a line from it; `undo` puts it back, and `memory forget` deletes for good."""
    from memsuggest.reports.recall_reports import EntriesChanged
    from memsuggest.workflows.memory.identity_layer import remove_from_identity

    run.emit(EntriesChanged(changes=[remove_from_identity(run.context(), id)]))
