"""A model that may be asked about conversations that are over, where the person agreed to just that."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.config import OFFLINE
from memsuggest.core.errors import ConfigError, ConsentError, ModelError
from memsuggest.core.identity import hash_of
from memsuggest.judging.engine_choice import chosen_engine, consents_of, grant_command, receiver_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memsuggest.core.context import Context
    from memsuggest.core.model import Transcript
    from memsuggest.judging.asking.ask_model import Asker
    from memsuggest.judging.asking.question import Purpose
    from memsuggest.judging.engine_choice import Hand
    from memsuggest.learning.learning_reports import Request

SECONDS = 30.0
"""For an answer; after that our own rules do it."""


class OpenModel(NamedTuple):
    """A model that may be asked."""

    asker: Asker
    engine: str
    may_be_told: Callable[[str], bool]
    """Whether it may be told what is remembered of a workspace."""


@contextmanager
def open_model(context: Context, hand: Hand, *, terms: int, what: str) -> Iterator[tuple[OpenModel | None, str]]:
    """Give a model where one may be asked, else None and why not.

    `terms` are the words of consent that name such questions, and `what` says what those are about.
    """
    with ExitStack() as opened:
        try:
            model, why = _opened(context, hand, opened, terms, what), ""
        except (ModelError, ConsentError, ConfigError) as error:
            model, why = None, error.message
        yield model, why


def _opened(context: Context, hand: Hand, opened: ExitStack, terms: int, what: str) -> OpenModel | None:
    """Open the way to a model; None where none is to be asked. Raises ModelError, ConsentError and ConfigError."""
    engine = chosen_engine(context, hand)
    if engine == OFFLINE or context.is_dry:
        return None
    from memsuggest.judging.model_access import asker_at

    asker = opened.enter_context(asker_at(context, hand, engine=engine, seconds=SECONDS))
    may_be_told = _agreed(context, engine, hand, terms)
    if not may_be_told(context.place.key):
        raise ConsentError(
            f"you agreed to a model before it could be asked about {what}",
            hint=f"`{grant_command(engine)}` shows what would be sent, and asks",
        )
    return OpenModel(asker, engine, may_be_told)


def _agreed(context: Context, engine: str, hand: Hand, terms: int) -> Callable[[str], bool]:
    """Return what tells for which workspaces the person agreed to these terms."""
    from memsuggest.judging.engines.receiver import LOCAL

    if engine == LOCAL or hand.replay is not None:  # nothing leaves the machine
        return lambda _workspace: True
    consents, address = consents_of(context), receiver_of(context, engine).address
    return lambda workspace: (
        (hand.is_agreed and workspace == context.place.key)
        or consents.has(workspace=workspace, endpoint=address, terms=terms)
    )


def sentences_by_model(  # noqa: PLR0913  (what a question is made of)
    asker: Asker,
    transcript: Transcript,
    *,
    purpose: Purpose,
    about: str,
    family: str,
    limit: int,
    token_usage: Mapping[str, int],
) -> str:
    """Return a few sentences of a model about a conversation, as far as they may be kept; empty where none may.

    Raises ModelError and ConsentError.
    """
    from memsuggest.judging.by_model.conversation_question import (
        conversation_question,
        read_sentences,
    )
    from memsuggest.judging.offline.kept_words import attributed_text

    question = conversation_question(transcript, purpose=purpose, about=about, token_usage=token_usage)
    reply = asker.ask(question, read_sentences, family=family)
    return attributed_text(reply.sentences, transcript, limit=limit)


def planned_request(context: Context, hand: Hand, transcript: Transcript, *, purpose: Purpose, about: str) -> Request:
    """Return what a model would be asked about a conversation, as a dry run shows it."""
    from memsuggest.judging.by_model.conversation_question import conversation_question
    from memsuggest.judging.model_access import as_request

    engine = chosen_engine(context, hand)
    token_usage = token_usage_of(transcript, engine)
    question = conversation_question(transcript, purpose=purpose, about=about, token_usage=token_usage)
    return as_request(context, question, engine=engine)


def token_usage_of(transcript: Transcript, engine: str) -> Mapping[str, int]:
    """Return what the assistant itself used in a conversation, where its transcript says so."""
    from memsuggest.judging.engines.receiver import LOCAL
    from memsuggest.transcripts.raw_sessions import token_usage

    used = None if engine == LOCAL else token_usage(Path(transcript.origin), transcript.format)
    return {} if used is None else {hash_of("session", transcript.session_id): used}
