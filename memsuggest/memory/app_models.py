"""Asking a model about an app's memories: what to remember, and what makes room. Our own rules do it otherwise."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsuggest.core.config import OFFLINE
from memsuggest.core.errors import ConsentError, ModelError
from memsuggest.core.identity import hash_of
from memsuggest.judging.asking.consent_store import APPS
from memsuggest.judging.asking.question import Purpose
from memsuggest.judging.engine_choice import NOBODY, chosen_engine
from memsuggest.memory.app_memory import LENGTH
from memsuggest.memory.app_table import Advice
from memsuggest.memory.conversation_models import (
    open_model,
    planned_request,
    sentences_by_model,
    token_usage_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from memsuggest.core.context import Context
    from memsuggest.core.model import AppMemory, Transcript
    from memsuggest.judging.asking.ask_model import Asker
    from memsuggest.judging.engine_choice import Hand
    from memsuggest.learning.learning_reports import Request
    from memsuggest.memory.app_memory import NewMemory


class AppModel:
    """A model that may be asked about one conversation of an app."""

    def __init__(
        self,
        asker: Asker,
        *,
        app_id: str,
        token_usage: Mapping[str, int],
        may_be_told: Callable[[str], bool] = lambda _workspace: True,
    ) -> None:
        self._asker = asker
        self._app_id = app_id
        self._may_be_told = may_be_told
        """Whether it may be told what is remembered of a workspace."""
        self._token_usage = token_usage

    def content(self, transcript: Transcript) -> str:
        """Return what is worth remembering of a conversation; raises ModelError and ConsentError."""
        return sentences_by_model(
            self._asker,
            transcript,
            purpose=Purpose.APP_MEMORY,
            about=self._app_id,
            family=family_of(self._app_id),
            limit=LENGTH,
            token_usage=self._token_usage,
        )

    def advice(self, held: Sequence[AppMemory], new: NewMemory) -> Advice | None:
        """Return what makes room for a new memory, as the model says and our checks allow; its failure otherwise.

        None where it may not be told all of them: some are about workspaces for which nobody agreed to that.
        """
        from memsuggest.judging.offline.kept_words import why_unsafe
        from memsuggest.memory.compaction import compaction_question, read_decision, why_not

        shown = tuple(held)
        if not all(self._may_be_told(one.workspace) for one in shown if one.workspace):
            return None
        try:
            question = compaction_question(held, new, token_usage=self._token_usage)
            decision = self._asker.ask(question, read_decision, family=family_of(self._app_id))
        except (ModelError, ConsentError) as error:
            return Advice(shown=shown, failure=error.message)
        wrong = why_not(decision, held, new, check=why_not_merged)
        if wrong or why_unsafe(decision.reason):
            return Advice(shown=shown, failure=f"the model's decision cannot be carried out: {wrong or 'its reason'}")
        return Advice(shown=shown, decision=decision)


@contextmanager
def app_model(
    context: Context, hand: Hand = NOBODY, *, app_id: str, transcript: Transcript
) -> Iterator[tuple[AppModel | None, str]]:
    """Give a model where one may be asked, else None and why not."""
    with open_model(context, hand, terms=APPS, what="what apps remember") as (model, why_not):
        if model is None:
            yield None, why_not
            return
        token_usage = token_usage_of(transcript, model.engine)
        yield AppModel(model.asker, app_id=app_id, token_usage=token_usage, may_be_told=model.may_be_told), ""


def planned_requests(context: Context, hand: Hand, *, app_id: str, transcript: Transcript) -> tuple[Request, ...]:
    """Return what a model would be asked about a conversation; nothing where none is to be asked."""
    if chosen_engine(context, hand) == OFFLINE:
        return ()
    return (planned_request(context, hand, transcript, purpose=Purpose.APP_MEMORY, about=app_id),)


def family_of(app_id: str) -> str:
    """Return the name under which a model's answers about an app are kept."""
    return hash_of("app", app_id)


def why_not_merged(content: str, sources: Sequence[str]) -> str:
    """Say why a wording may not stand for the memories that it merges; nothing when it may."""
    from memsuggest.judging.offline.kept_words import is_of, why_not_stored

    return why_not_stored(content, sources) or (
        "" if is_of(content, sources, share=_MERGED) else "it says what neither says"
    )


_MERGED = 0.8
"""Share of a merged wording's words that stand in what it merges."""


def forget_app_answers(state: Path, app_id: str) -> None:
    """Take what models answered about an app out of the answers that were kept, in every workspace."""
    from memsuggest.judging.asking.answers import drop_everywhere

    drop_everywhere(state, family_of(app_id))
