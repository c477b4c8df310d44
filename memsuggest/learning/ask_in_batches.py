"""Asking in batches within a run: what is asked already is gone on with first, by one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

from memsuggest.core.config import HAIKU
from memsuggest.core.context import Context
from memsuggest.core.database import open_database
from memsuggest.core.errors import ConsentError, FileError, ModelError
from memsuggest.files import lock
from memsuggest.judging.asking import answers
from memsuggest.judging.asking.answers import Answers
from memsuggest.judging.asking.batches import Batches
from memsuggest.judging.asking.consent_store import NOTES
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.judging.engine_choice import Hand, chosen_engine, connect_batches, require_consent
from memsuggest.judging.model_access import answers_path, engine_at, open_ledger
from memsuggest.learning.batch_answers import BatchAnswers, by_place
from memsuggest.learning.batch_plan import BatchPlan
from memsuggest.learning.batch_run import ROUNDS, BatchRun, BatchWish, Gathered
from memsuggest.learning.learning_reports import BatchReceipt
from memsuggest.transcripts.discovery import FoundTranscript


@contextmanager
def _run_at(
    context: Context, hand: Hand, *, found: Sequence[FoundTranscript], person: str | None
) -> Iterator[BatchRun]:
    """Give what works with batches, alone in this clone; raises FileError, ModelError and ConsentError."""
    with lock(context.state_path.with_name("batch.lock"), wait_seconds=0), ExitStack() as opened:
        engine = opened.enter_context(engine_at(context, hand))
        assert isinstance(engine, HaikuEngine)
        connection = open_database(answers_path(context), answers.MIGRATIONS)
        opened.callback(connection.close)
        kept, batches, ledger = Answers(connection), Batches(connection), open_ledger(context, opened)
        receipt = BatchReceipt()
        taking = BatchAnswers(
            context=context,
            connection=connection,
            kept=kept,
            batches=batches,
            ledger=ledger,
            engine=engine,
            person=person,
            receipt=receipt,
            found=by_place(found),
        )
        yield BatchRun(
            context=context,
            hand=hand,
            client=connect_batches(context, opened),
            batches=batches,
            ledger=ledger,
            engine=engine,
            answers=taking,
            receipt=receipt,
        )


def ask_in_batches(  # noqa: PLR0913  (what a run is told)
    context: Context,
    hand: Hand,
    wish: BatchWish,
    *,
    found: Sequence[FoundTranscript],
    changed: Sequence[FoundTranscript],
    again: Collection[str],
    person: str | None,
    progress: Callable[[int, int, str], None],
) -> Gathered:
    """Go on with the batches that are asked, send what was not asked yet, and wait if that is wished.

    Raises FileError where another run does so, ModelError, and ConsentError.
    """
    with _run_at(context, hand, found=found, person=person) as run:
        run.go_on()
        if wish.is_canceled:
            run.cancel()
            run.wait(wish) if wish.is_waiting else run.go_on()
            return run.gathered()
        plan = BatchPlan(
            context=context,
            engine=run.engine,
            kept=run.answers.kept,
            batches=run.batches,
            ledger=run.ledger,
            model=context.settings.text("model"),
            chats=changed,
            again=again,
            person=person,
            progress=progress,
            has_notes=_may_ask_about_notes(context, hand),
        )
        is_agreed = False
        for _ in range(ROUNDS):
            is_agreed = run.send(plan, wish, is_agreed=is_agreed)
            has_dropped = run.wait(wish) if wish.is_waiting else run.go_on()
            if not (has_dropped and wish.is_waiting and is_agreed):
                break
        return run.gathered()


def _may_ask_about_notes(context: Context, hand: Hand) -> bool:
    try:
        require_consent(context, HAIKU, hand, terms=NOTES)
    except ConsentError:
        return False
    return True


def take_up_batches(
    context: Context, hand: Hand, *, found: Sequence[FoundTranscript], person: str | None
) -> Gathered | None:
    """Take what came for the batches that are asked, without waiting; None where there are none, or nobody answers.

    What a batch is asked about waits then, and a later run takes it up.
    """
    path = answers_path(context)
    if context.is_dry or not path.exists() or chosen_engine(context, hand) != HAIKU:
        return None
    with closing(open_database(path, answers.MIGRATIONS)) as connection:
        if not Batches(connection).unfinished():
            return None
    try:
        with _run_at(context, hand, found=found, person=person) as run:
            run.go_on()
            return run.gathered()
    except (FileError, ModelError, ConsentError):  # another run is at it; or what follows says what is amiss
        return None
