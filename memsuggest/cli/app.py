"""The application: its one-screen help, the options that work everywhere, and its commands in their groups."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from importlib import import_module
from typing import Annotated

import typer

from memsuggest import __version__
from memsuggest.cli import help_pages
from memsuggest.cli.global_options import FormatOption, OfflineOption, QuietOption, RepoOption
from memsuggest.cli.help_pages import WIDTH, HelpCommand, HelpGroup
from memsuggest.cli.run import Commands, Run, in_paragraphs

COMMANDS = {
    "learning.commands": ("reconcile", "extract", "remember", "facts"),
    "learning.watch_command": ("watch",),
    "memory.commands": ("recall", "memory", "facts", "consolidate", "identity", "apps"),
    "memory.clean_commands": ("memory", "facts", "consolidate"),
    "notes.commands": ("notes",),
    "suggestions.commands": ("list", "show", "review", "apply", "move", "edit", "dismiss", "undo"),
    "cli.look_commands": ("status", "suggest", "targets", "transcripts", "redact"),
    "held.commands": ("held", "coverage", "report"),
    "pull_requests.commands": ("comment",),
    "judging.commands": ("ask", "answer", "consent", "usage"),
    "graphiti.commands": ("graphiti",),
    "assistants.commands": ("hooks", "hook", "mcp"),
    "setup.commands": ("setup", "config", "doctor", "demo", "trust", "serve", "schema"),
}
"""The modules with commands, each in its feature's room, and the commands that each adds, in the order of the help."""

EPILOG = (
    "Exit codes: 0 success · 1 failure with a hint · 2 usage error · 3 `--check` found something · 130 interrupted."
)


def build_app(words: Collection[str], *, is_help: bool = False) -> typer.Typer:
    """Return the application for a command line.

    Only modules with a command that is among its words are loaded, which halves what `status` costs; all of them when
    there is none, and none where only the first page of help or the version is wanted.
    """
    app = typer.Typer(
        cls=HelpGroup,
        name="memsuggest",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        epilog=EPILOG,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    )
    app.callback(help=in_paragraphs(inspect.getdoc(_everywhere) or ""))(_everywhere)
    app.command("help", help=in_paragraphs(inspect.getdoc(_help) or ""), cls=HelpCommand)(_help)
    needed = [module for module, names in COMMANDS.items() if not set(names).isdisjoint(words)]
    for module in () if is_help else needed or COMMANDS:
        loaded = import_module(f"memsuggest.{module}")
        for found in vars(loaded).values():
            if isinstance(found, Commands) and not found.within:
                app.add_typer(found.typer)
    return app


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"memsuggest {__version__}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
]


def _help(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="The command to describe.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every command.")] = False,
) -> None:
    """Show help for a command with all of its options, or list every command."""
    help_pages.is_whole = bool(words) or every
    root = ctx.find_root()
    try:
        root.command.main([*(words or ()), "--help"], prog_name=root.info_name, standalone_mode=False)
    finally:
        help_pages.is_whole = False


def _everywhere(
    ctx: typer.Context,
    repo: RepoOption = None,
    format: FormatOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    version: VersionOption = False,
) -> None:
    """Learn from what you tell your coding assistants.

    memsuggest reads your saved chats, finds the lasting rules and facts you stated, and proposes exact edits to the
    repo's AI customization files. You apply, edit or dismiss each one.
    """
    ctx.obj = Run(repo=repo, format=format, offline=offline, quiet=quiet)
