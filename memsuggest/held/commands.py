"""Commands that show whether it works: `held`, `report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.core.config import ALL
from memsuggest.core.text.when import parse_moment

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.report.report_data import WorkspaceReport

command = Commands()

SinceOption = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN|all",
        help="Count only chats since a date, or up to an age such as 30d.",
        show_default="all known chats",
    ),
]


@command("held")
def _held(
    run: Run,
    rule: Annotated[
        str | None,
        typer.Argument(metavar="RULE", help="A rule's ID, a file, or FILE:LINE.", show_default="rules with evidence"),
    ] = None,
    since: SinceOption = None,
) -> None:
    """Show whether the rules you applied or repeated are being followed, and which rules you keep repeating that are
    not in any file.

    A rule holds if it was relevant in enough chats whose assistant had read the file, and you did not repeat it. A
    rule does not hold if you repeated it; the report quotes you. A rule is untested if it was relevant in fewer than
    5 chats; it is not loaded if assistants do not read its file. If you name a file, all of its rules are shown.

    A gap is a rule that is in no file, although you (or, according to the team's facts, others) stated it in two or
    more chats. Gaps are sorted by mentions × chats, highest first.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.held.find_held import files_of, find_held, only_rules

    context = run.look()
    began = None if since == ALL else parse_moment(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        files = files_of(context, rule) if rule is not None else None
        report = find_held(context, since=began, only=files, progress=progress)
    run.emit(report if rule is None or files is None else only_rules(report, rule, files))


_STDOUT = Path("-")


@command("report", formats=("html", "json"))
def _report(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file to write, or `-` for stdout.", show_default="a private folder"),
    ] = None,
    since: SinceOption = None,
    team: Annotated[
        bool, typer.Option("--team", help="Leave out personal data: include only the repo's files and chat counts.")
    ] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
    badge: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=("Write an SVG badge, for example for a README, that shows how many rules are being followed."),
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file even if it is not a report.")] = False,
) -> None:
    """Write a one-page report: what was learned, what is pending, which rules are followed, and what the files cost.

    The report is a self-contained HTML file, and every number links to its evidence. The report quotes your chats, so
    it is written to a private folder unless you choose a file. `--team` writes a report you can share.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.core.json_shape import render
    from memsuggest.report.gather import for_team, make_report, shared_parts
    from memsuggest.report.write_page import BADGE_MARK, draw_badge, write_page

    if run.format == "json" and (out or open_it):
        raise typer.BadParameter("JSON is written to stdout; redirect the output with `> FILE`", param_hint="--format")
    is_page = run.format != "json" and bool(out or open_it or not badge)
    if is_page:
        _require_templates()
    context = run.look()
    began = None if since == ALL else parse_moment(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        report = make_report(context, since=began, is_team=team or bool(badge and not is_page), progress=progress)
    if badge:
        shared = report if report.is_team else for_team(report, shared_parts(context))
        text = draw_badge(shared.held)
        write_page(badge, text, mark=BADGE_MARK, is_forced=force, is_private=False)
        run.say(f"wrote {badge}")
    if run.format == "json":
        run.print(render(report))
    elif is_page:
        _write(run, context, report, out, is_forced=force, is_shown=open_it)


def _require_templates() -> None:
    from memsuggest.core.errors import MemsuggestError

    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MemsuggestError(
            f"the HTML report needs the `report` extra: {error}",
            hint="run `pip install '.[report]'` in your memsuggest clone, or use `--format json`",
        ) from None


def _write(
    run: Run, context: Context, report: WorkspaceReport, out: Path | None, *, is_forced: bool, is_shown: bool
) -> None:
    import webbrowser

    from memsuggest.report.report_page import MARK, page
    from memsuggest.report.write_page import write_page

    text = page(report)
    if out == _STDOUT:
        run.print(text)
        return
    path = (out or context.report_path).absolute()
    write_page(path, text, mark=MARK, is_forced=is_forced, is_private=not report.is_team)
    run.print(f"{path}\n")
    if not report.is_team and path.is_relative_to(context.root):
        run.say("the report quotes your chats, so do not commit it; `--team` writes a report you can share")
    if is_shown and not webbrowser.open(path.as_uri()):
        run.say("no browser found; open the file yourself")
    elif not is_shown and sys.stderr.isatty():
        run.say("open the file in a browser, or use `--open`")
