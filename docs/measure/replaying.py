"""Answers through the real engine: what it makes of them, session by session, as if it had asked itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packets import Request
from scoring import Found

from memsuggest.core.errors import ModelError
from memsuggest.core.model import Candidate, Skipped, Transcript
from memsuggest.judging.asking.answers import PaidAnswer
from memsuggest.judging.asking.question import Question, estimate
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.judging.by_model.packets import ExtractionReply, part_of, read_reply
from memsuggest.judging.by_model.session_text import shown_turns, turn_name
from memsuggest.judging.offline.findings import Findings


@dataclass(kw_only=True)
class Answered:
    """Answers to requests, by session."""

    replies: dict[str, list[ExtractionReply]] = field(default_factory=dict)
    """By the file of the session."""
    tokens: int = 0
    """Of all requests that were answered."""
    output: int = 0
    """Tokens of the answers."""
    troubles: list[str] = field(default_factory=list)


def read_answers(requests: Iterable[Request], folder: Path, *, change: Callable[[str], str] = str) -> Answered:
    """Read the answers in a folder (`ID.json`), each changed by `change`; one that is of no use is a trouble."""
    found = Answered()
    for request in requests:
        path = folder / f"{request.id}.json"
        if not path.exists():
            found.troubles.append(f"{request.id}: no answer")
            continue
        text = path.read_text(encoding="utf-8")
        try:
            reply = read_reply(text)
            reply = read_reply(change(text))
        except ModelError as error:
            found.troubles.append(f"{request.id}: {error.message}")
            continue
        found.tokens += request.tokens
        found.output += estimate(text)
        for part in request.parts:
            own = part_of(reply, part.place) if part.place else reply
            found.replies.setdefault(part.file, []).append(own)
    return found


class _Given:
    """Stands for a model whose answers are there."""

    def __init__(self, transcript: Transcript, replies: Iterable[ExtractionReply]) -> None:
        covers = frozenset(turn_name(transcript, turn.turn) for turn in shown_turns(transcript))
        self._answers = [PaidAnswer(text=reply.model_dump_json(), covers=covers) for reply in replies]

    def answers(self, _family: str) -> list[PaidAnswer]:
        return self._answers

    def ask(
        self, question: Question, _read: Any, *, family: str = "", covers: Collection[str] = (), sift: Any = None
    ) -> Any:
        raise AssertionError(f"{question.about} is asked again")


def findings_of(transcript: Transcript, replies: Iterable[ExtractionReply]) -> Findings:
    """Return what the engine makes of the replies about a session."""
    return HaikuEngine(asks=_Given(transcript, replies), read_written=lambda _: ()).extract(transcript, [])


def disposed(transcript: Transcript, replies: Iterable[ExtractionReply]) -> tuple[list[Found], list[Skipped]]:
    """Return the same as it is scored, and what was dropped."""
    findings = findings_of(transcript, replies)
    return [found_of(candidate) for candidate in findings.candidates], list(findings.skipped)


def found_of(one: Candidate) -> Found:
    """Return a candidate as far as it is scored."""
    quotes = tuple(citation.quote for citation in one.citations)
    return Found(content=one.content, scope=one.scope.value, confidence=one.confidence, quotes=quotes)
