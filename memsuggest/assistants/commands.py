"""The commands `hooks`, `hook` and `mcp`, and the skill for the assistant in the chat."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.run import Commands, Run
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.plain_reports import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.context import Context
    from memsuggest.core.model import Edit


HostOption = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="ASSISTANT",
        help="vscode, copilot-cli or claude-code; with `--skill`, also codex or cursor.",
        show_default="with `--skill`, all of them",
    ),
]
SkillOption = Annotated[bool, typer.Option("--skill", help="Instead of hooks, install the `memsuggest ask` skill.")]
RecallOption = Annotated[
    bool,
    typer.Option(
        "--recall", help="Also provide memory to the assistant: who you are and the entries that match each prompt."
    ),
]
NoRecallOption = Annotated[
    bool, typer.Option("--recall", help="Stop providing memory to the assistant; keep the other hooks.")
]
LocalOption = Annotated[
    bool, typer.Option("--local", help="Use your personal settings file for this repo (Claude Code only).")
]
UserOption = Annotated[bool, typer.Option("--user", help="Use your personal settings file for all repos.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")]


command = Commands()
hooks_command = Commands(
    "hooks", "Let assistants report finished turns, and list pending suggestions when a session starts."
)


@hooks_command("install")
def _install(  # noqa: PLR0913, PLR0917  (its options)
    run: Run,
    host: HostOption = None,
    user: UserOption = False,
    yes: YesOption = False,
    skill: SkillOption = False,
    recall: RecallOption = False,
    local: LocalOption = False,
) -> None:
    """Add memsuggest's hooks or skill to an assistant after showing the diff and asking for confirmation."""
    if not skill:
        _change(run, host, user=user, local=local, yes=yes, is_removal=False, with_recall=recall)
        return
    context = _change_skill(run, host, is_user=user, yes=yes, is_removal=False)

    from memsuggest.judging.consent_dialog import ask_for_consent
    from memsuggest.judging.engine_choice import receiver_of
    from memsuggest.judging.engine_offers import grant_consent
    from memsuggest.judging.engines.receiver import CHAT
    from memsuggest.learning.next_packet import has_consent

    if has_consent(context):
        return
    receiver = receiver_of(context, CHAT)  # asked for once for a workspace, on a terminal
    if is_interactive() and not run.quiet and ask_for_consent(context, receiver):
        grant_consent(context, receiver)
        run.say("consent granted; to revoke it, run `memsuggest consent revoke --endpoint chat`")
    else:
        run.say("note: assistants receive no data until you run `memsuggest consent grant --engine chat` in this repo")


@hooks_command("uninstall")
def _uninstall(  # noqa: PLR0913, PLR0917  (its options)
    run: Run,
    host: HostOption = None,
    user: UserOption = False,
    yes: YesOption = False,
    skill: SkillOption = False,
    recall: NoRecallOption = False,
    local: LocalOption = False,
) -> None:
    """Remove memsuggest's hooks or skill from an assistant."""
    if skill:
        _change_skill(run, host, is_user=user, yes=yes, is_removal=True)
    else:
        _change(run, host, user=user, local=local, yes=yes, is_removal=True, with_recall=recall)


def _change(  # noqa: PLR0913  (a command's options)
    run: Run, host: str | None, *, user: bool, local: bool, yes: bool, is_removal: bool, with_recall: bool
) -> None:
    from memsuggest.assistants.install_hooks import At, note_on_path, plan
    from memsuggest.files.journal import HOOKS

    if user and local:
        raise typer.BadParameter("cannot be used with `--user`", param_hint="--local")
    if host is None:
        raise typer.BadParameter("choose an assistant: vscode, copilot-cli or claude-code", param_hint="--for")
    at = At.USER if user else At.LOCAL if local else At.REPO
    options = f"{'' if at is At.REPO else f' --{at.value}'}{' --recall' if with_recall else ''}"
    require_terminal(f"hooks {'uninstall' if is_removal else 'install'} --for {host}{options}", yes=yes)
    context = run.context()
    edit = plan(context, host, at=at, is_removal=is_removal, with_recall=with_recall)
    if not written(run, context, edit, verb=HOOKS, yes=yes, what="this hook runs a command") or is_removal:
        return
    if at is At.REPO and (note := note_on_path(os.environ)):
        run.say(note)
    if at is At.REPO and host != "claude-code":
        run.say("note: VS Code and Copilot CLI run a repo's hooks only in folders that you trust")


def require_terminal(words: str, *, yes: bool) -> None:
    if not yes and not is_interactive():
        raise MemsuggestError(
            "nothing was written: not running in a terminal", hint=f"run `memsuggest {words} --yes` to skip the prompt"
        )


def written(run: Run, context: Context, edit: Edit, *, verb: str, yes: bool, what: str) -> bool:
    from memsuggest.assistants.install_hooks import carry
    from memsuggest.suggestions.target_paths import HOST

    if edit.before == edit.after:
        path = edit.path.removeprefix(HOST)
        run.emit_nothing(Text(text="nothing to change", payload={"path": path, "changed": False}))
        return False
    if not is_agreed(run, [edit], yes=yes, question=f"{what}; type `yes` to write the file"):
        run.say("nothing was written")
        return False
    run.emit(carry(context, [edit], verb=verb))
    return True


