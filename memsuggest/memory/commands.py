"""The commands of memory: `recall`, and `memory` with all that is remembered: facts, who you are, chats, apps."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.core.model import MemoryFact
from memsuggest.core.render.page import count
from memsuggest.graphiti.profile_tables import RecallScope
from memsuggest.learning.commands import ConsentOption, EngineOption
from memsuggest.memory.entry import EntryStatus, Layer, Source

if TYPE_CHECKING:
    from memsuggest.core.context import Context

IDENTITY = "identity"  # the name of the person's identity where an id is asked for
_ALL = 100_000  # characters that hold whatever is found
QueryArgument = Annotated[
    list[str] | None, typer.Argument(metavar="WORDS", help="A prompt or search terms.", show_default="who you are")
]
LayerOption = Annotated[
    str | None, typer.Option("--layer", metavar="LAYER", help="L0 (who you are), L1 (knowledge) or L2 (past chats).")
]
IdsArgument = Annotated[
    list[str], typer.Argument(metavar="ID", help="IDs of facts or entries; unique prefixes are enough.")
]
NameArgument = Annotated[
    str, typer.Argument(metavar="ID", help=f"A fact, an entry, an app, or `{IDENTITY}` for who you are.")
]
AppArgument = Annotated[str, typer.Argument(metavar="APP", help="An app; `memory list --apps` lists them.")]
AppOption = Annotated[str | None, typer.Option("--app", metavar="APP", help="Only this app's own memories.")]
FactsOption = Annotated[bool, typer.Option("--facts", help="Only facts, which can become rules in files.")]
FactScopeOption = Annotated[
    str | None, typer.Option("--scope", help="Only facts with this scope: workspace or user.", show_default="both")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")]
EverywhereOption = Annotated[bool, typer.Option("--everywhere", help="Make the entry apply in all your projects.")]
BudgetOption = Annotated[
    int | None,
    typer.Option(
        min=200, max=_ALL, metavar="CHARS", help="Character limit.", show_default="4000 with `--format context`"
    ),
]
ExplainOption = Annotated[bool, typer.Option("--explain", help="Show which Graphiti scopes were searched, if any.")]
ScopeOption = Annotated[
    RecallScope, typer.Option(help=("Search all entries, only this project's, or only those about you."))
]
SinceOption = Annotated[
    str | None, typer.Option(metavar="WHEN", help="Only entries since a date, or up to an age such as 30d.")
]
TagOption = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Require this tag; repeatable.")]


command = Commands()
memory_command = Commands("memory", "View, correct, forget, export and import memories.")


def layer_named(name: str | None) -> Layer | None:
    """Return a layer by its number or its name; raises BadParameter."""
    names = {layer.value.lower(): layer for layer in Layer} | {layer.name.lower(): layer for layer in Layer}
    if name is None:
        return None
    if name.lower() not in names:
        raise typer.BadParameter(f"unknown layer `{name}`: use L0, L1 or L2", param_hint="--layer")
    return names[name.lower()]


@command("recall", formats=("text", "json", "context"))
def _recall(  # noqa: PLR0913, PLR0917  (the options of a command)
    run: Run,
    query: QueryArgument = None,
    layer: LayerOption = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="A project to search, or `all`.")] = None,
    scope: ScopeOption = RecallScope.AUTO,
    tag: TagOption = None,
    since: SinceOption = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of entries.")] = 8,
    budget: BudgetOption = None,
    last: Annotated[bool, typer.Option("--last", help="Show recent recalls and their prompts.")] = False,
    graphiti: Annotated[bool, typer.Option("--graphiti", help="Search only the Graphiti server.")] = False,
    session: Annotated[str, typer.Option(metavar="ID", help="Also search this chat's Graphiti group.")] = "",
    explain: ExplainOption = False,
) -> None:
    """Find memories for a prompt.

    Your statements and assistants' notes are searched by word, stem and name. `--format context` prints the block
    that hooks pass to an assistant, or nothing if nothing is found.
    """
    from memsuggest.core.text.when import parse_moment
    from memsuggest.memory.recall_entries import BUDGET, Wanted, at_start, last_recalls, recall, recall_from_graph

    if last:
        run.emit(last_recalls(run.look(), limit))
        return
    context = run.context()
    room = budget or (BUDGET if run.format == "context" else _ALL)
    words = " ".join(query or ())
    if not any([words, layer, project, tag, since, graphiti]):
        report = at_start(context, budget=room)
    else:
        wanted = Wanted(
            layer=layer_named(layer),
            project=project,
            scope=scope,
            tags=tag or (),
            since=parse_moment(since, now=context.now()),
            limit=limit,
            budget=room,
            session=session,
        )
        find = recall_from_graph if graphiti else recall
        report = find(context, words, wanted, is_explained=explain)
    if run.format != "context":
        run.emit(report)
        return
    run.print(report.block)
    if report.hits and not report.block:
        run.say(f"no result fits in {room} characters")


@memory_command("list")
def _list(  # noqa: PLR0913, PLR0917  (the options of a command)
    run: Run,
    words: Annotated[str, typer.Argument(help="Only entries that contain these words.", show_default="all")] = "",
    layer: LayerOption = None,
    status: Annotated[EntryStatus | None, typer.Option(help="Only entries with this status.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Include all projects; for facts, also include replaced ones.")
    ] = False,
    facts: FactsOption = False,
    scope: FactScopeOption = None,
    written: Annotated[bool, typer.Option("--written", help="Facts found only in an assistant's documents.")] = False,
    maybe: Annotated[bool, typer.Option("--maybe", help="Low-confidence facts, which are not suggested.")] = False,
    apps: Annotated[bool, typer.Option("--apps", help="The apps that have memories.")] = False,
) -> None:
    """List memories by layer, or only facts or apps."""
    from memsuggest.facts.look_at_facts import list_facts, search_facts
    from memsuggest.memory.apps import list_apps
    from memsuggest.memory.recall_reports import EntryRows

    if maybe and (every or written):
        raise typer.BadParameter("cannot be combined with `--all` or `--written`", param_hint="--maybe")
    context = run.look(with_state=False)
    if apps:
        run.emit(list_apps(context))
    elif words and facts:
        run.emit(search_facts(context, words, scope=scope))
    elif facts or scope or written or maybe:
        run.emit(list_facts(context, scope=scope, with_inactive=every, only_written=written, only_maybes=maybe))
    else:
        named, wanted = layer_named(layer), words.casefold()
        entries = context.profile.entries.entries(layers=(named,) if named else tuple(Layer), everywhere=every)
        found = [
            item
            for item in entries
            if status in (None, item.status)
            and wanted in f"{item.content} {item.section} {item.task} {' '.join(item.tags)}".casefold()
        ]
        run.emit(EntryRows(entries=found))


@memory_command("show")
def _show(run: Run, name: NameArgument) -> None:
    """Show a fact with its evidence, an entry, your identity, or an app's memories."""
    from memsuggest.core.errors import MemsuggestError, UnknownId
    from memsuggest.facts.look_at_facts import show_fact
    from memsuggest.memory.apps import show_app
    from memsuggest.memory.memory_entries import find_memory, read_identity_report
    from memsuggest.memory.recall_reports import EntryRows

    context = run.look(with_state=False)
    if name == IDENTITY:
        run.emit(read_identity_report(context))
        return
    try:
        found = find_memory(context, name)
    except UnknownId:
        with suppress(MemsuggestError):
            run.emit(show_app(context, name))
            return
        raise
    if isinstance(found, MemoryFact):
        run.emit(show_fact(context, found.id))
    else:
        run.emit(EntryRows(entries=[found], is_whole=True))


