"""A memory made of a finished conversation: by rule from its summary, or from a model's sentences, checked. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.apps.app_memory import BY_HAND, LENGTH, NewMemory
from memsuggest.identity import hash_of
from memsuggest.model import AppMaker
from memsuggest.recall.session_summary import shortened
from memsuggest.text.content import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.apps.app_questions import Sentence
    from memsuggest.model import Transcript
    from memsuggest.recall.session_summary import SessionSummary

    Check = Callable[[str, Sequence[str]], str]
    """Says why words may not be stored, given what they come from."""

SENTENCES = 4
_OWN = 0.5
"""Share of a sentence's words that stand in what the person typed, from which it may pass for their word."""
_USUAL = 3
"""Importance of a conversation in which nothing was decided and nothing written."""
_SAYS = "Says the assistant: "


def importance_of(summary: SessionSummary) -> int:
    """Return how much a conversation counts, from 0 to 10, less than what is written by hand.

    What was decided outlasts what was done; a conversation that says how it ended is worth more than one that does not.
    """
    found = _USUAL + min(2, len(summary.decisions)) + bool(summary.files_written)
    return min(BY_HAND - 1, found + bool(summary.outcome or summary.open_ends))


def tags_of(summary: SessionSummary) -> tuple[str, ...]:
    """Return what sort of things a conversation held."""
    found = {"decision": summary.decisions, "files": summary.files_written, "open": summary.open_ends}
    return tuple(tag for tag, there in found.items() if there)


def ended_at(transcript: Transcript) -> int | None:
    """Return when the last thing was said in a conversation, in milliseconds since the epoch, where it says so."""
    times = [turn.at for turn in transcript.turns if turn.at]
    return round(max(times).timestamp() * 1000) if times else None


def memory_by_rule(
    summary: SessionSummary, transcript: Transcript, *, app_id: str, workspace: str, ended_at: int
) -> NewMemory:
    """Return the memory of a conversation by our own rules."""
    return NewMemory(
        app_id=app_id,
        content=shortened(summary.as_text(limit=LENGTH), LENGTH),
        conversation=transcript.session_id,
        importance=importance_of(summary),
        tags=tags_of(summary),
        workspace=workspace,
        digest=digest_of(transcript),
        at=ended_at,
    )


def digest_of(transcript: Transcript) -> str:
    """Return the identity of what the person typed in a conversation."""
    return hash_of("conversation", *(turn.typed for turn in transcript.turns if turn.typed))


def content_of(sentences: Sequence[Sentence], transcript: Transcript, *, check: Check) -> str:
    """Return a model's sentences as a memory's content, each as whose word it is; empty where none may be stored.

    A sentence that claims to be the person's word and has few of their words is the assistant's, or goes.
    """
    typed = [turn.typed for turn in transcript.turns if turn.typed]
    heard = [turn.text for turn in transcript.turns if turn.text] + list(transcript.files_written)
    found: list[str] = []
    for one in sentences[:SENTENCES]:
        text = " ".join(one.text.split())
        if one.by == "person" and _is_of(text, typed) and not check(text, typed):
            found.append(text)
        elif text and _is_of(text, [*typed, *heard]) and not check(text, [*typed, *heard]):
            found.append(f"{_SAYS}{text}")
    while found and len(" ".join(found)) > LENGTH:
        found.pop()
    return " ".join(found)


def _is_of(text: str, sources: Sequence[str]) -> bool:
    words = content_words(text)
    return bool(words) and len(words & content_words("\n".join(sources))) >= _OWN * len(words)


def merged_is_of(text: str, sources: Sequence[str]) -> bool:
    """Tell whether a merged wording is made of the words of what it merges, but for a few."""
    words = content_words(text)
    return bool(words) and len(words & content_words("\n".join(sources))) >= 0.8 * len(words)


def written_by_hand(text: str, *, app_id: str, workspace: str) -> NewMemory:
    """Return what the person wants an app to remember."""
    return NewMemory(app_id=app_id, content=text, importance=BY_HAND, maker=AppMaker.PERSON, workspace=workspace)
