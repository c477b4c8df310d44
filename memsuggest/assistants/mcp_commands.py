"""The commands of `mcp`: the assistants' own tool, and its entry in their settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from memsuggest.assistants.mcp_calls import ContextCalls

PORT = 8766
HostOption = Annotated[
    str, typer.Option("--for", metavar="ASSISTANT", help="vscode, claude-code, codex, cursor or copilot-cli.")
]
UserOption = Annotated[bool, typer.Option("--user", help="Use your personal settings file for all repos.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")]


mcp_command = Commands("mcp")


@mcp_command("")
def _serve(
    run: Run,
    http: Annotated[bool, typer.Option("--http", help="Serve over local HTTP. Clients must send a token.")] = False,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port for `--http`; 0 picks a free port.", show_default=str(PORT)),
    ] = None,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="For `--http`: create a new token and invalidate the old one.")
    ] = False,
) -> None:
    """Serve memory to an assistant over MCP. Assistants start this command themselves.

    The server uses stdin and stdout. `mcp install` adds the server to an assistant.
    """
    if not http and (port is not None or new_token):
        raise typer.BadParameter("requires `--http`", param_hint="--port" if port is not None else "--new-token")
    calls = _calls(run)
    if http:
        _serve_http(run, calls, port=PORT if port is None else port, is_new_token=new_token)
    else:
        import sys

        from memsuggest.assistants.mcp_server import serve_stdio

        if sys.stdin.isatty():
            run.say(
                "waiting for an assistant on stdin; to connect one, run `memsuggest mcp install`; press Ctrl-C to stop"
            )
        serve_stdio(calls)


def _calls(run: Run) -> ContextCalls:
    """Return what the server asks; raises MemsuggestError where the protocol's package is missing."""
    from contextlib import ExitStack
    from dataclasses import replace

    from memsuggest.core.errors import MemsuggestError

    try:
        import memsuggest.assistants.mcp_server  # noqa: F401
    except ImportError as error:
        raise MemsuggestError(
            f"the MCP server needs the `mcp` extra: {error}", hint="run `pip install '.[mcp]'` in your memsuggest clone"
        ) from None
    from memsuggest.assistants.mcp_calls import ContextCalls

    if run.repo is not None:
        run.context().close()  # a folder that was named wrongly is told at once
    return ContextCalls(lambda: replace(run, opened=ExitStack()).context())


def _serve_http(run: Run, calls: ContextCalls, *, port: int, is_new_token: bool) -> None:
    from memsuggest.assistants.mcp_server import PATH, serve_http
    from memsuggest.core.workspace import find_folders, this_machine
    from memsuggest.memory.loopback_auth import HOST, listen, read_token

    token_path = find_folders(this_machine().environ).config / "mcp-token"
    with listen(port) as listening:
        token = read_token(token_path, is_new=is_new_token)
        run.say(f"serving at http://{HOST}:{listening.getsockname()[1]}{PATH}; press Ctrl-C to stop")
        run.say(f"token file: {token_path}")
        serve_http(calls, token=token, listening=listening)


@mcp_command("install")
def _install(run: Run, host: HostOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Add memsuggest to an assistant's MCP servers after showing the diff and asking for confirmation."""
    _change(run, host, is_user=user, yes=yes, is_removal=False)


@mcp_command("uninstall")
def _uninstall(run: Run, host: HostOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Remove memsuggest from an assistant's MCP servers."""
    _change(run, host, is_user=user, yes=yes, is_removal=True)


@mcp_command("show")
def _show(run: Run) -> None:
    """List the assistants' files that include memsuggest as an MCP server."""
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
