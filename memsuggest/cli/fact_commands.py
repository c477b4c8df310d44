"""The commands of `facts`: looking, adding, changing and forgetting, in and out of files, limits, merging in git."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.completion import fact_ids
from memsuggest.cli.run import Commands, Run

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="A fact, by any unique beginning of its id, of four characters or more.",
        autocompletion=fact_ids,
    ),
]
ScopeOption = Annotated[str | None, typer.Option(help="workspace or user.", show_default="both")]


facts_command = Commands("facts", "List, search, change and share what is remembered.")
merge_driver_command = Commands(
    "merge-driver", "Let git merge the shared facts.json with memsuggest.", within=facts_command
)


@facts_command("list")
def _list(
    run: Run,
    scope: ScopeOption = None,
    every: Annotated[bool, typer.Option("--all", help="Also those that were replaced.")] = False,
    written: Annotated[
        bool,
        typer.Option("--written", help="Those that wait for `facts confirm`: only documents of an assistant say them."),
    ] = False,
    maybe: Annotated[
        bool, typer.Option("--maybe", help="What could be a rule and is not sure enough to be suggested.")
    ] = False,
) -> None:
    """List the facts of this workspace and your own."""
    from memsuggest.workflows.facts.look_at_facts import list_facts

    if maybe and (every or written):
        raise typer.BadParameter("it goes with neither `--all` nor `--written`", param_hint="--maybe")
    report = list_facts(
        run.look(with_state=False), scope=scope, with_inactive=every, only_written=written, only_maybes=maybe
    )
    run.emit(report)


@facts_command("show")
def _show(run: Run, id: IdArgument) -> None:
    """Show one fact with its evidence and what was decided."""
    from memsuggest.workflows.facts.look_at_facts import show_fact

    run.emit(show_fact(run.look(with_state=False), id))


@facts_command("add")
def _add(
    run: Run,
    text: Annotated[str, typer.Argument(help="The fact, as a rule: `use pnpm, not npm`.")],
    user: Annotated[bool, typer.Option("--user", help="It is about you, not about this repo.")] = False,
    kind: Annotated[str | None, typer.Option(help="preference, convention, correction, procedure, fact …")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="A file it is about.")] = None,
) -> None:
    """Add a fact by hand."""
    from memsuggest.workflows.facts.facts_by_hand import add_fact

    run.emit(add_fact(run.context(), text, is_users=user, kind=kind, paths=path or []))


@facts_command("confirm")
def _confirm(
    run: Run,
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID", help="Facts, or maybes; any unique beginnings of their ids will do.", autocompletion=fact_ids
        ),
    ],
) -> None:
    """Agree with what only an assistant's document or a repo's file says, or with a maybe: it is your word then."""
    from memsuggest.reports.fact_reports import FactsChanged
    from memsuggest.workflows.facts.facts_by_hand import confirm_facts

    run.emit(FactsChanged(changes=tuple(confirm_facts(run.context(), ids))))


@facts_command("edit")
def _edit(
    run: Run,
    id: IdArgument,
    content: Annotated[str | None, typer.Option(help="The new wording.", show_default="opens your editor")] = None,
) -> None:
    """Change the wording of a fact; its id and its evidence stay."""
    from memsuggest.cli.dialog import edited_text
    from memsuggest.workflows.facts.facts_by_hand import edit_fact
    from memsuggest.workflows.facts.look_at_facts import find_fact

    context = run.context()
    words = content if content is not None else edited_text(find_fact(context, id).content, suffix=".md")
    run.emit(edit_fact(context, id, words))


@facts_command("forget")
def _forget(
    run: Run,
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID",
            help="Facts, by any unique beginnings of their ids, of four characters or more.",
            autocompletion=fact_ids,
        ),
    ],
    for_good: Annotated[bool, typer.Option("--for-good", help="Keep no word of them, not even for `undo`.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Forget facts: they do not come back from the same words. On a terminal it asks; `undo` takes it back."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.reports.fact_reports import FactRows, FactsChanged
    from memsuggest.workflows.facts.facts_by_hand import forget_facts
    from memsuggest.workflows.facts.look_at_facts import find_fact

    context = run.context()
    facts = [find_fact(context, prefix) for prefix in dict.fromkeys(ids)]
    if is_interactive() and not yes:
        if run.format != "json":  # which prints one report: what was forgotten
            run.emit(FactRows(facts=tuple(facts)))
        if not typer.confirm("forget for good?" if for_good else "forget?", default=False, err=True):
            run.say("nothing was forgotten")
            return
    changes = tuple(forget_facts(context, [fact.id for fact in facts], for_good=for_good))
    run.emit(FactsChanged(changes=changes, is_for_good=for_good))


@facts_command("search")
def _search(
    run: Run, query: Annotated[str, typer.Argument(help="Words to look for.")], scope: ScopeOption = None
) -> None:
    """Search the facts by their words, best first."""
    from memsuggest.workflows.facts.look_at_facts import search_facts

    run.emit(search_facts(run.look(with_state=False), query, scope=scope))


@facts_command("export", formats=("text", "json", "markdown"))
def _export(
    run: Run,
    scope: ScopeOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file to write.", show_default="stdout")
    ] = None,
) -> None:
    """Print all facts as Markdown, or with `--format json` as `facts import` takes them."""
    from memsuggest.workflows.facts.look_at_facts import export_facts

    text = export_facts(run.look(with_state=False), scope=scope, format="json" if run.format == "json" else "markdown")
    if output is None:
        run.print(text)
    else:
        from memsuggest.files import write_exact

        write_exact(output.absolute(), text, expected_digest=None, mode=0o600)
        run.say(f"wrote {output}")


@facts_command("import")
def _import(
    run: Run,
    file: Annotated[Path, typer.Argument(help="JSON (an export, a facts.json, a list), or Markdown with bullets.")],
    takes: Annotated[
        list[str] | None, typer.Option("--take", metavar="ID", help="Take this entry; may be given several times.")
    ] = None,
) -> None:
    """Look through the facts of a file, and take those you want, one by one.

    What others wrote becomes a fact only by your decision on each; without a terminal or `--take`, they are listed.
    """
    from memsuggest.cli.dialog import is_interactive, picked
    from memsuggest.workflows.facts.import_facts import chosen, read_import, take

    context = run.context()
    report = read_import(context, file)
    if takes:
        taken = chosen(report, takes)
    else:
        is_asked = is_interactive() and run.format in (None, "text")
        taken = picked(run, [row for row in report.rows if row.is_open]) if is_asked else []
    run.emit(take(context, report, taken) if taken else report)


@facts_command("prune")
def _prune(
    run: Run, dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which would go.")] = False
) -> None:
    """Forget your own unapplied facts beyond the limits, those worth least first.

    The limits are the settings maxWorkspaceFacts and maxUserFacts; a `reconcile` on a terminal keeps to them too.
    """
    from memsuggest.workflows.facts.prune_facts import prune_facts

    context = run.context()
    run.emit(prune_facts(context.dry() if dry_run else context))


@facts_command("check")
def _check(
    run: Run,
    stale: Annotated[
        bool, typer.Option("--stale", help="Also tell which facts speak of files or scripts that are gone.")
    ] = False,
) -> int:
    """Validate the shared facts.json: form, order, secrets, hidden characters, conflict markers."""
    from memsuggest.workflows.facts.check_facts import check_facts

    report = check_facts(run.context())
    if stale and not report.problems:
        from dataclasses import replace

        from memsuggest.workflows.facts.stale_facts import stale_facts

        report = replace(report, stale=stale_facts(run.context()))
    run.emit(report)
    return 3 if report.problems or report.stale else 0


@facts_command("tidy")
def _tidy(run: Run) -> None:
    """Bring the shared facts.json into its usual order and form; what it says stays the same."""
    from memsuggest.reports.plain import Text
    from memsuggest.workflows.facts.check_facts import tidy_facts

    is_changed = tidy_facts(run.context())
    text = "the shared facts are in order now" if is_changed else "the shared facts are in order"
    run.emit(Text(text=text, payload={"changed": is_changed}))


@facts_command("merge")
def _merge(
    run: Run,
    base: Annotated[Path, typer.Argument(help="The common ancestor's version (`%O`).")],
    ours: Annotated[Path, typer.Argument(help="The current version, which gets the result (`%A`).")],
    theirs: Annotated[Path, typer.Argument(help="The other branch's version (`%B`).")],
) -> None:
    """Merge two versions of facts.json, as git's merge driver: what either side added, changed or forgot is kept.

    A version that is damaged ends with 1 and leaves OURS as it was.
    """
    from memsuggest.workflows.facts.merge_driver import merge_files

    run.emit(merge_files(base, ours, theirs))


@facts_command("resolve")
def _resolve(run: Run) -> None:
    """Merge a facts.json that git left in conflict, and stage it; works without the merge driver."""
    from memsuggest.workflows.facts.merge_driver import resolve

    run.emit(resolve(run.context()))


@merge_driver_command("install")
def _install_driver(run: Run) -> None:
    """Add the driver to this clone's git config, and its line to .gitattributes; `uninstall` takes both back."""
    from memsuggest.workflows.facts.merge_driver import install_driver

    run.emit(install_driver(run.context()))


@merge_driver_command("uninstall")
def _uninstall_driver(run: Run) -> None:
    """Take the driver out of this clone's git config and of .gitattributes."""
    from memsuggest.workflows.facts.merge_driver import uninstall_driver

    run.emit(uninstall_driver(run.context()))