@memory_command("add")
def _add(  # noqa: PLR0913, PLR0917  (the options of a command)
    run: Run,
    text: Annotated[str, typer.Argument(help="The fact to remember, in one sentence.")],
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; repeatable.")] = None,
    everywhere: EverywhereOption = False,
    identity: Annotated[bool, typer.Option("--identity", help="Add the fact to your identity.")] = False,
    section: Annotated[
        str, typer.Option(help="Heading in your identity to put the fact under.", show_default="About me")
    ] = "",
    app: AppOption = None,
) -> None:
    """Add knowledge that is recalled for related prompts. To add a rule for a file, use `remember`."""
    from memsuggest.memory.app_reports import AppsLearned
    from memsuggest.memory.apps import remember_by_hand
    from memsuggest.memory.memory_entries import add_entry

    context = run.context()
    if app is not None:
        run.emit(AppsLearned(rows=(remember_by_hand(context, app, text, everywhere=everywhere),)))
        return
    layer = Layer.IDENTITY if identity or section else Layer.KNOWLEDGE
    run.emit(
        add_entry(
            context, text, layer=layer, source=Source.USER, section=section, tags=tag or (), is_everywhere=everywhere
        )
    )


@memory_command("edit")
def _edit(
    run: Run,
    name: NameArgument,
    content: Annotated[str | None, typer.Option(help="The new text.", show_default="opens your editor")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Replace all tags; repeatable.")] = None,
) -> None:
    """Change the text of a fact or an entry. A fact keeps its ID and evidence; an assistant's entry becomes yours."""
    from memsuggest.cli.dialog import edited_text
    from memsuggest.facts.facts_by_hand import edit_fact
    from memsuggest.memory.memory_entries import find_memory, update_entry

    context = run.context()
    if name == IDENTITY:
        _edit_identity(run, context)
        return
    before = find_memory(context, name)
    words = content
    if words is None:
        words = before.content if tag else edited_text(before.content + "\n", suffix=".md")
    if isinstance(before, MemoryFact):
        run.emit(edit_fact(context, before.id, words))
    else:
        run.emit(update_entry(context, before.id, words, source=Source.USER, tags=tag))


def _edit_identity(run: Run, context: Context) -> None:
    """Let the person edit who they are as Markdown: `## Section` and a line for each thing."""
    from memsuggest.cli.dialog import edited_text, is_interactive
    from memsuggest.core.errors import MemsuggestError
    from memsuggest.memory.context_block import read_identity
    from memsuggest.memory.memory_entries import edit_identity, read_identity_report
    from memsuggest.memory.recall_reports import EntriesChanged

    report = read_identity_report(context)
    text = report.text or "## About me\n"
    while True:
        text = edited_text(text, suffix=".md")
        try:
            lines = read_identity(text)
            question = "The text is empty. Remove every line from your identity?"
            is_emptied = not lines and report.entries
            if is_emptied and not (is_interactive() and typer.confirm(question, err=True)):
                raise MemsuggestError(  # noqa: TRY301
                    "the text is empty, so nothing was changed", hint="`memsuggest memory remove ID` removes a line"
                )
            run.emit(EntriesChanged(changes=edit_identity(context, lines)))
        except MemsuggestError as error:
            if not is_interactive():
                raise
            run.say(f"{error.message}{f': {error.hint}' if error.hint else ''}")
            if not typer.confirm("Edit the text again?", default=True, err=True):
                run.say(text)  # what was written is not lost
                raise
        else:
            return


@memory_command("remove")
def _remove(run: Run, name: Annotated[str, typer.Argument(metavar="ID", help="A line of your identity text.")]) -> None:
    """Remove a line from your identity text. `undo` restores the line; `memory forget` deletes it permanently."""
    from memsuggest.memory.memory_entries import remove_from_identity
    from memsuggest.memory.recall_reports import EntriesChanged

    run.emit(EntriesChanged(changes=[remove_from_identity(run.context(), name)]))


@memory_command("confirm")
def _confirm(run: Run, ids: IdsArgument) -> None:
    """Confirm a low-confidence fact, or an entry from an assistant or a file, as your own statement."""
    from memsuggest.facts.fact_reports import FactsChanged
    from memsuggest.facts.facts_by_hand import confirm_facts
    from memsuggest.memory.memory_entries import confirm_entry, find_memory

    context = run.context()
    found = [find_memory(context, item) for item in ids]
    if facts := [item.id for item in found if isinstance(item, MemoryFact)]:
        run.emit(FactsChanged(changes=tuple(confirm_facts(context, facts))))
    for entry in found:
        if not isinstance(entry, MemoryFact):
            run.emit(confirm_entry(context, entry.id))


@memory_command("deactivate")
def _deactivate(run: Run, name: Annotated[str, typer.Argument(metavar="ID", help="An entry.")]) -> None:
    """Stop recalling an entry, but keep it for reference."""
    from memsuggest.memory.memory_entries import deactivate_entry

    run.emit(deactivate_entry(run.context(), name, source=Source.USER))


@memory_command("forget")
def _forget(
    run: Run,
    ids: IdsArgument,
    for_good: Annotated[
        bool, typer.Option("--for-good", help="Erase the facts completely, so that `undo` cannot restore them.")
    ] = False,
    app: AppOption = None,
    yes: YesOption = False,
) -> None:
    """Forget facts so that they are not learned again; `undo` restores them. Other entries are deleted permanently."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import MemsuggestError
    from memsuggest.facts.fact_reports import FactRows, FactsChanged
    from memsuggest.facts.facts_by_hand import forget_facts
    from memsuggest.memory.apps import forget_memory
    from memsuggest.memory.memory_entries import find_memory, forget_entries
    from memsuggest.memory.recall_reports import EntriesChanged

    context = run.context()
    if app is not None:
        if not all(item.isdecimal() for item in ids):
            why = "app memories are identified by number; `memory show APP` lists them"
            raise typer.BadParameter(why, param_hint="ID")
        for item in dict.fromkeys(ids):
            run.emit(forget_memory(context, app, int(item)))
        return
    found = [find_memory(context, item, is_gone_too=True) for item in dict.fromkeys(ids)]
    facts = tuple(item for item in found if isinstance(item, MemoryFact))
    is_for_good = for_good or len(facts) < len(found)
    if not yes:
        if len(facts) < len(found) and not is_interactive():
            raise MemsuggestError(
                "nothing was forgotten: cannot prompt without a terminal", hint="use `--yes` in scripts"
            )
        if is_interactive():
            if facts and run.format != "json":  # which prints one report: what was forgotten
                run.emit(FactRows(facts=facts))
            for entry in found:
                if not isinstance(entry, MemoryFact):
                    run.say(f"{entry.id[:7]}  {entry.content}")
            if not typer.confirm("Forget permanently?" if is_for_good else "Forget?", default=False, err=True):
                run.say("nothing was forgotten")
                return
    if len(facts) == len(found):
        changes = tuple(forget_facts(context, [fact.id for fact in facts], for_good=for_good))
        run.emit(FactsChanged(changes=changes, is_for_good=for_good))
    else:
        run.emit(EntriesChanged(changes=forget_entries(context, [item.id for item in found])))


@memory_command("purge")
def _purge(run: Run, app: AppArgument, yes: YesOption = False) -> int:
    """Delete all of an app's memories and print a confirmation."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import MemsuggestError
    from memsuggest.memory.apps import purge_app, show_app

    context = run.context()
    if not yes:
        shown = show_app(context, app)
        if not is_interactive():
            raise MemsuggestError("cannot prompt without a terminal", hint=f"run `memsuggest memory purge {app} --yes`")
        if not typer.confirm(f"Delete {count(len(shown.memories), 'memory', 'memories')} of {shown.app_id}?", err=True):
            run.say("nothing was deleted")
            return 1
    run.emit(purge_app(context, app))
    return 0


@memory_command("context")
def _context(
    run: Run,
    app: AppArgument,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="Include memories about other workspaces.")] = False,
) -> None:
    """Print the context an app receives about its previous chats: numbered, dated, and marked as background."""
    from memsuggest.memory.apps import app_context

    run.emit(app_context(run.look(with_state=False), app, everywhere=everywhere))


