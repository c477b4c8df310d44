"""Asking a model about an app's memories: what to remember, and what makes room. Our own rules do it otherwise.

A model is asked only where the person agreed to just that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import Field

from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, ConsentError, ModelError
from memsuggest.core.identity import hash_of
from memsuggest.core.model import AppAction, AppMaker, AppMemory, Transcript
from memsuggest.core.text.when import day
from memsuggest.judging.asking.ask_model import Asker
from memsuggest.judging.asking.consent_store import APPS
from memsuggest.judging.asking.json_object import ReplyPart, read_as
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.by_model.conversation_question import (
    attributed_text,
    conversation_question,
    question_of,
    read_sentences,
)
from memsuggest.judging.by_model.session_text import as_line
from memsuggest.judging.engine_choice import Asking, chosen_engine, consents_of, receiver_of
from memsuggest.judging.engines.receiver import LOCAL
from memsuggest.judging.model_reports import Request
from memsuggest.judging.offline.derive import is_of, why_not_stored, why_unsafe
from memsuggest.memory.app_memory import BY_HAND, LENGTH, REASON, Advice, Compaction

SECONDS = 30.0  # for an answer; after that our own rules do it
_MERGED = 0.8  # share of a merged wording's words that stand in what it merges


class DecisionReply(ReplyPart):
    """The answer to the question what makes room."""

    action: Literal["delete", "edit"]
    target: int = Field(alias="targetMemoryId")
    content: str = Field(alias="newContent")
    reason: str


@dataclass(frozen=True, kw_only=True)
class AppModel:
    """A model that may be asked about one conversation of an app."""

    asker: Asker
    app_id: str
    token_usage: Mapping[str, int]
    may_be_told: Callable[[str], bool] = lambda _workspace: True
    """Whether it may be told what is remembered of a workspace."""

    def content(self, transcript: Transcript) -> str:
        """Return what is worth remembering of a conversation; raises ModelError and ConsentError."""
        question = _question(transcript, self.app_id, self.token_usage)
        reply = self.asker.ask(question, read_sentences, family=family_of(self.app_id))
        return attributed_text(reply.sentences, transcript, limit=LENGTH)

    def advice(self, stored: Sequence[AppMemory], new: AppMemory) -> Advice | None:
        """Return what makes room for a new memory, as the model says and our checks allow; its failure otherwise.

        None where it may not be told all of them: some are about workspaces for which nobody agreed to that.
        """
        shown = tuple(stored)
        if not all(self.may_be_told(memory.workspace) for memory in shown if memory.workspace):
            return None
        lines = [
            as_line(
                {"id": item.id, "created": day(item.created_at), "importance": item.importance, "memory": item.content}
            )
            for item in sorted(stored, key=lambda item: item.id)
        ]
        lines.append(as_line({"new": new.content}))
        purpose, usage = Purpose.APP_COMPACTION, self.token_usage
        question = question_of(purpose, lines, DecisionReply, about=new.app_id, token_usage=usage)
        try:
            reply = self.asker.ask(question, partial(read_as, DecisionReply), family=family_of(self.app_id))
        except (ModelError, ConsentError) as error:
            return Advice(shown=shown, failure=error.message)
        decision = Compaction(
            action=AppAction.MERGE if reply.action == "edit" else AppAction.DELETE,
            target=reply.target,
            content=" ".join(reply.content.split()),
            reason=" ".join(reply.reason.split())[:REASON],
            by=AppMaker.MODEL,
        )
        if wrong := why_not(decision, stored, new):
            return Advice(shown=shown, failure=f"the model's decision was rejected: {wrong}")
        return Advice(shown=shown, decision=decision)


def app_model(
    context: Context, asking: Asking, opened: ExitStack, *, app_id: str, transcript: Transcript
) -> tuple[AppModel | None, str]:
    """Return a model where one may be asked, until what it is `opened` in ends, else None and why not."""
    try:
        engine = chosen_engine(context, asking)
        if engine == OFFLINE or context.is_dry:
            return None, ""
        from memsuggest.judging.model_access import asker_at

        asker = opened.enter_context(asker_at(context, asking, engine=engine, seconds=SECONDS))
        consents, address = consents_of(context), receiver_of(context, engine).address
    except (ModelError, ConsentError, ConfigError) as error:
        return None, error.message

    def may_be_told(workspace: str) -> bool:
        return (
            engine == LOCAL  # nothing leaves the machine
            or (asking.is_agreed and workspace == context.place.key)
            or consents.has(workspace=workspace, endpoint=address, terms=APPS)
        )

    if not may_be_told(context.place.key):
        return None, "your consent to this model does not cover app memories"
    usage = _token_usage(transcript, engine)
    return AppModel(asker=asker, app_id=app_id, token_usage=usage, may_be_told=may_be_told), ""


def planned_requests(context: Context, asking: Asking, *, app_id: str, transcript: Transcript) -> tuple[Request, ...]:
    engine = chosen_engine(context, asking)
    if engine == OFFLINE:
        return ()
    from memsuggest.judging.model_access import as_request

    return (as_request(context, _question(transcript, app_id, _token_usage(transcript, engine)), engine=engine),)


def _question(transcript: Transcript, app_id: str, token_usage: Mapping[str, int]) -> Question:
    return conversation_question(transcript, purpose=Purpose.APP_MEMORY, about=app_id, token_usage=token_usage)


def _token_usage(transcript: Transcript, engine: str) -> Mapping[str, int]:
    """Return what the assistant itself used in a conversation, where its transcript says so."""
    from memsuggest.transcripts.raw_sessions import token_usage

    used = None if engine == LOCAL else token_usage(Path(transcript.origin), transcript.format)
    return {} if used is None else {hash_of("session", transcript.session_id): used}


def why_not(decision: Compaction, stored: Sequence[AppMemory], new: AppMemory) -> str:
    target = next((memory for memory in stored if memory.id == decision.target), None)
    if target is None:
        return "the decision refers to a memory that was not shown"
    if target.importance >= BY_HAND and any(memory.importance < BY_HAND for memory in stored):
        return "the decision changes a memory you added by hand"
    if why_unsafe(decision.reason):
        return "the stated reason is unsafe"
    if decision.action is AppAction.DELETE:
        return ""
    words, sources = decision.content.strip(), (target.content, new.content)
    if not words or len(words) > LENGTH:
        return f"the new text has {len(words)} characters"
    is_of_both = is_of(words, sources, share=_MERGED)
    return why_not_stored(words, sources) or (
        "" if is_of_both else ("the new text adds information that is in neither memory")
    )


def family_of(app_id: str) -> str:
    return hash_of("app", app_id)


def forget_app_answers(state: Path, app_id: str) -> None:
    from memsuggest.judging.asking.answers import drop_everywhere

    drop_everywhere(state, family_of(app_id))
