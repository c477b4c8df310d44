"""A memory made of a finished conversation by rule, from its summary; or by hand. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.apps.app_memory import BY_HAND, LENGTH, NewMemory
from memsuggest.identity import hash_of
from memsuggest.model import AppMaker
from memsuggest.recall.session_summary import shortened

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.recall.session_summary import SessionSummary

_USUAL = 3
"""Importance of a conversation in which nothing was written."""
_LONG = 6
"""Prompts from which a conversation counts more."""


def importance_of(summary: SessionSummary) -> int:
    """Return how much a conversation counts, from 0 to 10, less than what is written by hand."""
    return min(BY_HAND - 1, _USUAL + 2 * bool(summary.files_written) + (summary.prompts >= _LONG))


def tags_of(summary: SessionSummary) -> tuple[str, ...]:
    """Return what sort of things a conversation held."""
    return ("files",) if summary.files_written else ()


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


def written_by_hand(text: str, *, app_id: str, workspace: str) -> NewMemory:
    """Return what the person wants an app to remember."""
    return NewMemory(app_id=app_id, content=text, importance=BY_HAND, maker=AppMaker.PERSON, workspace=workspace)
