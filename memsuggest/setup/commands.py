"""Commands that look after the tool itself: `setup`, `config`, `doctor`, `demo`, `trust`, `serve`, `schema`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from memsuggest.setup.plan import SetUp

config_command = Commands("config", "Show and change settings.")
command = Commands()
SettingArgument = Annotated[str, typer.Argument(help="The setting's name; `config show` lists all settings.")]


@config_command("show")
def _show(run: Run) -> None:
    """Show every setting, its value, and where the value came from."""
    from memsuggest.core.plain_reports import SettingsShown

    settings = run.context(is_lenient=True).settings
    run.emit(SettingsShown(values=settings.values, ignored=settings.ignored))


@config_command("get")
def _get(run: Run, name: SettingArgument) -> None:
    """Print the value of one setting."""
    from memsuggest.setup.write_settings import get_setting

    run.emit(get_setting(run.context(), name))


@config_command("set")
def _set(
    run: Run,
    name: SettingArgument,
    value: Annotated[str, typer.Argument(help="The new value.")],
    user: Annotated[bool, typer.Option("--user", help="Set the value for all your workspaces.")] = False,
    shared: Annotated[
        bool, typer.Option("--shared", help="Set the value for the team, in the repo's .memsuggest.yml.")
    ] = False,
) -> None:
    """Change a setting (by default, only for you in this workspace)."""
    from memsuggest.setup.write_settings import set_setting

    run.emit(set_setting(run.context(), name, value, where=_where(user, shared)))


@config_command("unset")
def _unset(
    run: Run,
    name: SettingArgument,
    user: Annotated[bool, typer.Option("--user", help="Remove the value for all your workspaces.")] = False,
    shared: Annotated[bool, typer.Option("--shared", help="Remove the value in the repo's .memsuggest.yml.")] = False,
) -> None:
    """Remove a setting so that a value set elsewhere, or the default, applies."""
    from memsuggest.setup.write_settings import unset_setting

    run.emit(unset_setting(run.context(is_lenient=True), name, where=_where(user, shared)))


def _where(user: bool, shared: bool) -> str:
    if user and shared:
        raise typer.BadParameter("`--user` and `--shared` cannot be combined")
    return "user" if user else "shared" if shared else "workspace"


@command("doctor")
def _doctor(run: Run) -> int:
    """Check what memsuggest finds, what is installed, and what is turned off (and why), without changing anything.

    The exit code is 3 if something is broken.
    """
    from memsuggest.setup.doctor import examine

    report = examine(run.context())
    run.emit(report)
    return 0 if report.is_well else 3


@command.typer.command(
    "demo", context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)
def _demo(ctx: typer.Context) -> None:
    """Try everything on a bundled example; `demo COMMAND …` runs any command on the example.

    The example is copied to a separate folder with its own home folder; your files are not read or written.
    `demo` alone creates a fresh copy and runs `reconcile` on it.
    """
    from memsuggest.cli.run import guarded
    from memsuggest.setup.demo import run_demo

    raise typer.Exit(guarded(lambda: run_demo(ctx.args)))


@command("trust")
def _trust(
    run: Run,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Transcripts or folders of transcripts.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List trusted transcripts.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Stop trusting these transcripts.")] = False,
) -> None:
    """Confirm that transcripts in the repo are your own.

    Anyone may have committed a transcript, so nothing is suggested from it until you trust its current content. If a
    trusted file is changed outside memsuggest, you must trust it again.
    """
    from memsuggest.transcripts import find_transcripts

    if list_ or not paths:
        run.emit(find_transcripts.list_trusted(run.context()))
    elif revoke:
        run.emit(find_transcripts.revoke(run.context(), paths))
    else:
        run.emit(find_transcripts.trust(run.context(), paths))


@command("serve")
def _serve(
    run: Run,
    admin: Annotated[
        bool, typer.Option("--admin", help="Serve the admin API, which can view and delete apps' memories.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The local port, or 0 for any free port.")] = 8765,
    show_token: Annotated[bool, typer.Option("--show-token", help="Also print the admin API's token.")] = False,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Create a new token; the old one stops working.")
    ] = False,
) -> None:
    """Serve the admin API on this machine until interrupted. Every request requires the API's token."""
    from memsuggest.core.errors import MemsuggestError
    from memsuggest.core.plain_reports import Text
    from memsuggest.core.workspace import this_machine

    if not admin:
        raise typer.BadParameter("missing option `--admin`", param_hint="--admin")
    try:
        from memsuggest.memory.admin import open_admin
    except ImportError as error:
        raise MemsuggestError(
            f"the admin API requires the `mcp` extra: {error.name} is not installed",
            hint="run `pip install '.[mcp]'` (or `uv tool install '.[mcp]'`) in your memsuggest clone",
        ) from None
    server = open_admin(this_machine(), port=port, is_new_token=new_token)
    docs, token = f"{server.url}/openapi.json", server.token if show_token else None
    text = f"admin API at {server.url}, documented at {docs}; press Ctrl-C to stop\ntoken file: {server.token_path}"
    text += f"\ntoken {token}" if token else ""
    payload = {"url": server.url, "docs": docs, "tokenPath": str(server.token_path), "token": token}
    server.serve(lambda: run.emit(Text(text=text, payload=payload)))
    run.say("stopped")


