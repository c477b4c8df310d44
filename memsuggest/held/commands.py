"""Commands that show whether it works: `held`, `coverage`, `report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.report.workspace_report import WorkspaceReport

command = Commands()

SinceOption = Annotated[
    str | None,
    typer.Option(
        metavar="DAYS|DATE|all", help="Only chats that began since then count.", show_default="all that were noted"
    ),
]


@command("held")
def _held(
    run: Run,
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE", help="The id of a rule, a file, or FILE:LINE.", show_default="rules with evidence"
        ),
    ] = None,
    since: SinceOption = None,
) -> None:
    """Show whether the rules that you applied, or said again in a chat, hold; for a file, all of its rules.

    A rule holds when it was relevant in enough chats whose assistant had read the file, and you did not say it again.
    It does not hold when you did; the quotes say so. It is untested when it was relevant in fewer than 5 chats, and not
    loaded when the assistants of those chats do not read the file.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.held.find_coverage import chats_since, files_of, only_rules
    from memsuggest.held.find_held import find_held

    context = run.look()
    began = chats_since(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        files = files_of(context, rule) if rule is not None else None
        report = find_held(context, since=began, only=files, progress=progress)
    run.emit(report if rule is None or files is None else only_rules(report, rule, files))


@command("coverage")
def _coverage(
    run: Run,
    last: Annotated[
        int, typer.Option(metavar="CHATS", min=1, max=100_000, help="A file is idle that none of so many chats used.")
    ] = 20,
    since: SinceOption = None,
) -> None:
    """Show what you keep saying that no file says, and files that no chat used, with what they cost.

    Gaps are things said in two chats and more, by you or by others as the team's facts tell; the dearest come first:
    times said, times chats. `held` is for what does stand in a file.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.held.find_coverage import chats_since, find_coverage

    context = run.look()
    began = chats_since(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        report = find_coverage(context, last=last, since=began, progress=progress)
    run.emit(report)


_STDOUT = Path("-")


@command("report", formats=("html", "json"))
def _report(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it goes; `-` is stdout.", show_default="a private folder")
    ] = None,
    since: SinceOption = None,
    team: Annotated[
        bool, typer.Option("--team", help="Only what the repo's files say, and counts of chats: nothing personal.")
    ] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    badge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a badge for a README (SVG): rules held, n of m.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file even if it is not a report.")] = False,
) -> None:
    """Write one page about it all: what was learned, what is pending, which rules hold, and what files cost.

    It is a single file that loads nothing from anywhere; every number opens its evidence. It has your own words in it,
    so it goes to a private folder unless you name a file; `--team` makes one that can be shown around.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.held.find_coverage import chats_since
    from memsuggest.report.gather import make_report

    if run.format == "json" and (out or open_it):
        raise typer.BadParameter("JSON goes to stdout: `> FILE`", param_hint="--format")
    is_page = bool(out or open_it or not badge)
    if is_page and run.format != "json":
        _require_templates()
    context = run.look()
    began = chats_since(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        report = make_report(context, since=began, is_team=team or not is_page, progress=progress)
    if badge:
        _write_badge(run, report if report.is_team else _for_team(context, report), badge, is_forced=force)
    if run.format == "json":
        from memsuggest.core.json_shape import render

        run.print(render(report))
    elif is_page:
        _write(run, context, report, out, is_forced=force, is_shown=open_it)


def _require_templates() -> None:
    from memsuggest.core.errors import MemsuggestError

    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MemsuggestError(
            f"the page needs the extra `report`: {error}",
            hint="`pip install '.[report]'` in the clone; `--format json` needs none",
        ) from None


def _for_team(context: Context, report: WorkspaceReport) -> WorkspaceReport:
    """Return what a README may say."""
    from memsuggest.report.gather import shared_parts
    from memsuggest.report.team_view import for_team

    return for_team(report, shared_parts(context))


def _write_badge(run: Run, report: WorkspaceReport, path: Path, *, is_forced: bool) -> None:
    from memsuggest.held.badge import MARK, badge
    from memsuggest.report.write_page import write_page

    write_page(path, badge(report.held), mark=MARK, is_forced=is_forced, is_private=False)
    run.say(f"wrote {path}")


def _write(
    run: Run, context: Context, report: WorkspaceReport, out: Path | None, *, is_forced: bool, is_shown: bool
) -> None:
    """Write the page; its path is what the command prints."""
    from memsuggest.report.report_page import MARK, page
    from memsuggest.report.write_page import usual_place, write_page

    text = page(report)
    if out == _STDOUT:
        run.print(text)
        return
    path = (out or usual_place(context)).absolute()
    write_page(path, text, mark=MARK, is_forced=is_forced, is_private=not report.is_team)
    run.print(f"{path}\n")
    if not report.is_team and path.is_relative_to(context.root):
        run.say("it has your own words in it: do not commit it, `--team` makes one that can be shown around")
    if is_shown:
        _show(run, path)
    elif sys.stderr.isatty():
        run.say("open it in a browser; `--open` does")


def _show(run: Run, path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.as_uri()):
        run.say("no browser was found: open the file yourself")
