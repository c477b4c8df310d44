"""The commands `graphiti …`: a team's memory on a server that somebody runs."""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.context import Context

IngestOption = Annotated[bool, typer.Option("--ingest", help="What is said in chats goes there.")]
RecallOption = Annotated[bool, typer.Option("--recall", help="Prompts are answered from there.")]
PromotionOption = Annotated[bool, typer.Option("--promotion", help="Directives go there by themselves.")]
OwnershipOption = Annotated[bool, typer.Option("--ownership", help="Send once whose each group is.")]


graphiti_command = Commands("graphiti", "Share what is said and decided with a team's Graphiti server.")


@graphiti_command("on")
def _on(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="The server.", show_default="the one that is set")
    ] = None,
    ingest: IngestOption = False,
    recall: RecallOption = False,
    promotion: PromotionOption = False,
    ownership: OwnershipOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree without being asked.")] = False,
) -> int:
    """Connect this workspace to a Graphiti server: shows what would be sent, and asks.

    Without the name of a part, all four are switched on.
    """
    from memsuggest.graphiti.switches import endpoint_to_use, needs_consent, show_graphiti, switch_on

    context = run.context()
    switches = _named(ingest=ingest, recall=recall, promotion=promotion, ownership=ownership)
    address = endpoint_to_use(context, endpoint)
    is_asked = not yes and needs_consent(context, address)
    if is_asked and not _agrees(context, address, switches):
        run.say("nothing was switched on")
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
            "cannot prompt without a terminal", hint="docs/graphiti.md says what is sent; `--yes` agrees to it"
        )
    width = shutil.get_terminal_size().columns - 1
    for line in words_about(context, address, switches):
        further = "    " if line.startswith(" ") else "  "
        typer.echo(textwrap.fill(line, width, subsequent_indent=further, break_on_hyphens=False), err=True)
    return typer.confirm("switch it on?", default=False, err=True)


@graphiti_command("off")
def _off(
    run: Run,
    ingest: IngestOption = False,
    recall: RecallOption = False,
    promotion: PromotionOption = False,
    ownership: OwnershipOption = False,
) -> None:
    """Disconnect this workspace from its Graphiti server.

    Without the name of a part, all four are switched off, and your consent is taken back. What the server has, it
    keeps: docs/graphiti.md says how to purge it.
    """
    from memsuggest.graphiti.switches import switch_off

    switch_off(run.context(), _named(ingest=ingest, recall=recall, promotion=promotion, ownership=ownership))
    _show(run)


def _named(**switches: bool) -> list[str]:
    return [name for name, is_named in switches.items() if is_named] or list(switches)


@graphiti_command("show")
def _show(run: Run) -> None:
    """Show which server there is, what is switched on, and what you agreed to; nobody is asked anything."""
    from memsuggest.graphiti.switches import show_graphiti

    run.emit(show_graphiti(run.context()))


@graphiti_command("test")
def _test(
    run: Run,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Also write an episode into a group of its own, find it, delete it.")
    ] = False,
    wait: Annotated[
        int, typer.Option(min=1, max=3600, metavar="SECONDS", help="How long to wait until it is stored.")
    ] = 120,
) -> int:
    """Try the Graphiti server: whether it is up and searches; with `--smoke`, whether it stores, finds and deletes."""
    from memsuggest.graphiti.switches import try_server
    from memsuggest.graphiti.trial import FINE

    context = run.context()
    line = _Waiting(is_shown=not run.quiet and sys.stderr.isatty())
    try:
        report = try_server(context, is_smoke=smoke, patience=float(wait), progress=line)
    finally:
        line.clear()
    run.emit(report)
    return 0 if report.tried.verdict == FINE else 1


@graphiti_command("retry")
def _retry(run: Run) -> None:
    """Send messages again that the server took and lost, and ask again for what it did not delete."""
    from memsuggest.graphiti.deliver import retry

    run.emit(retry(run.context()))


@graphiti_command("promote")
def _promote(
    run: Run,
    what: Annotated[str, typer.Argument(metavar="TEXT|FACT", help="A fact, by its id, or words of your own.")],
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="decision, lesson_learned, preference, procedure, task_update or terminology.",
            show_default="of a fact, its own",
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(metavar="SCOPE", help="workspace or user.", show_default="of a fact, its own; workspace"),
    ] = None,
) -> None:
    """Tell the Graphiti server something worth more than a chat: a decision, a lesson, a preference, a procedure.

    A fact that was promoted is taken back there, as far as the server can, when you forget it.
    """
    from memsuggest.graphiti.promote import promote

    run.emit(promote(run.context(), what, kind=kind, scope=scope))


class _Waiting:
    """A line that says how long the server is waited for, and goes away at the end."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._width = 0

    def __call__(self, waited: float, most: float) -> None:
        if self._is_shown:
            line = f"waiting until it is stored: {waited:.0f} of at most {most:.0f} seconds"
            line = line[: shutil.get_terminal_size().columns - 1]
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def clear(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
