"""Commands that decide: `list`, `show`, `review`, `apply`, `move`, `edit`, `dismiss`, `undo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.completion import suggestion_ids
from memsuggest.cli.run import Commands, Run

FOUND = 3
"""The exit code of `--check` when something is pending."""

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="A suggestion, or a maybe of `list --maybe`, by the beginning of its id, of four characters or more.",
        autocompletion=suggestion_ids,
    ),
]
IdsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="ID",
        help="Suggestions, or maybes of `list --maybe`, by beginnings of their ids, of four characters or more.",
        autocompletion=suggestion_ids,
    ),
]

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


command = Commands()


@command("list")
def _list(
    run: Run,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Only what concerns these files.", show_default="all")
    ] = None,
    status: Annotated[str, typer.Option(help="pending, applied or dismissed.")] = "pending",
    maybe: Annotated[
        bool,
        typer.Option(
            "--maybe", help="Instead, what you said that could be a rule and is not sure enough to be suggested."
        ),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with 3 when something is pending.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="All at once, instead of first what is new since your last look.")
    ] = False,
) -> int:
    """Show what is pending, grouped by the kind of file it goes to; on a terminal first what is new."""
    from memsuggest.cli.dialog import emit_look
    from memsuggest.suggestions.review import list_suggestions

    if maybe:
        from memsuggest.suggestions.maybes import list_maybes

        if paths or check or status != "pending":
            raise typer.BadParameter("it goes with no FILE, `--status` or `--check`", param_hint="--maybe")
        run.emit(list_maybes(run.look()))
        return 0
    context = run.look()
    report = list_suggestions(context, status=status, paths=paths)
    emit_look(run, context, report, is_whole=every)
    return FOUND if check and report.suggestions else 0


@command("show")
def _show(
    run: Run,
    wanted: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE",
            help="A suggestion or a maybe, by the beginning of its id; or a file, for what is pending for it.",
            autocompletion=suggestion_ids,
        ),
    ],
) -> None:
    """Explain one suggestion: the diff, the evidence, why this file, and who reads it."""
    from memsuggest.cli.dialog import emit_one
    from memsuggest.suggestions.review import show_whole

    context = run.look()
    emit_one(run, context, show_whole(context, wanted))


@command("review", formats=("text",))
def _review(
    run: Run,
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE",
            help="Only these, or what concerns these files.",
            show_default="all",
            autocompletion=suggestion_ids,
        ),
    ] = None,
    maybe: Annotated[bool, typer.Option("--maybe", help="Walk through `list --maybe` instead.")] = False,
    tui: Annotated[
        bool | None,
        typer.Option(
            "--tui/--lines",
            help="On the whole screen, or one suggestion after the other.",
            show_default="the setting `reviewScreen`",
        ),
    ] = None,
) -> int | None:
    """Walk through what is pending with single keys, like `git add -p`: apply, move, edit, dismiss, take back."""
    if maybe and wanted:
        raise typer.BadParameter("it goes with no ID or FILE", param_hint="--maybe")
    from memsuggest.tui import is_wanted, review_full_screen

    if tui or (tui is None and is_wanted(run)):
        return review_full_screen(run, wanted or [], is_maybe=maybe)
    from memsuggest.suggestions.review_loop import review_each, review_maybes

    if maybe:
        review_maybes(run)
    else:
        review_each(run, wanted or [])
    return None


@command("apply")
def _apply(
    run: Run,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Suggestions, or maybes of `list --maybe`, by beginnings of their ids, of four characters or more.",
            autocompletion=suggestion_ids,
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="All that are pending, except what runs a command or weakens safety.",
        ),
    ] = False,
    similar: Annotated[
        str | None,
        typer.Option(metavar="ID", help="This one, and all that say much the same.", autocompletion=suggestion_ids),
    ] = None,
    yes: YesOption = False,
) -> None:
    """Write suggestions into their files, exactly as shown; `undo` takes it back."""
    from memsuggest.cli.dialog import apply_asking

    if sum([bool(ids), every, bool(similar)]) != 1:
        raise typer.BadParameter("name suggestions, or give `--all`, or `--similar ID`")
    apply_asking(run, ids=ids or [], every=every, similar=similar, yes=yes)


@command("move")
def _move(
    run: Run,
    id: IdArgument,
    place: Annotated[
        str | None,
        typer.Argument(
            help="A file, a heading of its own file as `#Testing`, or both as `AGENTS.md#Testing`.",
            show_default="shows the next best places, and asks",
        ),
    ] = None,
    heading: Annotated[
        str | None, typer.Option("--heading", metavar="H", help="The heading there.", show_default="the file decides")
    ] = None,
    make: Annotated[
        bool, typer.Option("--make", help="Make the file or the heading where it is not there yet.")
    ] = False,
) -> None:
    """Let a suggestion go to another place: nothing is written before you apply it."""
    from memsuggest.cli.dialog import list_places, move_asking

    if place and heading and "#" in place:
        raise typer.BadParameter("PLACE names a heading already", param_hint="--heading")
    if run.format == "json" and not (place or heading):
        list_places(run, id)
    else:
        move_asking(run, id, file=place or "", heading=heading or "", makes=make)


@command("edit")
def _edit(
    run: Run,
    id: IdArgument,
    patch: Annotated[
        bool, typer.Option("--patch", help="Edit the whole file as it would be, not only the text.")
    ] = False,
    yes: YesOption = False,
) -> None:
    """Change the words of a suggestion in your editor, see the new diff, and apply it."""
    from memsuggest.cli.dialog import edit_asking

    edit_asking(run, id, patch=patch, yes=yes)


@command("dismiss")
def _dismiss(
    run: Run,
    ids: IdsArgument,
    here: Annotated[bool, typer.Option("--here", help="Only for this file; it may be suggested for another.")] = False,
) -> None:
    """Dismiss suggestions until you say the same again."""
    from memsuggest.suggestions.dismiss import dismiss

    run.emit(dismiss(run.context(), ids, only_here=here))


@command("undo")
def _undo(
    run: Run, listed: Annotated[bool, typer.Option("--list", help="Show the last twenty decisions instead.")] = False
) -> None:
    """Take the last decision back, whatever it was: applied, dismissed, edited, moved, forgotten, confirmed."""
    from memsuggest.suggestions.new_suggestions import note_met
    from memsuggest.suggestions.undo import list_decisions, undo

    context = run.context()
    if listed:
        run.emit(list_decisions(context))
        return
    done = undo(context)
    note_met(context, done.taken.ids)  # who decided about it knows it
    run.emit(done)
