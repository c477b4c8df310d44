"""Commands that look after the tool itself: `config`, `doctor`, `demo`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

command = Commands()
config_command = Commands("config", "Look at settings and change them.")


@config_command("show")
def _show(run: Run) -> None:
    """Show every setting, its value, and where the value came from."""
    from memsuggest.reports.plain import SettingsShown

    settings = run.context(is_lenient=True).settings
    run.emit(SettingsShown(values=settings.values, ignored=settings.ignored))


@config_command("get")
def _get(run: Run, name: Annotated[str, typer.Argument(help="A setting; `config show` lists them.")]) -> None:
    """Print the value of one setting."""
    from memsuggest.workflows.settings import get_setting

    run.emit(get_setting(run.context(), name))


@config_command("set")
def _set(
    run: Run,
    name: Annotated[str, typer.Argument(help="A setting; `config show` lists them.")],
    value: Annotated[str, typer.Argument(help="Its new value.")],
    user: Annotated[bool, typer.Option("--user", help="For all your workspaces.")] = False,
    shared: Annotated[bool, typer.Option("--shared", help="In the repo's .memsuggest.yml, for the team.")] = False,
) -> None:
    """Change a setting, for you in this workspace unless told otherwise."""
    from memsuggest.workflows.settings import set_setting

    run.emit(set_setting(run.context(), name, value, where=_where(user, shared)))


@config_command("unset")
def _unset(
    run: Run,
    name: Annotated[str, typer.Argument(help="A setting; `config show` lists them.")],
    user: Annotated[bool, typer.Option("--user", help="That of all your workspaces.")] = False,
    shared: Annotated[bool, typer.Option("--shared", help="That in the repo's .memsuggest.yml.")] = False,
) -> None:
    """Take a setting out again: what is set elsewhere, or the usual value, holds then."""
    from memsuggest.workflows.settings import unset_setting

    run.emit(unset_setting(run.context(is_lenient=True), name, where=_where(user, shared)))


def _where(user: bool, shared: bool) -> str:
    if user and shared:
        raise typer.BadParameter("`--user` and `--shared` exclude each other")
    return "user" if user else "shared" if shared else "workspace"


@command("doctor")
def _doctor(run: Run) -> int:
    """Check everything: what is found, what is installed, what is off and why; change nothing.

    Ends with 3 when something is broken.
    """
    from memsuggest.workflows.doctor import examine

    report = examine(run.context())
    run.emit(report)
    return 0 if report.is_well else 3


@command.typer.command(
    "demo", context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)
def _demo(ctx: typer.Context) -> None:
    """Try everything on a bundled example; `demo COMMAND …` runs any command there.

    The example is copied to a folder of its own with a home of its own; nothing of yours is read or written.
    `demo` alone starts it afresh and reconciles it.
    """
    from memsuggest.cli.demo import run_demo
    from memsuggest.cli.run import guarded

    raise typer.Exit(guarded(lambda: run_demo(ctx.args)))
