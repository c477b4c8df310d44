"""A finished session in a model's words, where the person agreed to that; wherever it fails, our own rules do it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import ARCHIVE
from memsuggest.asking.question import Purpose
from memsuggest.errors import MemsuggestError
from memsuggest.identity import session_hash
from memsuggest.recall.entry import Source
from memsuggest.workflows.ask.engine_choice import NOBODY
from memsuggest.workflows.facts.forget_quotes import family_of_session
from memsuggest.workflows.memory.conversation_models import (
    open_model,
    sentences_by_model,
    token_usage_of,
)
from memsuggest.workflows.memory.memory_entries import checked_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import Transcript
    from memsuggest.workflows.ask.engine_choice import Hand
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.memory.conversation_models import OpenModel

LENGTH = 480
"""Characters of a session's summary."""
AT_ONCE = 10
"""Sessions of one run that a model is asked about; those beyond are summed up by rule, so that nobody waits long."""


class SessionModel:
    """A model that may be asked about the sessions of one run."""

    def __init__(self, model: OpenModel) -> None:
        self._model = model
        self._left = AT_ONCE

    def summary(self, transcript: Transcript) -> str:
        """Return a few sentences about a session; empty where the model gave none that may be kept."""
        if self._left <= 0:
            return ""
        self._left -= 1
        try:
            text = sentences_by_model(
                self._model.asker,
                transcript,
                purpose=Purpose.SESSION_SUMMARY,
                about=transcript.session_id,
                family=family_of_session(session_hash(transcript.session_id)),
                limit=LENGTH,
                token_usage=token_usage_of(transcript, self._model.engine),
            )
            return checked_content(text, Source.SYSTEM) if text else ""
        except MemsuggestError:  # no answer, one of no use, or one that may not be kept
            return ""


@contextmanager
def session_model(context: Context, hand: Hand = NOBODY) -> Iterator[SessionModel | None]:
    """Give a model where one may be asked about finished sessions; nobody is asked for their consent on the way."""
    quiet = replace(hand, ask_person=None)
    with open_model(context, quiet, terms=ARCHIVE, what="the archive's summaries") as (model, _):
        yield None if model is None else SessionModel(model)
