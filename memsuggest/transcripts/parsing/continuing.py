"""Reading on where reading stopped: what is remembered of a file that only grows at its end.

Owns how a file is known again, and from which prompt on it is read again. Reading never goes on at the very end: some
prompts before it are read once more, so that what is new is understood like in the whole. Notes hold numbers, names
and hashes, never what was said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of
from memsuggest.transcripts.storage.source import BEGINNING, Position, Source

_LOOKED_AT = 4096  # bytes at the beginning and before the place, by which a file is known again
_VERSION = 1  # of the notes; others are not understood
EDGE = 3
"""Prompts behind a checkpoint that are only read to understand those behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The reach back into a grown transcript that is read again; most sessions are no longer than that.

    What the person says again after that many prompts is more evidence, but counts as no repetition.
    """

    prompts: int = 30
    """As far as this, where that is near …"""
    size: int = 6_000_000
    """… that is, within so many bytes of the last prompt;"""
    least: int = 10
    """else no further than this."""


class Format(NamedTuple):
    """A transcript's format, where a module knows several."""

    NAME: str
    sniff: Callable[[bytes, str], bool]
    """Tells from the first bytes whether this is the format."""
    read: Callable[[Source], Transcript]


class Restart(NamedTuple):
    """A prompt before which nothing was pending: reading can go on there."""

    place: Position
    number: int  # of the prompt's turn
    kept: dict[str, Any]
    """What the reader has to know there and cannot tell later."""


class Continued(NamedTuple):
    """The findings of a reader from a place on, and the place where it could go on the next time."""

    transcript: Transcript
    restarts: Sequence[Restart] = ()
    """In the order of the file."""
    notes: Callable[[Restart], dict[str, Any]] = lambda restart: restart.kept
    """Tells all that the reader has to know at one of these."""
    is_whole: bool = True
    """False when something before the place was taken back, so that all has to be read again."""


ReadsOn = Callable[[Source, dict[str, Any]], Continued]
"""Reads from `source.start` on, where these notes were taken; without notes from the beginning."""


def whole_reader(read_on: ReadsOn) -> Callable[[Source], Transcript]:
    """Read from the beginning with a reader that can go on where it stopped."""
    return lambda source: read_on(source, {}).transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A place in a file, and what a reader has to know there."""

    place: Position
    number: int  # of the turn that begins there
    notes: dict[str, Any]
    digest: str
    """Of what the file holds before the place."""
    said: Mapping[str, int] = field(default_factory=dict)
    """How often each text, by its hash, was typed before the place."""

    @classmethod
    def after(cls, source: Source, done: Continued, reach: Reach) -> Checkpoint | None:
        """Choose where to go on the next time: the furthest prompt within reach; None where the beginning is, too."""
        restarts = done.restarts
        if not restarts:
            return None
        offsets = [BEGINNING.offset, *(restart.place.offset for restart in restarts)]
        back = max(sum(offsets[-1] - offset <= reach.size for offset in offsets[-reach.prompts :]), reach.least)
        if back > len(restarts) or restarts[-back].place <= BEGINNING:
            return None
        place, number, _ = restarts[-back]
        return cls(place=place, number=number, notes=done.notes(restarts[-back]), digest=_digest(source, place))

    def fits(self, source: Source) -> bool:
        return _digest(source, self.place) == self.digest

    def begin(self, source: Source) -> Source:
        return replace(source, start=self.place)

    def as_text(self) -> str:
        fields = {
            "version": _VERSION,
            "place": self.place,
            "number": self.number,
            "digest": self.digest,
            "notes": self.notes,
            "said": dict(self.said),
        }
        return json.dumps(fields, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Checkpoint | None:
        """Read a checkpoint that was written down; None for anything else."""
        try:
            fields = fields_of(json.loads(text))
            place, number = Position(*map(int, fields["place"])), int(fields["number"])
            said = {str(key): int(count) for key, count in fields_of(fields.get("said")).items()}
        except (ValueError, TypeError, KeyError):
            return None
        notes, digest = fields_of(fields.get("notes")), str(fields.get("digest"))
        known = cls(place=place, number=number, notes=notes, digest=digest, said=said)
        return known if fields.get("version") == _VERSION else None


class ReadOn(NamedTuple):
    """A transcript, or its end."""

    transcript: Transcript
    after: Checkpoint | None = None
    """Where it begins; None: it is the whole."""
    checkpoint: Checkpoint | None = None
    """Where reading may go on the next time."""


def _digest(source: Source, place: Position) -> str:
    head = source.piece(Position(), min(_LOOKED_AT, place.offset))
    before = source.piece(Position(max(place.offset - _LOOKED_AT, 0)), min(_LOOKED_AT, place.offset))
    return hashlib.sha256(head + b"\0" + before).hexdigest()[:32]