def is_agreed(run: Run, edits: Sequence[Edit], *, yes: bool, question: str) -> bool:
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.target_paths import HOST

    for edit in edits:
        run.say(unified(replace(edit, path=edit.path.removeprefix(HOST))))
    if yes or not question:
        return yes or typer.confirm("Write this?", default=False, err=True)
    return bool(typer.prompt(question, default="no", show_default=False, err=True) == "yes")


@hooks_command("show")
def _show(run: Run) -> None:
    """List the assistants' files that contain memsuggest's hooks or skill."""
    from memsuggest.assistants.install_hooks import show

    run.emit(show(run.context()))


@command("hook", hidden=True)
def _hook(
    run: Run,
    catch_up: Annotated[bool, typer.Option("--catch-up", help="Learn from new chats in the background.")] = False,
    recall: RecallOption = False,
) -> None:
    """Handle an assistant's hook event. Assistants run this command themselves. The exit code is always 0."""
    from contextlib import suppress

    from memsuggest.assistants import fast_hook
    from memsuggest.cli.stdin_payload import handed
    from memsuggest.transcripts.own_session_mark import VARIABLE

    if os.environ.get(VARIABLE):  # a hook of a program that memsuggest asks a question
        return
    with suppress(Exception):  # the one boundary where even a bug must not disturb an assistant
        if catch_up:
            from memsuggest.assistants.hook_command import catch_up as learn_what_is_new

            learn_what_is_new(run.context())
            return
        os.chdir(run.repo or ".")
        if given := fast_hook.answer(handed(sys.stdin.fileno()), with_recall=recall):
            fast_hook.note(given)


def _change_skill(run: Run, host: str | None, *, is_user: bool, yes: bool, is_removal: bool) -> Context:
    from memsuggest.assistants.install_hooks import carry, plan_skill

    which = f"{f' --for {host}' if host else ''}{' --user' if is_user else ''}"
    require_terminal(f"hooks {'uninstall' if is_removal else 'install'} --skill{which}", yes=yes)
    context = run.context()
    edits = plan_skill(context, host, is_user=is_user, is_removal=is_removal)
    if not edits:
        run.emit_nothing(Text(text="nothing to change", payload={"paths": []}))
    elif is_agreed(run, edits, yes=yes, question=""):
        run.emit(carry(context, edits))
    return context


PORT = 8766
ServerOption = Annotated[
    str, typer.Option("--for", metavar="ASSISTANT", help="vscode, claude-code, codex, cursor or copilot-cli.")
]
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
    from contextlib import ExitStack

    try:
        from memsuggest.assistants.mcp_server import PATH, serve_http, serve_stdio
    except ImportError as error:
        raise MemsuggestError(
            f"the MCP server needs the `mcp` extra: {error}", hint="run `pip install '.[mcp]'` in your memsuggest clone"
        ) from None
    from memsuggest.assistants.mcp_tools import ContextCalls
    from memsuggest.core.workspace import find_folders, this_machine
    from memsuggest.memory.loopback_auth import HOST, listen, read_token

    if run.repo is not None:
        run.context().close()  # a folder that was named wrongly is told at once
    calls = ContextCalls(lambda: replace(run, opened=ExitStack()).context())
    if not http:
        if sys.stdin.isatty():
            run.say(
                "waiting for an assistant on stdin; to connect one, run `memsuggest mcp install`; press Ctrl-C to stop"
            )
        serve_stdio(calls)
        return
    token_path = find_folders(this_machine().environ).config / "mcp-token"
    with listen(PORT if port is None else port) as listening:
        token = read_token(token_path, is_new=new_token)
        run.say(f"serving at http://{HOST}:{listening.getsockname()[1]}{PATH}; press Ctrl-C to stop")
        run.say(f"token file: {token_path}")
        serve_http(calls, token=token, listening=listening)


@mcp_command("install")
def _install_server(run: Run, host: ServerOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Add memsuggest to an assistant's MCP servers after showing the diff and asking for confirmation."""
    _change_server(run, host, is_user=user, yes=yes, is_removal=False)


@mcp_command("uninstall")
def _uninstall_server(run: Run, host: ServerOption, user: UserOption = False, yes: YesOption = False) -> None:
    """Remove memsuggest from an assistant's MCP servers."""
    _change_server(run, host, is_user=user, yes=yes, is_removal=True)


@mcp_command("show")
def _show_servers(run: Run) -> None:
    """List the assistants' files that include memsuggest as an MCP server."""
    from memsuggest.assistants.mcp_edits import show

    run.emit(show(run.context()))


def _change_server(run: Run, host: str, *, is_user: bool, yes: bool, is_removal: bool) -> None:
    from memsuggest.assistants.install_hooks import note_on_path
    from memsuggest.assistants.mcp_edits import plan
    from memsuggest.files.journal import SERVERS

    what = f"mcp {'uninstall' if is_removal else 'install'} --for {host}{' --user' if is_user else ''}"
    require_terminal(what, yes=yes)
    context = run.context()
    edit = plan(context, host, is_user=is_user, is_removal=is_removal)
    is_shared = not (is_user or is_removal)
    is_written = written(run, context, edit, verb=SERVERS, yes=yes, what="the assistant will run this command")
    if is_written and is_shared and (note := note_on_path(os.environ)):
        run.say(note)
