"""Commands for models: `ask`, `answer`, `consent`, `usage`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

command = Commands()

PATIENCE = 600.0  # seconds to wait for an answer


@command("ask")
def _ask(run: Run) -> None:
    """Print the next question for your assistant, which replies with `answer`.

    This command is for assistants; `hooks install --skill` installs the instructions.
    """
    from memsuggest.learning.next_packet import ask

    run.emit(ask(run.context()))


@command("answer")
def _answer(
    run: Run, packet: Annotated[str, typer.Argument(metavar="ID", help="The question ID printed by `ask`.")]
) -> None:
    """Submit an answer to a question from `ask` as JSON on stdin, and print the result."""
    import io
    import sys

    from memsuggest.cli.stdin_payload import handed, pasted
    from memsuggest.judging.asking.chat_packets import ANSWER_LIMIT
    from memsuggest.learning.answer import answer

    context, limit = run.context(), ANSWER_LIMIT + 1  # by the one byte more it is seen to be too long
    try:
        descriptor = sys.stdin.fileno()
    except io.UnsupportedOperation:  # no file of the system stands behind it
        given = sys.stdin.buffer.read(limit)
    else:
        if sys.stdin.isatty():
            invitation = "paste the answer as a JSON object (input is hidden), then press Ctrl-D"
            given = pasted(descriptor, invite=lambda: run.say(invitation), limit=limit)
        else:
            given = handed(descriptor, patience=PATIENCE, limit=limit)
    run.emit(answer(context, packet, given))


consent_command = Commands("consent", "Grant, revoke or show consent to ask a model about this workspace.")


ForEngineOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="haiku, claude, codex, copilot, or chat (the assistant in your chat).",
        show_default="the configured engine, or the first available",
    ),
]


@consent_command("grant")
def _grant(
    run: Run,
    engine: ForEngineOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation prompt.")] = False,
) -> int:
    """Allow text you typed in this workspace's chats to be sent to a model API or an assistant program."""
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.core.errors import ConsentError
    from memsuggest.judging.consent_dialog import ask_for_consent
    from memsuggest.judging.engine_choice import engine_to_grant, receiver_of
    from memsuggest.judging.engine_offers import grant_consent

    context = run.context()
    receiver = receiver_of(context, engine_to_grant(context, engine))
    if not yes and not is_interactive():
        agrees = f"`memsuggest consent grant{f' --engine {engine}' if engine else ''} --yes`"
        raise ConsentError(
            "cannot prompt without a terminal", hint=f"read the output of `memsuggest consent show`, then run {agrees}"
        )
    if not yes and not ask_for_consent(context, receiver):
        run.say("consent not granted")
        return 1
    run.emit(grant_consent(context, receiver))
    return 0


@consent_command("revoke")
def _revoke(
    run: Run,
    endpoint: Annotated[
        str | None, typer.Option(help="Revoke consent only for this endpoint or program.", show_default="all")
    ] = None,
) -> None:
    """Revoke your consent for this workspace."""
    from memsuggest.judging.engine_offers import revoke_consent

    run.emit(revoke_consent(run.context(), endpoint=endpoint))


@consent_command("show")
def _show(run: Run, engine: ForEngineOption = None) -> None:
    """Show what would be sent and where, and the consent you have granted."""
    from memsuggest.judging.engine_choice import engine_to_grant, receiver_of
    from memsuggest.judging.engine_offers import show_consent

    context = run.context()
    run.emit(show_consent(context, receiver_of(context, engine_to_grant(context, engine))))


@command("usage")
def _usage(run: Run) -> None:
    """Show model usage and cost: tokens, cache hits and dollars per day, model and purpose."""
    from memsuggest.judging.model_access import show_usage

    run.emit(show_usage(run.context()))
