"""Batches at the command line: what one would cost, the question, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.progress_line import Progress
from memsuggest.cli.run import Run
from memsuggest.config import HAIKU
from memsuggest.errors import ConfigError

if TYPE_CHECKING:
    from memsuggest.reports.batch_report import BatchEstimate
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.learn.batch_run import BatchWish


def require_one_way(*, batch: bool, no_wait: bool, cancel: bool, is_recorded: bool) -> None:
    """Refuse options that do not go together."""
    if (no_wait or cancel) and not batch:
        raise typer.BadParameter("it goes with `--batch`", param_hint="--no-wait" if no_wait else "--cancel")
    if batch and is_recorded:
        raise typer.BadParameter("recordings are of questions that are asked one by one", param_hint="--batch")


def batch_wish(
    run: Run, context: Context, progress: Progress, *, no_wait: bool, cancel: bool, consent: bool
) -> BatchWish:
    """Return what a command line says about batches; raises ConfigError where only another engine may be asked."""
    from memsuggest.workflows.learn.batch_run import BatchWish

    if context.settings.engine != HAIKU:
        raise ConfigError(
            f"only the model's own API answers batches, and the engine is `{context.settings.engine}`",
            hint="leave out `--offline`" if run.offline else "`memsuggest reconcile --batch --engine haiku`",
        )
    can_ask = is_interactive() and not run.quiet and run.format in (None, "text") and not consent

    def agree(estimate: BatchEstimate) -> bool:
        progress.clear()
        run.say(_words(estimate))
        return not can_ask or typer.confirm("send it?", default=False, err=True)

    return BatchWish(agree=agree, progress=progress.batch, is_waiting=not no_wait, is_canceled=cancel)


def _words(estimate: BatchEstimate) -> str:
    """Say what a batch would be, and what it would cost."""
    from memsuggest.asking.usage_ledger import dollars

    questions = "1 question" if estimate.questions == 1 else f"{estimate.questions:,} questions"
    chats = "1 chat" if estimate.chats == 1 else f"{estimate.chats:,} chats"
    left = f"; for {estimate.left:,} more the budgets have no room" if estimate.left else ""
    return (
        f"a batch of {questions} about {chats} to {estimate.endpoint}, model {estimate.model}: about"
        f" {estimate.tokens:,} tokens, at most {dollars(estimate.micros)}, half of the usual price{left}"
    )
