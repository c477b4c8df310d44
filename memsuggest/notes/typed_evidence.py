"""Words that the person typed before an assistant noted a rule: in the session that a note names, or that wrote it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import QUOTE_LIMIT, Trust, Turn
from memsuggest.core.text.likeness import likeness, opposed, same_words
from memsuggest.core.text.sentences import sentences_of
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.safety import weakens_safety
from memsuggest.notes.note import NoteRule
from memsuggest.notes.note_places import NotePlace
from memsuggest.transcripts.discovery.places import codex_folders
from memsuggest.transcripts.discovery.surroundings import Surroundings
from memsuggest.transcripts.reading import detect, seal, without_answers
from memsuggest.transcripts.storage.source import Source

CARRIES = 0.6  # likeness from which typed words may say a rule by themselves
_ALIKE = 0.3  # likeness from which words somewhere in a session are shown as those that led to a note
_LARGEST = 64 * 1024 * 1024
_SEARCHED = 20  # transcripts, the newest, that are searched for the write of a note
_ABOVE = 3  # folders above a note in which its session may lie
_REFUSES = re.compile(
    r"\b(?:no|not|never|without|avoid|nie|niemals|nicht|kein\w*|ohne|ne|pas|jamais|sans|nunca|sin|sem|non|inte|aldrig)\b"
    r"|n['’]t\b|不|别|禁|勿|안 |말|않|금지|ない|нельзя|никогда|не ",
    re.IGNORECASE,
)


class _Session(NamedTuple):
    turns: list[Turn]
    """Those in which the person typed."""
    writes: list[tuple[int, list[str]]]
    """The turns that touched files, with the files' names."""


class Sessions:
    """The sessions near some notes, each read once."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._read: dict[str, _Session | None] = {}
        self._codex: dict[str, str] | None = None

    def with_quotes(self, rules: tuple[NoteRule, ...], place: NotePlace, session_id: str) -> tuple[NoteRule, ...]:
        """Return rules with what the person typed before each was noted, where that is found.

        A transcript that lies in the repo may be anybody's.
        """
        if not rules or place.is_shared or place.path.startswith(f"{self.around.root}{os.sep}"):
            return rules
        name = Path(place.path).name
        session = self._named(place, session_id) or self._that_wrote(place, name)
        return tuple(_with_quote(rule, session, name) for rule in rules) if session else rules

    def _named(self, place: NotePlace, session_id: str) -> _Session | None:
        if not re.fullmatch(r"[\w-]{8,80}", session_id):
            return None
        if place.assistant == "codex":
            if self._codex is None:
                found = (path for folder in codex_folders(self.around) for path in Path(folder).glob("rollout-*.jsonl"))
                self._codex = {path.stem[-36:]: str(path) for path in found}
            path = self._codex.get(session_id, "")
        else:
            above = (folder / f"{session_id}.jsonl" for folder in islice(Path(place.path).parents, _ABOVE))
            path = next((str(file) for file in above if file.is_file()), "")
        return self._session(path) if path else None

    def _that_wrote(self, place: NotePlace, name: str) -> _Session | None:
        for folder in islice(Path(place.path).parents, 1, _ABOVE):
            try:
                with os.scandir(folder) as listing:
                    files = [(file.stat().st_mtime_ns, file.path) for file in listing if file.name.endswith(".jsonl")]
            except OSError:
                continue
            for mtime, path in sorted(files, reverse=True)[:_SEARCHED]:
                session = self._session(path, naming=name) if mtime >= place.mtime_ns - 10**9 else None
                if session and any(name in names for _, names in session.writes):
                    return session
        return None

    def _session(self, path: str, *, naming: str = "") -> _Session | None:
        """Read a session, unless it is too large or does not name a file."""
        try:
            if Path(path).stat().st_size > _LARGEST or (naming and naming.encode() not in Path(path).read_bytes()):
                return None
            if path not in self._read:
                self._read[path] = _read(path)
        except (TranscriptError, OSError):
            self._read[path] = None
        return self._read[path]


def _read(path: str) -> _Session:
    source = Source.at(Path(path))
    raw = detect(source).read(source)
    typed = seal(without_answers(raw), trust=Trust.TYPED)
    writes = [(turn.number, [re.split(r"[\\/]", path)[-1] for path in turn.paths]) for turn in raw.turns if turn.paths]
    return _Session([turn for turn in typed.turns if turn.typed], writes)


def _with_quote(rule: NoteRule, session: _Session, name: str) -> NoteRule:
    """Return a rule with the words that led to it: the most alike before it was written, else the last ones."""
    written = [number for number, names in session.writes if name in names]
    turns: list[tuple[Turn, list[str]]] = []
    for turn in session.turns:
        if not written or turn.number < max(written):
            sentences = sentences_of(turn.typed, [*turn.quoted, *turn.doubtful])
            turns.append((turn, [" ".join(sentence.text.split()) for sentence in sentences]))
    said = [(likeness(text, rule.content), turn.number, text, turn) for turn, texts in turns for text in texts]
    best = max(said, key=lambda found: found[:2], default=None)
    if best and best[0] >= _ALIKE:
        _, _, quote, turn = best
    else:
        before = [pair for pair in turns if written and pair[0].number < min(written) and any(pair[1])]
        if not before:
            return rule
        turn, quote = before[-1][0], " ".join(before[-1][1])
    at = int(turn.at.timestamp() * 1000) if turn.at else 0
    is_theirs = carries(quote, rule.content)
    return replace(rule, quote=quote[:QUOTE_LIMIT], turn=turn.number, typed_at=at, is_theirs=is_theirs)


_NO_FIRST = re.compile(r"\A(?:no+|nope|nein|non|nej|нет|不|아니)\b[\s,.!:;–—-]+", re.IGNORECASE)
"""A refusal of what was done, which is no part of what is to be done."""


def carries(typed: str, rule: str) -> bool:
    """Tell whether typed words say a rule: nearly the same, nothing named that they do not name, no other sign.

    >>> carries("please never use floats for prices", "Never use floats for prices.")
    True
    >>> carries("use floats for prices", "Never use floats for prices.")
    False
    """
    typed = _NO_FIRST.sub("", typed)
    if same_words(typed, rule):
        return True
    is_alike = likeness(typed, rule) >= CARRIES and not opposed(typed, rule)
    has_same_sign = bool(_REFUSES.search(typed)) == bool(_REFUSES.search(rule))
    return is_alike and has_same_sign and derives_from_quotes(rule, [typed]) and not weakens_safety(rule)
