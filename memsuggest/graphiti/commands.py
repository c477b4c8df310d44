"""The commands `graphiti …`: a team's memory on a server that somebody runs."""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.context import Context

IngestOption = Annotated[bool, typer.Option("--ingest", help="Send chats to the Graphiti server.")]
RecallOption = Annotated[bool, typer.Option("--recall", help="Look up each prompt on the Graphiti server.")]
PromotionOption = Annotated[bool, typer.Option("--promotion", help="Automatically send the directives you type.")]
OwnershipOption = Annotated[bool, typer.Option("--ownership", help="Label each new group with its owner.")]


graphiti_command = Commands("graphiti", "Share chats and decisions with your team's Graphiti server.")


@graphiti_command("on")
def _on(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="The Graphiti server's URL.", show_default="the configured server")
    ] = None,
    ingest: IngestOption = False,
    recall: RecallOption = False,
    promotion: PromotionOption = False,
    ownership: OwnershipOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")] = False,
) -> int:
    """Connect this workspace to a Graphiti server after showing what would be sent and asking for your consent.

    All four parts are turned on unless you choose some: `--ingest`, `--recall`, `--promotion`, `--ownership`.
    """
    from memsuggest.graphiti.permission import has_consent
    from memsuggest.graphiti.switches import endpoint_to_use, show_graphiti, switch_on

    context = run.context()
    switches = _named(ingest=ingest, recall=recall, promotion=promotion, ownership=ownership)
    address = endpoint_to_use(context, endpoint)
    is_asked = not yes and not has_consent(context, address)
    if is_asked and not _agrees(context, address, switches):
        run.say("nothing was turned on")
        return 1
    switch_on(context, switches, address)
    report = show_graphiti(run.context())
    run.emit(replace(report, words=()) if is_asked else report)  # they were just read
    return 0


def _agrees(context: Context, address: str, switches: Sequence[str]) -> bool:
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import ConsentError
    from memsuggest.graphiti.switches import words_about

    if not is_interactive():
        raise ConsentError(
            "cannot ask for consent without a terminal", hint="read docs/graphiti.md, then use `--yes` to agree"
        )
    width = shutil.get_terminal_size().columns - 1
    for line in words_about(context, address, switches):
        further = "    " if line.startswith(" ") else "  "
        typer.echo(textwrap.fill(line, width, subsequent_indent=further, break_on_hyphens=False), err=True)
    return typer.confirm("Turn on Graphiti?", default=False, err=True)


@graphiti_command("off")
def _off(
    run: Run,
    ingest: IngestOption = False,
    recall: RecallOption = False,
    promotion: PromotionOption = False,
    ownership: OwnershipOption = False,
) -> None:
    """Disconnect this workspace from the Graphiti server.

    Unless you choose specific parts, all four are turned off and your consent is revoked. The server keeps the data
    it has received; docs/graphiti.md explains how to purge the data.
    """
    from memsuggest.graphiti.switches import switch_off

    switch_off(run.context(), _named(ingest=ingest, recall=recall, promotion=promotion, ownership=ownership))
    _show(run)


def _named(**switches: bool) -> list[str]:
    return [name for name, is_named in switches.items() if is_named] or list(switches)


@graphiti_command("show")
def _show(run: Run) -> None:
    """Show the configured server, what is turned on, and what you agreed to, without contacting the server."""
    from memsuggest.graphiti.switches import show_graphiti

    run.emit(show_graphiti(run.context()))


@graphiti_command("test")
def _test(
    run: Run,
    smoke: Annotated[
        bool,
        typer.Option("--smoke", help="Also write an episode to a temporary group, then find and delete the episode."),
    ] = False,
    wait: Annotated[
        int, typer.Option(min=1, max=3600, metavar="SECONDS", help="How long to wait for the episode to be stored.")
    ] = 120,
) -> int:
    """Test whether the Graphiti server is up and can search; with `--smoke`, also whether it can store and delete."""
    from memsuggest.graphiti.switches import try_server
    from memsuggest.graphiti.trial import FINE

    report = try_server(run.context(), is_smoke=smoke, patience=float(wait), say=run.say)
    run.emit(report)
    return 0 if report.verdict == FINE else 1


@graphiti_command("retry")
def _retry(run: Run) -> None:
    """Resend messages that the server lost, and retry failed deletions."""
    from memsuggest.graphiti.sync_server import retry

    run.emit(retry(run.context()))


@graphiti_command("promote")
def _promote(
    run: Run,
    what: Annotated[str, typer.Argument(metavar="TEXT|FACT", help="A fact ID or your own text.")],
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="The kind: decision, lesson_learned, preference, procedure, task_update or terminology.",
            show_default="the fact's kind",
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(metavar="SCOPE", help="Either workspace or user.", show_default="the fact's scope, or workspace"),
    ] = None,
) -> None:
    """Send the Graphiti server a decision, lesson, preference or procedure as a separate episode.

    Forgetting a promoted fact also deletes it from the server where possible.
    """
    from memsuggest.graphiti.promote import promote

    run.emit(promote(run.context(), what, kind=kind, scope=scope))
