"""Commands for the assistant in the chat: `ask` and `answer`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

PATIENCE = 600.0
"""Seconds in which an answer may come."""


command = Commands()


@command("ask")
def _ask(run: Run) -> None:
    """Print the next question for the assistant in the chat, which answers it with `answer`.

    For assistants: `hooks install --skill` tells them how.
    """
    from memsuggest.workflows.ask.next_packet import ask

    run.emit(ask(run.context()))


@command("answer")
def _answer(run: Run, packet: Annotated[str, typer.Argument(metavar="ID", help="The id that `ask` printed.")]) -> None:
    """Hand in the answer to a question of `ask`, as JSON on stdin, and see what became of it."""
    from memsuggest.workflows.ask.answer import answer

    context = run.context()
    run.emit(answer(context, packet, _handed_in(run)))


def _handed_in(run: Run) -> bytes:
    """Return the answer on stdin; one byte more than is taken, where there is more."""
    import io
    import sys

    from memsuggest.asking.chat_text import ANSWER_LIMIT
    from memsuggest.cli.stdin_payload import handed, pasted

    try:
        descriptor = sys.stdin.fileno()
    except io.UnsupportedOperation:  # no file of the system stands behind it
        return sys.stdin.buffer.read(ANSWER_LIMIT + 1)
    if sys.stdin.isatty():
        invitation = "paste the answer, a JSON object (it is not shown); Ctrl-D ends it"
        return pasted(descriptor, invite=lambda: run.say(invitation), limit=ANSWER_LIMIT + 1)
    return handed(descriptor, patience=PATIENCE, limit=ANSWER_LIMIT + 1)
