"""Forgotten words, left out where their chat is read again: by tombstones, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.model import Citation, Tombstone, Transcript
from memsuggest.facts.accept import words_digest


def forgotten_evidence(context: Context) -> frozenset[str]:
    """Return the keys of evidence that the person forgot."""
    return frozenset(key for stone in _stones(context) for key in stone.evidence)


def without_forgotten(context: Context, transcript: Transcript) -> Transcript:
    """Return a chat in which blanks stand for the sentences that were forgotten, of the same length."""
    stones = _stones(context)
    evidence = {key for stone in stones for key in stone.evidence}
    words = {stone.words for stone in stones if stone.words}
    if not (evidence or words):
        return transcript
    gone: dict[int, set[str]] = {}
    for turn, quote, rule in _sentences_of(transcript):
        key = Citation(session_id=transcript.session_id, turn=turn, quote=quote).evidence_key
        if key in evidence or words_digest(rule) in words:
            gone.setdefault(turn, set()).add(quote)
    turns = tuple(
        replace(turn, typed=_blanked(turn.typed, gone[turn.number])) if turn.number in gone else turn
        for turn in transcript.turns
    )
    return replace(transcript, turns=turns)


def _stones(context: Context) -> list[Tombstone]:
    return [stone for stone in context.profile.tombstones() if not stone.into]


def _sentences_of(transcript: Transcript) -> Iterator[tuple[int, str, str]]:
    """Yield turn, words and rule of all that could have been cited: what engines found, and each sentence."""
    from memsuggest.judging.offline import offline
    from memsuggest.judging.offline.statements import statements_of

    for candidate in offline.extract(transcript).candidates:
        yield from ((cited.turn, cited.quote, candidate.content) for cited in candidate.citations)
    for statement in statements_of(transcript):
        yield statement.turn.number, statement.text, statement.text


def _blanked(text: str, quotes: set[str]) -> str:
    for quote in sorted(quotes, key=len, reverse=True):
        text = text.replace(quote, " " * len(quote))
    return text
