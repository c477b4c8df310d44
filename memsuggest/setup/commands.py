"""Commands that look after the tool itself: `config`, `doctor`, `demo`, `trust`, `serve`, `schema`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

config_command = Commands("config", "Show and change settings.")

command = Commands()


@config_command("show")
def _show(run: Run) -> None:
    """Show every setting, its value, and where the value came from."""
    from memsuggest.core.plain_reports import SettingsShown

    settings = run.context(is_lenient=True).settings
    run.emit(SettingsShown(values=settings.values, ignored=settings.ignored))


@config_command("get")
def _get(
    run: Run, name: Annotated[str, typer.Argument(help="The setting's name; `config show` lists all settings.")]
) -> None:
    """Print the value of one setting."""
    from memsuggest.setup.settings import get_setting

    run.emit(get_setting(run.context(), name))


@config_command("set")
def _set(
    run: Run,
    name: Annotated[str, typer.Argument(help="The setting's name; `config show` lists all settings.")],
    value: Annotated[str, typer.Argument(help="The new value.")],
    user: Annotated[bool, typer.Option("--user", help="Set the value for all your workspaces.")] = False,
    shared: Annotated[
        bool, typer.Option("--shared", help="Set the value for the team, in the repo's .memsuggest.yml.")
    ] = False,
) -> None:
    """Change a setting, by default for you in this workspace."""
    from memsuggest.setup.settings import set_setting

    run.emit(set_setting(run.context(), name, value, where=_where(user, shared)))


@config_command("unset")
def _unset(
    run: Run,
    name: Annotated[str, typer.Argument(help="The setting's name; `config show` lists all settings.")],
    user: Annotated[bool, typer.Option("--user", help="Remove the value for all your workspaces.")] = False,
    shared: Annotated[bool, typer.Option("--shared", help="Remove the value in the repo's .memsuggest.yml.")] = False,
) -> None:
    """Remove a setting so that a value set elsewhere, or the default, applies."""
    from memsuggest.setup.settings import unset_setting

    run.emit(unset_setting(run.context(is_lenient=True), name, where=_where(user, shared)))


def _where(user: bool, shared: bool) -> str:
    if user and shared:
        raise typer.BadParameter("`--user` and `--shared` cannot be combined")
    return "user" if user else "shared" if shared else "workspace"


@command("doctor")
def _doctor(run: Run) -> int:
    """Check what is found, what is installed, and what is turned off and why, without changing anything.

    Exits with 3 if something is broken.
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
    `demo` alone makes a fresh copy and reconciles it.
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
    trusted file changes outside memsuggest, trust it again.
    """
    from memsuggest.transcripts import find_transcripts

    if list_ or not paths:
        run.emit(find_transcripts.list_trusted(run.context()))
    elif revoke:
        run.emit(find_transcripts.revoke(run.context(), paths))
    else:
        run.emit(find_transcripts.trust(run.context(), paths))


PORT = 8765


@command("serve")
def _serve(
    run: Run,
    admin: Annotated[
        bool, typer.Option("--admin", help="Serve the admin API, which can view and delete apps' memories.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The local port, or 0 for any free port.")] = PORT,
    show_token: Annotated[bool, typer.Option("--show-token", help="Also print the admin API's token.")] = False,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Create a new token; the old one stops working.")
    ] = False,
) -> None:
    """Serve the admin API on this machine until interrupted. Every request requires the API's token."""
    import sys

    from memsuggest.core.plain_reports import Text
    from memsuggest.core.workspace import find_folders, this_machine
    from memsuggest.memory.admin import open_admin

    if not admin:
        raise typer.BadParameter("missing option `--admin`", param_hint="--admin")
    machine = this_machine()
    server = open_admin(find_folders(machine.environ), port=port, now=machine.now, is_new_token=new_token)
    docs, told = f"{server.url}/openapi.json", server.token if show_token else None
    lines = [f"admin API at {server.url}, documented at {docs}; press Ctrl-C to stop", f"token in {server.token_path}"]
    lines += [f"token {told}"] if told else []
    path = str(server.token_path)
    report = Text(text="\n".join(lines), payload={"url": server.url, "docs": docs, "tokenPath": path, "token": told})

    def begun() -> None:
        run.emit(report)
        sys.stdout.flush()

    server.serve(begun)
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
