"""Commands that decide: `list`, `show`, `review`, `apply`, `move`, `edit`, `dismiss`, `undo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

FOUND = 3
"""The exit code of `--check` when something is pending."""

Id = typer.Argument(
    metavar="ID", help="ID of a pending or low-confidence suggestion (at least the first four characters)."
)
Ids = typer.Argument(
    metavar="ID",
    help="IDs of pending or low-confidence suggestions (at least the first four characters of each).",
)
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


command = Commands()


@command("list")
def _list(
    run: Run,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Show only suggestions for these files.", show_default="all"),
    ] = None,
    status: Annotated[str, typer.Option(help="Status to list: pending, applied or dismissed.")] = "pending",
    maybe: Annotated[
        bool,
        typer.Option("--maybe", help="Show low-confidence suggestions instead: things you said that could be rules."),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with code 3 if any suggestion is pending.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show all suggestions, including those you have already seen.")
    ] = False,
) -> int:
    """List pending suggestions, grouped by kind of file; in a terminal, new ones first."""
    from memsuggest.cli.dialog import emit_look
    from memsuggest.suggestions.list_and_show import list_suggestions

    if maybe:
        from memsuggest.suggestions.list_and_show import list_maybes

        if paths or check or status != "pending":
            raise typer.BadParameter("cannot be combined with FILE, `--status` or `--check`", param_hint="--maybe")
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
            help="ID of a suggestion (at least the first four characters), or a file with pending suggestions.",
        ),
    ],
) -> None:
    """Show a suggestion's diff and evidence, why it belongs in its file, and which assistants read that file."""
    from memsuggest.cli.dialog import emit_one
    from memsuggest.suggestions.list_and_show import show_whole

    context = run.look()
    emit_one(run, context, show_whole(context, wanted))


@command("review", formats=("text",))
def _review(
    run: Run,
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE",
            help="Review only these suggestions, or only suggestions for these files.",
            show_default="all",
        ),
    ] = None,
    maybe: Annotated[bool, typer.Option("--maybe", help="Review low-confidence suggestions instead.")] = False,
    tui: Annotated[
        bool | None,
        typer.Option(
            "--tui/--lines",
            help="Review in full-screen mode, or one suggestion at a time.",
            show_default="the `reviewScreen` setting",
        ),
    ] = None,
) -> int | None:
    """Review pending suggestions with single keys, like `git add -p`: apply, move, edit, dismiss or undo."""
    if maybe and wanted:
        raise typer.BadParameter("cannot be combined with ID or FILE", param_hint="--maybe")
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
    ids: Annotated[list[str] | None, Ids] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Apply all pending suggestions, except those that run commands or weaken safety.",
        ),
    ] = False,
    similar: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Apply this suggestion and all similar ones."),
    ] = None,
    yes: YesOption = False,
) -> int:
    """Write suggestions to their files, exactly as shown; `undo` reverts this."""
    from memsuggest.suggestions.decision_dialogs import apply_asking

    if sum([bool(ids), every, bool(similar)]) != 1:
        raise typer.BadParameter("specify one or more IDs, `--all` or `--similar ID`")
    return apply_asking(run, ids=ids or [], every=every, similar=similar, yes=yes)


@command("move")
def _move(
    run: Run,
    id: Annotated[str, Id],
    place: Annotated[
        str | None,
        typer.Argument(
            help="A file, a heading in the current file (`#Testing`), or both (`AGENTS.md#Testing`).",
            show_default="lists the next best places to choose from",
        ),
    ] = None,
    heading: Annotated[
        str | None,
        typer.Option("--heading", metavar="H", help="The heading in the file.", show_default="chosen automatically"),
    ] = None,
    make: Annotated[bool, typer.Option("--make", help="Create the file or heading if it does not exist.")] = False,
) -> None:
    """Move a suggestion to another file or heading; nothing is written until you apply it."""
    from memsuggest.suggestions.decision_dialogs import list_places, move_asking

    if place and heading and "#" in place:
        raise typer.BadParameter("PLACE already includes a heading", param_hint="--heading")
    if run.format == "json" and not (place or heading):
        list_places(run, id)
    else:
        move_asking(run, id, file=place or "", heading=heading or "", makes=make)


@command("edit")
def _edit(
    run: Run,
    id: Annotated[str, Id],
    patch: Annotated[
        bool, typer.Option("--patch", help="Edit the whole resulting file instead of the rule alone.")
    ] = False,
    yes: YesOption = False,
) -> None:
    """Edit the text of a suggestion in your editor, see the new diff, and apply it."""
    from memsuggest.suggestions.decision_dialogs import edit_asking

    edit_asking(run, id, patch=patch, yes=yes)


@command("dismiss")
def _dismiss(
    run: Run,
    ids: Annotated[list[str], Ids],
    here: Annotated[
        bool, typer.Option("--here", help="Dismiss for this file only; other files may still be suggested.")
    ] = False,
) -> None:
    """Dismiss suggestions; they return only if you say the same thing again."""
    from memsuggest.suggestions.apply_and_undo import dismiss

    run.emit(dismiss(run.context(), ids, only_here=here))


@command("undo")
def _undo(
    run: Run, listed: Annotated[bool, typer.Option("--list", help="List the last 20 decisions instead.")] = False
) -> None:
    """Undo your last decision, whatever it was. Run `undo` again to go further back."""
    from memsuggest.suggestions.apply_and_undo import list_decisions, undo
    from memsuggest.suggestions.list_and_show import note_met

    context = run.context()
    if listed:
        run.emit(list_decisions(context))
        return
    done = undo(context)
    note_met(context, done.taken.ids)  # who decided about it knows it
    run.emit(done)
