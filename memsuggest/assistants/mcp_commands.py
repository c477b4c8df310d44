"""The commands of `mcp`: the assistants' own tool, and its entry in their settings."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.assistants.mcp_server import MemoryCalls
    from memsuggest.core.context import Context

HostOption = Annotated[
    str, typer.Option("--for", metavar="ASSISTANT", help="vscode, claude-code, codex, cursor or copilot-cli.")
]
UserOption = Annotated[bool, typer.Option("--user", help="Use your personal settings for all repos.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")]


mcp_command = Commands("mcp")


@mcp_command("")
def _serve(run: Run) -> None:
    """Serve memory to an assistant over MCP. Assistants start this themselves.

    The server uses stdin and stdout. `mcp install` adds it to an assistant.
    """
    calls = _calls(run)
    from memsuggest.assistants.mcp_server import serve_stdio

    if sys.stdin.isatty():
        run.say("waiting for an assistant on stdin; `memsuggest mcp install` connects one, Ctrl-C stops the server")
    serve_stdio(calls)


def _calls(run: Run) -> MemoryCalls:
    """Return what the server asks; raises MemsuggestError where the protocol's package is missing."""
    from memsuggest.core.errors import MemsuggestError

    try:
        import memsuggest.assistants.mcp_server  # noqa: F401
    except ImportError as error:
        raise MemsuggestError(
            f"the MCP server needs the extra `mcp`: {error}", hint="run `pip install '.[mcp]'` in the clone"
        ) from None
    from memsuggest.assistants.mcp_calls import ContextCalls

    if run.repo is not None:
        run.context().close()  # a folder that was named wrongly is told at once
    return ContextCalls(_opening(run))


def _opening(run: Run) -> Callable[[], Context]:
    """Return a way to open the workspace for one call; whoever opens it closes it."""
    from contextlib import ExitStack
    from dataclasses import replace

    return lambda: replace(run, opened=ExitStack()).context()


@mcp_command("install")
def _install(run: Run, host: HostOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Add memsuggest to an assistant's MCP servers, after showing the diff and asking."""
    _change(run, host, is_user=user, yes=yes, is_removal=False)


@mcp_command("uninstall")
def _uninstall(run: Run, host: HostOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Remove memsuggest from an assistant's MCP servers."""
    _change(run, host, is_user=user, yes=yes, is_removal=True)


@mcp_command("show")
def _show(run: Run) -> None:
    """Show which assistants' files list memsuggest as an MCP server."""
    from memsuggest.assistants.mcp_hosts import show

    run.emit(show(run.context()))


def _change(run: Run, host: str, *, is_user: bool, yes: bool, is_removal: bool) -> None:
    from memsuggest.assistants.commands import require_terminal, written
    from memsuggest.assistants.install_hooks import note_on_path
    from memsuggest.assistants.mcp_hosts import plan
    from memsuggest.files.journal import SERVERS

    what = f"mcp {'uninstall' if is_removal else 'install'} --for {host}{' --user' if is_user else ''}"
    require_terminal(what, yes=yes)
    context = run.context()
    edit = plan(context, host, is_user=is_user, is_removal=is_removal)
    is_shared = not (is_user or is_removal)
    is_written = written(run, context, edit, verb=SERVERS, yes=yes, what="the assistant will run this command")
    if is_written and is_shared and (note := note_on_path(os.environ)):
        run.say(note)
