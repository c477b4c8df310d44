"""The application: its one-screen help, the options that work everywhere, and its commands in their groups."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli import care, deciding, facts, learning, looking
from memsuggest.cli.run import FormatOption, OfflineOption, QuietOption, RepoOption, Run

EPILOG = "Exit codes: 0 fine · 1 an expected failure, with a hint · 2 wrong usage · 3 `--check` found something · 130 interrupted."

app = typer.Typer(
    name="memsuggest",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        from memsuggest import __version__

        typer.echo(f"memsuggest {__version__}")
        raise typer.Exit


@app.callback()
def _everywhere(
    ctx: typer.Context,
    repo: RepoOption = None,
    format: FormatOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=lambda value: _print_version(wanted=value)
        ),
    ] = False,
) -> None:
    """Learn from what you tell your coding assistants.

    memsuggest reads the chats they leave behind, finds the durable things you said, and proposes exact edits of the
    repo's AI customization files. You apply, edit or dismiss.
    """
    ctx.obj = Run(repo=repo, format=format, offline=offline, quiet=quiet)


learning.add_to(app)
deciding.add_to(app)
looking.add_to(app)
facts.add_to(app)
care.add_to(app)
