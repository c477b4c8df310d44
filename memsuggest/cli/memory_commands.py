"""The commands of memory: `recall`, `memory`, `identity`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.recall.entry import EntryStatus, Layer, Source
from memsuggest.recall.scopes import RecallScope

if TYPE_CHECKING:
    from memsuggest.reports.recall_reports import RecallReport


_ALL = 100_000
"""Characters that hold whatever is found."""
LayerOption = Annotated[
    str | None,
    typer.Option("--layer", metavar="LAYER", help="L0 (who you are), L1 (what is known) or L2 (what was done)."),
]
EntryArgument = Annotated[str, typer.Argument(metavar="ID", help="An entry, by any unique beginning of its id.")]
BudgetOption = Annotated[
    int | None,
    typer.Option(
        min=200, max=_ALL, metavar="CHARS", help="Characters at most.", show_default="2000 in JSON and context"
    ),
]
ExplainOption = Annotated[bool, typer.Option("--explain", help="Say what the Graphiti server was asked, or why not.")]
ScopeOption = Annotated[RecallScope, typer.Option(help="Whose: by the words, everything, this project's or yours.")]
TagOption = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Only with this tag; repeatable.")]


command = Commands()
memory_command = Commands("memory", "Browse, put right, forget, export and import what is remembered.")


def layer_named(name: str | None) -> Layer | None:
    """Return a layer by its number or its name; raises BadParameter."""
    names = {layer.value.lower(): layer for layer in Layer} | {layer.name.lower(): layer for layer in Layer}
    if name is None:
        return None
    if name.lower() not in names:
        raise typer.BadParameter(f"there is no layer `{name}`: L0, L1 or L2", param_hint="--layer")
    return names[name.lower()]


@command("recall", formats=("text", "json", "context"))
def _recall(  # noqa: PLR0913, PLR0917  (the options of a command)
    run: Run,
    query: Annotated[str | None, typer.Argument(help="A prompt or some words.", show_default="who you are")] = None,
    layer: LayerOption = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="Another project, or `all`.")] = None,
    scope: ScopeOption = RecallScope.AUTO,
    tag: TagOption = None,
    since: Annotated[str | None, typer.Option(metavar="WHEN", help="A date, or an age like 30d.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Entries at most.")] = 8,
    budget: BudgetOption = None,
    last: Annotated[bool, typer.Option("--last", help="What was recalled lately, for which prompts.")] = False,
    graphiti: Annotated[bool, typer.Option("--graphiti", help="Ask the Graphiti server alone.")] = False,
    session: Annotated[str, typer.Option(metavar="ID", help="The chat whose own group is asked, too.")] = "",
    explain: ExplainOption = False,
) -> None:
    """Find what memory holds for a prompt.

    Searches what you said and what assistants noted, here and everywhere, by words, stems and names. `--format context`
    prints the block that hooks hand to an assistant, or nothing.
    """
    from memsuggest.recall.moments import moment
    from memsuggest.workflows.memory.recall_entries import (
        BUDGET,
        Wanted,
        at_start,
        last_recalls,
        recall,
        recall_from_graph,
    )

    if last:
        run.emit(last_recalls(run.look(), limit))
        return
    context = run.context()
    room = budget or (BUDGET if run.format == "context" else _ALL)
    if not any([query, layer, project, tag, since, graphiti]):
        report = at_start(context, budget=room)
    else:
        wanted = Wanted(
            layer=layer_named(layer),
            project=project,
            scope=scope,
            tags=tag or (),
            since=moment(since, now=context.now()),
            limit=limit,
            budget=room,
            session=session,
        )
        find = recall_from_graph if graphiti else recall
        report = find(context, query or "", wanted, is_explained=explain)
    _show_recalled(run, report, room)


def _show_recalled(run: Run, report: RecallReport, budget: int) -> None:
    if run.format != "context":
        run.emit(report)
        return
    run.print(report.block)
    if report.hits and not report.block:
        run.say(f"nothing of it fits in {budget} characters")


@memory_command("browse")
def _browse(
    run: Run,
    words: Annotated[str, typer.Argument(help="Only entries with these words.", show_default="all")] = "",
    layer: LayerOption = None,
    status: Annotated[EntryStatus | None, typer.Option(help="Only of this status.")] = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Of all projects.")] = False,
) -> None:
    """List everything by layer: source, status, and how often it was recalled."""
    from memsuggest.workflows.memory.memory_entries import browse

    run.emit(
        browse(
            run.look(with_state=False),
            layer=layer_named(layer),
            status=status.value if status else None,
            words=words,
            everywhere=everywhere,
        )
    )


@memory_command("show")
def _show(run: Run, id: EntryArgument) -> None:
    """Show one entry, whole."""
    from memsuggest.reports.recall_reports import EntryRows
    from memsuggest.workflows.memory.memory_entries import find_entry

    run.emit(EntryRows(entries=[find_entry(run.look(with_state=False), id)], is_whole=True))


@memory_command("add")
def _write(
    run: Run,
    text: Annotated[str, typer.Argument(help="What to know, in a sentence.")],
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; repeatable.")] = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="About you, in all projects.")] = False,
) -> None:
    """Add knowledge that is found when a prompt is about it; a rule for a file is what `remember` takes."""
    from memsuggest.workflows.memory.memory_entries import add_entry

    changed = add_entry(
        run.context(), text, layer=Layer.KNOWLEDGE, source=Source.USER, tags=tag or (), is_everywhere=everywhere
    )
    run.emit(changed)


@memory_command("edit")
def _edit(
    run: Run,
    id: EntryArgument,
    content: Annotated[str | None, typer.Option(help="The new wording.", show_default="opens your editor")] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="Instead of its tags; repeatable.")
    ] = None,
) -> None:
    """Change an entry; one that an assistant wrote becomes yours, and the old wording is kept as inactive."""
    from memsuggest.cli.dialog import edited_text
    from memsuggest.workflows.memory.memory_entries import find_entry, update_entry

    context = run.context()
    before = find_entry(context, id)
    words = content
    if words is None:
        words = before.content if tag else edited_text(before.content + "\n", suffix=".md")
    run.emit(update_entry(context, before.id, words, source=Source.USER, tags=tag))


@memory_command("confirm")
def _confirm(run: Run, id: EntryArgument) -> None:
    """Take what an assistant wrote as your word; what it contradicts is recalled no more."""
    from memsuggest.workflows.memory.memory_entries import confirm_entry

    run.emit(confirm_entry(run.context(), id))


@memory_command("deactivate")
def _deactivate(run: Run, id: EntryArgument) -> None:
    """Let an entry be recalled no more, and keep it for a look back."""
    from memsuggest.workflows.memory.memory_entries import deactivate_entry

    run.emit(deactivate_entry(run.context(), id, source=Source.USER))


@memory_command("forget")
def _forget(
    run: Run,
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Entries, by any unique beginnings of their ids.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete entries of any layer for good, with a receipt; facts are forgotten as `facts forget` does."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.errors import MemsuggestError
    from memsuggest.reports.recall_reports import EntriesChanged
    from memsuggest.workflows.memory.memory_entries import find_forgettable, forget_entries

    context = run.context()
    found = [find_forgettable(context, one) for one in dict.fromkeys(ids)]
    if not yes:
        if not is_interactive():
            raise MemsuggestError(
                "nothing was forgotten: there is no terminal to ask on", hint="`--yes` is the answer for scripts"
            )
        for entry in found:
            run.say(f"{entry.id[:7]}  {entry.content}")
        typer.confirm("forget this for good?", abort=True, err=True)
    run.emit(EntriesChanged(changes=forget_entries(context, [entry.id for entry in found])))


@memory_command("export", formats=("text", "json", "markdown"))
def _export(
    run: Run,
    layer: LayerOption = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Of all projects.")] = False,
) -> None:
    """Print everything as one document, JSON or Markdown."""
    from memsuggest.workflows.memory.entry_exchange import export_entries

    format = "json" if run.format == "json" else "markdown"
    context = run.look(with_state=False)
    run.print(export_entries(context, layer=layer_named(layer), everywhere=everywhere, format=format))


@memory_command("import")
def _import(
    run: Run,
    path: Annotated[typer.FileText, typer.Argument(help="What `memory export --format json` wrote; `-` for stdin.")],
) -> None:
    """Take entries from a file; they come in as an assistant's, unless you confirm them."""
    from memsuggest.workflows.memory.entry_exchange import import_entries

    try:
        text = path.read()
    except UnicodeDecodeError:
        raise typer.BadParameter("it is no UTF-8 text", param_hint="PATH") from None
    run.emit(import_entries(run.context(), text, name=path.name))


@memory_command("repair")
def _repair(run: Run) -> None:
    """Make a damaged profile database anew from what can be read of it; the damaged one is kept beside it."""
    from memsuggest.workflows.memory.repair_memory import repair_memory

    run.emit(repair_memory(run.context()))


identity_command = Commands("identity", "Who you are: at most 1,000 characters that every session begins with.")


@identity_command("show")
def _show_identity(run: Run) -> None:
    """Show who you are to every assistant, and how much room is left."""
    from memsuggest.workflows.memory.identity_layer import read_identity_report

    run.emit(read_identity_report(run.look(with_state=False)))


@identity_command("edit")
def _edit_identity(run: Run) -> None:
    """Edit it as Markdown in your editor: `## Section` and a line for each thing."""
    from memsuggest.cli.dialog import edited_text, is_interactive
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
