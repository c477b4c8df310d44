"""The commands of `apps`: what is remembered of each assistant and agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.learn_commands import ConsentOption, EngineOption
from memsuggest.cli.run import Commands, Run

AppArgument = Annotated[str, typer.Argument(metavar="APP", help="An app; `apps list` names them.")]


apps_command = Commands(
    "apps", "What each assistant and agent of yours remembers of its finished chats: a few short memories each."
)


@apps_command("list")
def _list(run: Run) -> None:
    """List the apps that something is remembered of."""
    from memsuggest.workflows.memory.apps import list_apps

    run.emit(list_apps(run.look(with_state=False)))


@apps_command("show")
def _show(run: Run, app: AppArgument) -> None:
    """Show an app's memories, and every decision about them with its reason."""
    from memsuggest.workflows.memory.apps import show_app

    run.emit(show_app(run.look(with_state=False), app))


@apps_command("context")
def _context(
    run: Run,
    app: AppArgument,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="Also what is about other workspaces.")] = False,
) -> None:
    """Print what the app is told of its former chats: numbered, dated, and framed as background."""
    from memsuggest.workflows.memory.apps import app_context

    run.emit(app_context(run.look(with_state=False), app, everywhere=everywhere))


@apps_command("learn")
def _learn(
    run: Run,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH",
            help="Finished chats, or folders of them.",
            show_default="the newest of this workspace's own that are over",
        ),
    ] = None,
    app: Annotated[
        str | None,
        typer.Option(
            "--app", metavar="NAME", help="The app.", show_default="the agent that answered, or the assistant"
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing and ask nobody; what would be sent is printed.")
    ] = False,
    engine: EngineOption = None,
    consent: ConsentOption = False,
) -> None:
    """Remember what finished chats were about: one memory each, by a model you consented to or by our own rules."""
    from memsuggest.cli.consent_dialog import hand_of
    from memsuggest.workflows.memory.apps import learn_conversations

    hand = hand_of(run, consent=consent, record=None, replay=None)
    context = run.context(engine=engine)
    run.emit(learn_conversations(context.dry() if dry_run else context, paths or [], hand=hand, app=app))


@apps_command("remember")
def _remember(
    run: Run,
    app: AppArgument,
    text: Annotated[str, typer.Argument(help="What it is to remember, in one or two sentences.")],
    everywhere: Annotated[bool, typer.Option("--everywhere", help="In all workspaces, not only in this one.")] = False,
) -> None:
    """Let an app remember what you write."""
    from memsuggest.reports.app_reports import AppsLearned
    from memsuggest.workflows.memory.apps import remember_by_hand

    run.emit(AppsLearned(rows=(remember_by_hand(run.context(), app, text, everywhere=everywhere),)))


@apps_command("forget")
def _forget(
    run: Run,
    app: AppArgument,
    memory: Annotated[int, typer.Argument(metavar="ID", help="The number of a memory; `apps show` lists them.")],
) -> None:
    """Delete one memory of an app."""
    from memsuggest.workflows.memory.apps import forget_memory

    run.emit(forget_memory(run.context(), app, memory))


@apps_command("purge")
def _purge(
    run: Run, app: AppArgument, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False
) -> int:
    """Delete all that is remembered of an app; prints a receipt."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.errors import MemsuggestError
    from memsuggest.workflows.memory.apps import purge_app, show_app

    context = run.context()
    if not yes:
        shown = show_app(context, app)
        if not is_interactive():
            raise MemsuggestError("there is no terminal to ask on", hint=f"`memsuggest apps purge {app} --yes` does it")
        if not typer.confirm(f"Delete {len(shown.memories)} memories of {shown.app_id}?", err=True):
            run.say("nothing was deleted")
            return 1
    run.emit(purge_app(context, app))
    return 0