@memory_command("learn")
def _learn(
    run: Run,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH",
            help="Finished chats, or folders with chats.",
            show_default="the latest finished chats in this workspace",
        ),
    ] = None,
    app: Annotated[
        str | None,
        typer.Option(
            "--app", metavar="NAME", help="The app.", show_default="the agent that responded, or the assistant"
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be sent, without storing or sending anything.")
    ] = False,
    engine: EngineOption = None,
    consent: ConsentOption = False,
) -> None:
    """Create one memory for each finished chat, using a model you consented to or the offline rules."""
    from memsuggest.judging.consent_dialog import asking_of
    from memsuggest.memory.apps import learn_conversations

    asking = asking_of(run, consent=consent)
    context = run.context(engine=engine)
    run.emit(learn_conversations(context.dry() if dry_run else context, paths or [], asking=asking, app=app))


@memory_command("export", formats=("text", "json", "markdown"))
def _export(
    run: Run,
    layer: LayerOption = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Include all projects.")] = False,
    facts: FactsOption = False,
    scope: FactScopeOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the export to this file (must not exist).", show_default="stdout"),
    ] = None,
) -> None:
    """Export all memories, or only facts, as one JSON or Markdown document."""
    from memsuggest.facts.look_at_facts import export_facts
    from memsuggest.memory.entry_exchange import export_entries

    format = "json" if run.format == "json" else "markdown"
    context = run.look(with_state=False)
    if facts or scope:
        text = export_facts(context, scope=scope, format=format)
    else:
        text = export_entries(context, layer=layer_named(layer), everywhere=everywhere, format=format)
    if output is None:
        run.print(text)
    else:
        from memsuggest.files import write_exact

        write_exact(output.absolute(), text, expected_digest=None, mode=0o600)
        run.say(f"wrote {output}")


