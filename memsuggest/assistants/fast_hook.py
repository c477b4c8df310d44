"""The hook command as assistants run it: without the libraries of the command line, and never in anybody's way.

A person waits behind a prompt. So memory is looked up in a thread that is given up at a deadline, the answer goes out
at once, and what is to be noted is noted by a process that nobody waits for. Whatever happens, the exit code is 0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

from memsuggest.cli.stdin_payload import handed
from memsuggest.core.hook_payloads import PROMPT, Payload, answer_to_prompt, payload_of
from memsuggest.transcripts.own_session_mark import VARIABLE

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.memory.hook_recall import Given

DEADLINE = 0.75  # seconds from the payload to the answer; later, an assistant goes on without memory
RECALL = "--recall"


def is_quick(words: Sequence[str]) -> bool:
    """Tell whether a command line is the one that stands in the assistants' files."""
    return list(words) in (["hook"], ["hook", RECALL])


def run_quickly(words: Sequence[str]) -> NoReturn:
    """Take what an assistant hands over, answer, and end well."""
    given: Given | None = None
    with suppress(Exception):  # the one boundary where even a bug must not disturb an assistant
        if not os.environ.get(VARIABLE):  # else a hook of a program that memsuggest asks a question
            given = answer(handed(sys.stdin.fileno()), with_recall=RECALL in words)
    with suppress(Exception):  # it ends at once, whatever a thread still waits for
        if given is not None and given.hits:
            is_alone = not hasattr(os, "fork")
            if not is_alone and not os.fork():  # this is a process that nobody waits for
                is_alone = True
                os.setsid()
                nothing = os.open(os.devnull, os.O_RDWR)
                for descriptor in range(3):
                    os.dup2(nothing, descriptor)
            if is_alone:
                note(given)
    os._exit(0)


def answer(raw: bytes, *, with_recall: bool) -> Given | None:
    """Print what an assistant reads; return what it was given, to be noted."""
    payload = payload_of(raw)
    if payload is None or not payload.event:
        return None
    given: Given | None = None
    if payload.event == PROMPT:
        given = _in_time(payload) if with_recall else None
        said = answer_to_prompt(payload, given.text if given else "")
    else:
        from memsuggest.assistants import hook_command

        # Copilot CLI begins a session with the first prompt, which comes as a prompt, too: what fits it is given there.
        start = payload._replace(prompt="")
        given = _in_time(start) if with_recall and start.event == "SessionStart" else None
        said = hook_command.answer(payload, run=_context, memory=given.text if given else "")
    if said:
        sys.stdout.write(said)
        sys.stdout.flush()
    return given


def _in_time(payload: Payload) -> Given | None:
    """Return the last of what is remembered before the deadline; None where all of it takes longer, or fails.

    None, too, where another hook gave it just now, for the same event.
    """
    found: list[Given] = []

    def work() -> None:
        with suppress(Exception):  # as above: a damaged, busy or newer store gives no memory, and no trouble
            from memsuggest.core.workspace import this_machine
            from memsuggest.memory import hook_recall

            for given in hook_recall.given(payload, this_machine(), is_start=payload.event != PROMPT):
                found.append(given)  # one by one: at the deadline the last of them is taken

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if not found or not found[-1].text:
        return None
    from memsuggest.assistants.hook_command import is_first
    from memsuggest.core.workspace import this_machine

    return found[-1] if is_first(payload, "memory", this_machine()) else None


def _context() -> Context:
    from memsuggest.core.context import open_context
    from memsuggest.core.workspace import current_folder, this_machine

    return open_context(start=current_folder(), given=False, machine=this_machine(), flags={})


def note(given: Given) -> None:
    from memsuggest.core.workspace import this_machine
    from memsuggest.memory.hook_recall import note_given

    note_given(given, this_machine())
