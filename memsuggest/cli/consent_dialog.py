"""Consent at the command line: showing what would be sent, asking, and telling what could not be asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.progress_line import make_room
from memsuggest.cli.run import Run, tell
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from memsuggest.engines.receiver import Receiver
    from memsuggest.extraction.findings import Extractor
    from memsuggest.reports.learning_reports import Postponed
    from memsuggest.workflows.ask.model_access import Hand
    from memsuggest.workflows.context import Context


def hand_of(run: Run, *, consent: bool, record: Path | None, replay: Path | None) -> Hand:
    """Return what a command line says about asking a model."""
    from memsuggest.workflows.ask.model_access import Hand

    can_ask = is_interactive() and not run.quiet and run.format in (None, "text")
    return Hand(is_agreed=consent, ask_person=ask_for_consent if can_ask else None, record=record, replay=replay)


def engine_of(
    run: Run, engine: str | None, *, consent: bool, record: Path | None, replay: Path | None
) -> AbstractContextManager[Extractor]:
    """Return the engine that a command line names; only one that may ask a model needs a workspace."""
    from memsuggest.extraction import offline
    from memsuggest.workflows.ask.model_access import engine_at

    if run.offline or (engine in (None, "offline") and replay is None):
        return nullcontext(offline)
    hand = hand_of(run, consent=consent, record=record, replay=replay)
    return engine_at(run.context(engine=engine or "haiku"), hand)


def ask_for_consent(context: Context, receiver: Receiver) -> bool:
    """Show what would be sent, where to, and for which workspace; return whether the person agrees."""
    from memsuggest.workflows.ask.grant_consent import words_about

    make_room()
    for line in words_about(context, receiver):
        typer.echo(line, err=True)
    return typer.confirm("send it?", default=False, err=True)


def tell_postponed(postponed: Sequence[Postponed]) -> int:
    """Print why transcripts stay pending and what to do; return the exit code."""
    first = postponed[0]
    number = f"{len(postponed)} transcripts stay" if len(postponed) > 1 else "1 transcript stays"
    offered = sum(one.offered for one in postponed)
    hint = f"{first.hint}; it finds {offered} in them" if offered and "--engine offline" in first.hint else first.hint
    tell(MemsuggestError(f"{number} pending: {first.why}", hint=hint))
    return 1