@memory_command("import")
def _import(
    run: Run,
    file: Annotated[Path, typer.Argument(help="A JSON export of your memories, or a facts file; `-` reads stdin.")],
    facts: Annotated[
        bool, typer.Option("--facts", help="Read the file as facts: an export, a facts.json file or a list.")
    ] = False,
    takes: Annotated[
        list[str] | None, typer.Option("--take", metavar="ID", help="Import this fact; repeatable.")
    ] = None,
) -> None:
    """Import entries from a file. Imported entries count as written by an assistant until you confirm them.

    For a facts file, you are asked about each fact; with neither a terminal nor `--take`, facts are only listed.
    """
    from memsuggest.cli.dialog import is_interactive, picked
    from memsuggest.facts.imports import chosen, read_import, take
    from memsuggest.memory.entry_exchange import import_entries

    if facts or takes:
        context = run.context()
        report = read_import(context, file)
        if takes:
            taken = chosen(report, takes)
        else:
            is_asked = is_interactive() and run.format in (None, "text")
            taken = picked(run, [row for row in report.rows if row.is_open]) if is_asked else []
        run.emit(take(context, report, taken) if taken else report)
        return
    try:
        text = typer.get_text_stream("stdin").read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise typer.BadParameter("not valid UTF-8", param_hint="FILE") from None
    except OSError as error:
        raise typer.BadParameter(f"`{file}`: {error.strerror}", param_hint="FILE") from None
    run.emit(import_entries(run.context(), text, name=str(file)))
