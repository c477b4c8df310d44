"""Judging opened chats: a model is asked about several short ones at once, our own rules read one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.errors import ModelError, Skipped
from memsuggest.core.model import Candidate, MemoryFact, Outcome
from memsuggest.core.show_progress import JUDGING, ShowProgress
from memsuggest.judging.model_access import as_model, as_request
from memsuggest.judging.model_reports import Postponed, Request
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Extractor
from memsuggest.transcripts.find_transcripts import OpenedChat

AHEAD = 24  # chats that are read before a model is asked: enough for two full questions about short ones


class JudgedChat(NamedTuple):
    """A chat with what an engine found in it."""

    chat: OpenedChat
    candidates: Sequence[Candidate] | None = ()
    """None where nobody was asked, or could be: nothing may be learned from it now."""
    skipped: Sequence[Skipped] = ()
    postponed: Postponed | None = None


def judged(  # noqa: PLR0913  (what a run is told)
    context: Context,
    engine: Extractor,
    chats: Iterator[OpenedChat | Skipped],
    *,
    total: int,
    known: Callable[[], Sequence[MemoryFact]],
    progress: ShowProgress,
    requests: list[Request],
) -> Iterator[JudgedChat | Skipped]:
    """Judge chats as they are opened, but for those of which the person wants nothing to be known.

    With a dry context no model is asked, and `requests` gets what it would be asked.
    """
    model, done = as_model(engine), 0
    while batch := list(islice(chats, AHEAD if model else 1)):
        # Not marked as read: when the person wants it again, nothing of it is known.
        silenced = context.profile.silenced()
        some = [chat for chat in batch if isinstance(chat, OpenedChat) and chat.session not in silenced]
        yield from (skip for skip in batch if isinstance(skip, Skipped))
        failed: Mapping[str, ModelError] = {}
        if model:
            if len(some) > 1:
                progress(done, total, f"{len(some)} chats", phase=JUDGING)
            news = [found for chat in some if (found := chat.news(context))]
            if context.is_dry:
                asked = model.questions(news, known())
                requests += [as_request(context, question, engine=model.NAME) for question in asked]
            else:
                failed = model.ask_together(news, known())
        for number, chat in enumerate(some, done):
            if model:
                progress(number, total, chat.name)
            yield _judged(context, engine, chat, failed.get(chat.session), known)
        done += len(batch)


def _judged(
    context: Context,
    engine: Extractor,
    chat: OpenedChat,
    failed: ModelError | None,
    known: Callable[[], Sequence[MemoryFact]],
) -> JudgedChat:
    """Judge one chat; `failed`: a model was asked about it and others in vain."""
    news = chat.news(context)
    if news is None:
        return JudgedChat(chat)
    if context.is_dry and engine.NAME != OFFLINE:
        return JudgedChat(chat, None)
    try:
        if failed:
            raise failed
        findings = engine.extract(news, known()).after(news.context)  # the rest is known already
    except ModelError as error:
        offered = sum(candidate.outcome is Outcome.SUGGEST for candidate in offline.extract(news).candidates)
        postponed = Postponed(path=chat.found.place, why=error.message, hint=error.hint or "", offered=offered)
        return JudgedChat(chat, None, postponed=postponed)
    return JudgedChat(chat, findings.candidates, findings.skipped)
