"""The conversation around a quote: the turns before and after it, read from the chat where it still is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import StoreError, TranscriptError
from memsuggest.core.model import Citation
from memsuggest.suggestions.review_report import Conversation
from memsuggest.transcripts.reading import read_around

BEFORE, AFTER = 3, 2
"""Turns that are shown around a quote."""


def places_of(context: Context, citation: Citation) -> tuple[str, ...]:
    """Return the files in which a citation's chat was read, the last one first; quick, since no chat is opened."""
    with suppress(StoreError), store_errors(context.state):
        return context.progress.places_of(citation.session_id)
    return ()


def read_conversation(places: tuple[str, ...], citation: Citation) -> Conversation:
    """Return the turns around a quote; none where the chat is gone, or does not say that any more. May take long."""
    for place in places:
        with suppress(TranscriptError, OSError):
            transcript = read_around(Path(place), citation.turn, before=BEFORE, after=AFTER)
            if transcript.session_id == citation.session_id and transcript.turns:
                return Conversation(turns=transcript.turns, cited=citation.turn)
    return Conversation()
