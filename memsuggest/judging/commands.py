"""Commands for models: `ask`, `answer`, `consent`, `usage`, `consolidate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memsuggest.cli.run import Commands, Run

if TYPE_CHECKING:
    from memsuggest.judging.model_reports import Consolidated, Merge

command = Commands()

PATIENCE = 600.0
"""Seconds in which an answer may come."""


@command("ask")
def _ask(run: Run) -> None:
    """Print the next question for the assistant in the chat, which answers it with `answer`.

    For assistants: `hooks install --skill` tells them how.
    """
    from memsuggest.learning.next_packet import ask

    run.emit(ask(run.context()))


@command("answer")
def _answer(run: Run, packet: Annotated[str, typer.Argument(metavar="ID", help="The id that `ask` printed.")]) -> None:
    """Hand in the answer to a question of `ask`, as JSON on stdin, and see what became of it."""
    from memsuggest.learning.answer import answer

    context = run.context()
    run.emit(answer(context, packet, _handed_in(run)))


def _handed_in(run: Run) -> bytes:
    """Return the answer on stdin; one byte more than is taken, where there is more."""
    import io
    import sys

    from memsuggest.cli.stdin_payload import handed, pasted
    from memsuggest.judging.asking.chat_text import ANSWER_LIMIT

    try:
        descriptor = sys.stdin.fileno()
    except io.UnsupportedOperation:  # no file of the system stands behind it
        return sys.stdin.buffer.read(ANSWER_LIMIT + 1)
    if sys.stdin.isatty():
        invitation = "paste the answer, a JSON object (it is not shown); Ctrl-D ends it"
        return pasted(descriptor, invite=lambda: run.say(invitation), limit=ANSWER_LIMIT + 1)
    return handed(descriptor, patience=PATIENCE, limit=ANSWER_LIMIT + 1)


consent_command = Commands("consent", "Allow a model to be asked about this workspace, or forbid it again.")


ForEngineOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="haiku, claude, codex, copilot; or chat: the assistant in your chat.",
        show_default="the one that is set, or else the first here",
    ),
]


@consent_command("grant")
def _grant(
    run: Run,
    engine: ForEngineOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree without being asked.")] = False,
) -> int:
    """Agree that what you typed in this workspace's chats is sent to a model's endpoint, or to a program's maker."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import ConsentError
    from memsuggest.judging.consent_dialog import ask_for_consent
    from memsuggest.judging.engine_choice import engine_to_grant, receiver_of
    from memsuggest.judging.engine_offers import grant_consent

    context = run.context()
    receiver = receiver_of(context, engine_to_grant(context, engine))
    if not yes and not is_interactive():
        agrees = f"`memsuggest consent grant{f' --engine {engine}' if engine else ''} --yes` agrees"
        raise ConsentError(
            "there is no terminal to ask on", hint=f"`memsuggest consent show` says what it is about; {agrees}"
        )
    if not yes and not ask_for_consent(context, receiver):
        run.say("nothing was agreed to")
        return 1
    run.emit(grant_consent(context, receiver))
    return 0


@consent_command("revoke")
def _revoke(
    run: Run,
    endpoint: Annotated[
        str | None, typer.Option(help="Only for this endpoint or program.", show_default="all of them")
    ] = None,
) -> None:
    """Take your consent for this workspace back."""
    from memsuggest.judging.engine_offers import revoke_consent

    run.emit(revoke_consent(run.context(), endpoint=endpoint))


@consent_command("show")
def _show(run: Run, engine: ForEngineOption = None) -> None:
    """Show what would be sent where, and what you agreed to."""
    from memsuggest.judging.engine_choice import engine_to_grant, receiver_of
    from memsuggest.judging.engine_offers import show_consent

    context = run.context()
    run.emit(show_consent(context, receiver_of(context, engine_to_grant(context, engine))))


@command("usage")
def _usage(run: Run) -> None:
    """Show what asking models cost: tokens, cache hits and money per day, model and purpose."""
    from memsuggest.judging.model_access import show_usage

    run.emit(show_usage(run.context()))


@command("consolidate")
def _consolidate(
    run: Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do what is sure to lose nothing, without asking.")] = False,
) -> int:
    """Merge facts that say the same, let go of what was replaced: shows it all first, and asks.

    What says the same in other words is united by `reconcile` where a model may be asked. `memsuggest undo` takes it
    back.
    """
    from memsuggest.facts.consolidate import carry_out, consolidate

    context = run.context()
    report = consolidate(context.dry() if dry_run else context)
    if run.format in (None, "text") or dry_run or not yes:
        run.emit(report)
    if dry_run:
        return 0
    chosen = [one for one in report.operations if one.is_sure] if yes else _chosen(run, report)
    if chosen or (yes and run.format not in (None, "text")):
        run.emit(carry_out(context, report, chosen) if chosen else report)
    left = len(report.operations) - len(chosen)
    if yes and left:
        needs = "1 more needs" if left == 1 else f"{left} more need"
        run.say(f"{needs} your look: run `memsuggest consolidate` on a terminal")
    return 0


def _chosen(run: Run, report: Consolidated) -> list[Merge]:
    """Return what the person agrees to: what is sure all at once, the rest one by one."""
    from memsuggest.cli.dialog import is_interactive

    if not report.operations:
        return []
    if not is_interactive() or run.format not in (None, "text"):
        run.say("nothing was changed; `memsuggest consolidate --yes` does what is sure to lose nothing")
        return []
    sure = [one for one in report.operations if one.is_sure]
    typer.echo()
    chosen = list(sure) if sure and typer.confirm(f"do what loses nothing ({len(sure)})?", default=True) else []
    for one in report.operations:
        if not one.is_sure:
            run.emit(one)
            chosen += [one] if typer.confirm(f"{one.deed} it?", default=False) else []
    return chosen