@command("schema")
def _schema(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="A command, for example `list` or `memory show`, or `facts.json` for that file's format.",
            show_default="all commands",
        ),
    ] = None,
) -> None:
    """Print the JSON Schema (2020-12) of a command's `--format json` output.

    Without COMMAND, list the commands that have a schema; with `--format json`, print all schemas as one document.
    """
    import json

    from memsuggest.cli.app import COMMANDS
    from memsuggest.cli.help_pages import as_called_now
    from memsuggest.setup.json_schemas import every_schema, find_schema, list_schemas

    if words:
        # without what only says which of a command's reports is meant
        named = [word for word in as_called_now(words) if not word.startswith("-") and word != "identity"]
        silent = {name for names in COMMANDS.values() for name in names}
        run.print(json.dumps(find_schema(" ".join(named), silent=silent), indent=2) + "\n")
    elif run.format == "json":
        run.print(json.dumps(every_schema(), indent=2) + "\n")
    else:
        rows = list_schemas()
        width = max(len(command) for command, _ in rows)
        run.print("".join(f"{command:<{width}}  {sentence}\n" for command, sentence in rows))


AssistantsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--for",
        metavar="ASSISTANT",
        help="Set up only this assistant: claude-code, codex, copilot-cli, vscode, gemini or cursor. Repeatable.",
        show_default="all assistants found",
    ),
]
McpOption = Annotated[bool | None, typer.Option("--mcp/--no-mcp", help="Offer memory to assistants as an MCP tool.")]
BridgeOption = Annotated[
    bool | None, typer.Option("--bridge/--no-bridge", help="Make assistants read each other's files.")
]
_ENGINE_HELP = "The engine that evaluates chats: claude, codex, copilot, haiku or local."
EngineOption = Annotated[str | None, typer.Option("--engine", metavar="ENGINE", help=_ENGINE_HELP)]


@command("setup")
def _setup(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write the selected parts without asking.")] = False,
    assistants: AssistantsOption = None,
    hooks: Annotated[bool | None, typer.Option("--hooks/--no-hooks", help="Install assistant hooks.")] = None,
    mcp: McpOption = None,
    bridge: BridgeOption = None,
    engine: EngineOption = None,
) -> None:
    """Find your assistants and set them up: hooks, memory as a tool, one file that all of them read, and an engine.

    Every change is shown as a diff first; personal settings stay in your own files. `undo` reverts the whole setup.
    """
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import ConfigError
    from memsuggest.setup.plan import BRIDGE, HOOKS, MCP, carry_setup, plan_setup

    can_ask = is_interactive() and not yes and run.format in (None, "text")
    context = run.context()
    wanted, has_engines = {HOOKS: hooks, MCP: mcp, BRIDGE: bridge}, can_ask and not run.offline
    plan = plan_setup(context, assistants or (), wanted, engine=engine, has_engines=has_engines)
    if engine and not any(part.offer and part.chosen for part in plan.parts):
        raise ConfigError(f"`{engine}` is not available here", hint="run `memsuggest doctor` to see what is missing")
    if can_ask:
        chosen = _asked(run, plan)
        if chosen is None:
            run.say("nothing was written")
            return
        plan = chosen
    elif yes:
        _show_diffs(run, plan)
    else:
        run.emit(plan)
        if plan.offered:
            run.say("nothing was written; to write the parts marked [x], run `memsuggest setup --yes`")
        return
    run.emit(carry_setup(context, plan))


def _asked(run: Run, plan: SetUp) -> SetUp | None:
    from memsuggest.cli.keys import END, ask, single_keys
    from memsuggest.setup.plan import KEYS

    remark, shown = "", None
    with single_keys() as keys:
        while True:
            run.say(remark) if remark else run.emit(plan)
            remark = ""
            if not plan.offered:
                return None
            last = KEYS[len(plan.offered) - 1]
            switch = f"1-{last}" if last != "1" else "1"
            typer.echo()
            key = ask(keys, f"[{switch}] on or off [d]iff [y] write selected [q]uit > ").lower()
            typer.echo()
            if key in {"q", END}:
                return None
            if key == "y":
                if shown is plan or not plan.edits:
                    return plan
                _show_diffs(run, plan)
                if ask(keys, "write these changes? [y/N] ").lower() == "y":
                    return plan
                remark = "nothing has been written yet"
            elif key == "d":
                _show_diffs(run, plan)
                shown, remark = plan, "`y` writes these changes"
            elif key in KEYS[: len(plan.offered)]:
                plan = plan.switched(plan.offered[KEYS.index(key)])
            else:
                remark = f"`{key}` does nothing here" if key.isprintable() else "that key has no effect here"


def _show_diffs(run: Run, plan: SetUp) -> None:
    """Show what the marked parts write, and where an engine's questions go."""
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.target_paths import HOST

    for edit in plan.edits:
        run.say(unified(replace(edit, path=edit.path.removeprefix(HOST))))
    for part in plan.offered:
        if part.chosen and part.offer:
            run.say(f"{part.offer.command}: {part.offer.who}; {part.offer.costs}\n")
    sys.stderr.flush()
