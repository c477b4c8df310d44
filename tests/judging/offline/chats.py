"""Short ways to make remarks and sessions for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from memsuggest.core.model import Candidate, Role, Signals, Transcript, Trust, Turn
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.statements import Statement, statements_of

WHEN = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def session(*said: str, trust: Trust = Trust.TYPED, format_: str = "claude-code", **signals: object) -> Transcript:
    """A session of lines; `a: ` begins one of the assistant's. Signals go to the last turn of the person."""
    turns = []
    for number, text in enumerate(said, 1):
        if text.startswith("a: "):
            turns.append(Turn(number=number, role=Role.ASSISTANT, text=text[3:], at=WHEN))
        else:
            is_last = number == len(said)
            marks = Signals(**signals) if is_last else Signals()  # type: ignore[arg-type]
            turns.append(Turn(number=number, role=Role.USER, typed=text, at=WHEN, signals=marks))
    return Transcript(
        session_id="s1",
        format=format_,
        origin="chat.jsonl",
        turns=tuple(turns),
        trust=trust,
    )


def statement(text: str) -> Statement:
    """The first statement of a session that says only this."""
    return next(statements_of(session(text)))


def found(*said: str, **more: object) -> list[Candidate]:
    """What the engine finds in a session, at the default threshold."""
    return [one for one in _found(said, more) if one.confidence >= 0.6]


def maybes(*said: str, **more: object) -> list[Candidate]:
    """What the engine keeps aside of a session."""
    return [one for one in _found(said, more) if one.confidence < 0.6]


def contents(*said: str, **more: object) -> list[str]:
    """The contents of what the engine finds."""
    return [candidate.content for candidate in found(*said, **more)]


def _found(said: tuple[str, ...], more: dict[str, object]) -> tuple[Candidate, ...]:
    return offline.extract(session(*said, **more)).candidates  # type: ignore[arg-type]
