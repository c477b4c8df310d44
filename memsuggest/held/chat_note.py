"""A note of a chat, to tell later whether a rule mattered in it, and whether it was said again. Pure.

A note is taken when a chat is read, so that nobody has to read it again for every rule that is ever asked about: which
files it touched, which words occurred in each message and its answer (as stems, without their order), and the few
sentences that the person typed as rules or as corrections.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.core.model import Outcome, Trust
from memsuggest.core.text.stems import stem
from memsuggest.held.chat_assistants import assistant_of
from memsuggest.held.corrections import corrections_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memsuggest.core.model import Candidate, Transcript, Turn

_OWN = (Trust.TYPED, Trust.CONFIRMED)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NAME = re.compile(r"(?<![\w])[\w@.-]*[\w@](?:[./_:-][\w@.-]*\w)+")
"""What is written as code or commands are: a path, a file, `console.log`, `make-all`."""
_LONGEST = 40  # letters of a word
_MOST_SAID = 60
"""Sentences that are kept of a chat."""
_LANGUAGES = {
    "py": "python", "pyi": "python", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "js": "javascript",
    "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "go": "go", "rs": "rust", "rb": "ruby",
    "md": "markdown", "sql": "sql", "css": "css", "scss": "css", "html": "html", "sh": "shell", "tf": "terraform",
    "java": "java", "kt": "kotlin", "cs": "csharp", "cpp": "cpp", "php": "php", "swift": "swift", "yml": "yaml",
    "yaml": "yaml",
}  # fmt: skip
"""What a file's ending says of its language, where a rule would name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedSentence:
    """Something that the person typed which may say a rule again."""

    turn: int
    quote: str
    rule: str
    """It as a line of a rule file."""
    at: int | None = None
    """Milliseconds since the epoch."""
    is_correction: bool = False
    """Whether it was said of what the assistant had done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatNote:
    """A note of a chat."""

    place: str
    """The transcript."""
    session_id: str
    format: str
    assistant: str
    begun: int | None
    """Milliseconds since the epoch; None where the chat does not say."""
    touched: frozenset[str] = frozenset()
    """Files that were read, written or attached; POSIX, relative to the root where they lie below it."""
    exchanges: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """By the number of each message of the person, the words of it and of its answer."""
    in_use: frozenset[str] = frozenset()
    """Customization files, agents and skills that were in use, by path or name."""
    said: tuple[NotedSentence, ...] = ()


def note_of(transcript: Transcript, candidates: Iterable[Candidate], *, place: str) -> ChatNote:
    """Return the note for a chat, or for its end; `candidates` are what was found in it."""
    times = [_milliseconds(turn.at) for turn in transcript.turns if turn.at]
    touched = frozenset(
        path for turn in transcript.turns for path in turn.paths if path and "\n" not in path
    ) | frozenset(transcript.files_written)
    return ChatNote(
        place=place,
        session_id=transcript.session_id,
        format=transcript.format,
        assistant=assistant_of(transcript),
        begun=min(times, default=None),
        touched=touched,
        exchanges=_exchanges_of(transcript),
        in_use=frozenset(name for turn in transcript.turns for name in turn.signals.customizations),
        said=_said_in(transcript, candidates),
    )


def merged(before: ChatNote, after: ChatNote) -> ChatNote:
    """Return the note for a chat of which only the end was read anew."""
    begun = min((at for at in (before.begun, after.begun) if at is not None), default=None)
    return replace(
        after,
        begun=begun,
        assistant=after.assistant or before.assistant,
        touched=before.touched | after.touched,
        exchanges={**before.exchanges, **after.exchanges},
        in_use=before.in_use | after.in_use,
        said=_each_once((*before.said, *after.said)),
    )


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _exchanges_of(transcript: Transcript) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    number = 0
    for turn in transcript.turns:
        if turn.typed or not found:
            number = turn.number
        found.setdefault(number, set()).update(_words_of(turn))
    return {number: frozenset(words) for number, words in found.items()}


def _words_of(turn: Turn) -> Iterator[str]:
    yield from words_in(turn.typed)
    yield from words_in(turn.text)
    for path in turn.paths:
        yield from words_in(path)
        folder = path
        while folder := folder.rpartition("/")[0]:
            yield folder.casefold()
        if language := _LANGUAGES.get(path.rpartition(".")[2].lower()):
            yield stem(language)


def words_in(text: str) -> Iterator[str]:
    """Yield the stems of a text, and the names in it as they are written."""
    folded = text.casefold()
    for name in _NAME.findall(folded):
        if len(name) <= 2 * _LONGEST:
            yield name
    for word in set(_WORD.findall(folded)):
        if len(word) <= _LONGEST:
            yield from _stems_of(word)


@lru_cache(maxsize=1 << 15)
def _stems_of(word: str) -> tuple[str, ...]:
    pieces = {word, *re.split(r"[-_']", word)}
    return tuple({word, *(stem(piece) for piece in pieces if piece)})


def _said_in(transcript: Transcript, candidates: Iterable[Candidate]) -> tuple[NotedSentence, ...]:
    """Return what the person said as a rule, and what they said against what the assistant had done."""
    corrections = [
        NotedSentence(turn=one.turn, quote=one.quote, rule=one.rule, at=_at(one.at), is_correction=one.is_objection)
        for one in corrections_in(transcript)
    ]
    corrected = {(one.turn, one.quote) for one in corrections if one.is_correction}
    sure = [
        NotedSentence(
            turn=citation.turn,
            quote=citation.quote,
            rule=one.content,
            at=_at(citation.at),
            is_correction=(citation.turn, citation.quote) in corrected,
        )
        for one in candidates
        for citation in one.citations[:1]
        if one.outcome is Outcome.SUGGEST and citation.trust in _OWN
    ]
    return _each_once((*sure, *corrections))


def _at(at: datetime | None) -> int | None:
    return _milliseconds(at) if at else None


def _each_once(said: Sequence[NotedSentence]) -> tuple[NotedSentence, ...]:
    found: dict[tuple[int, str], NotedSentence] = {}
    for one in said:
        found.setdefault((one.turn, one.quote), one)
    return tuple(sorted(found.values(), key=lambda one: one.turn))[-_MOST_SAID:]
