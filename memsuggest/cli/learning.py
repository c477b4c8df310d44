"""Commands that learn: `reconcile`, `extract`, `remember`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Run, add_command

PANEL = "Learn"
FOUND = 3
"""The exit code of `--check` when something is pending."""

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Transcripts, or folders of them.", show_default="this workspace's own"),
]
PersonOption = Annotated[
    str | None, typer.Option("--person", metavar="NAME", help="Who the person is in `Name: text` dialogues.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add_command(app, "reconcile", panel=PANEL)(_reconcile)
    add_command(app, "extract", panel=PANEL)(_extract)
    add_command(app, "remember", panel=PANEL)(_remember)


def _reconcile(
    run: Run,
    paths: PathsArgument = None,
    mode: Annotated[str | None, typer.Option(help="off, eager, occasional or manual, for this run.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit with 3 when something is pending.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Store nothing, show what would be suggested.")] = False,
    person: PersonOption = None,
) -> int:
    """Read what is new, learn from it, and show what is worth writing down."""
    from memsuggest.cli.progress import shown_progress
    from memsuggest.workflows.reconcile import reconcile

    desk = run.desk(mode=mode)
    with shown_progress(quiet=run.quiet) as progress:
        report = reconcile(desk.dry() if dry_run else desk, paths=paths or [], person=person, progress=progress)
    run.emit(report)
    return FOUND if check and report.suggestions else 0


def _extract(
    run: Run,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Transcripts, or folders of them.")],
    engine: Annotated[str | None, typer.Option(help="auto or offline.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say for each sentence why it was kept or dropped.")
    ] = False,
    person: PersonOption = None,
) -> None:
    """Print what transcripts have worth remembering; store nothing."""
    from memsuggest.cli.progress import shown_progress
    from memsuggest.workflows.extract import extract

    with shown_progress(quiet=run.quiet) as progress:
        report = extract(paths, engine=engine or "auto", person=person, explain=explain, progress=progress)
    run.emit(report)


def _remember(
    run: Run,
    text: Annotated[str, typer.Argument(help="What to remember, as a rule: `use pnpm, not npm`.")],
    user: Annotated[bool, typer.Option("--user", help="It is about you, not about this repo.")] = False,
    kind: Annotated[str | None, typer.Option(help="preference, convention, correction, procedure, fact …")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="A file it is about.")] = None,
) -> None:
    """Add a fact by hand and see where it belongs on the next `reconcile`."""
    from memsuggest.workflows.facts import add_fact

    run.emit(add_fact(run.desk(), text, is_users=user, kind=kind, paths=path or []))
