"""Reading on where reading stopped: what is remembered of a file that only grows at its end.

Owns how a file is known again. Notes hold numbers and ids, never a text.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memsuggest.transcripts.json_records import fields_of
from memsuggest.transcripts.source import Position, Source

if TYPE_CHECKING:
    from memsuggest.model import Transcript

_LOOKED_AT = 4096  # bytes at the beginning and before the place, by which a file is known again


class Continued(NamedTuple):
    """What a reader found from a place on, and where it would go on the next time."""

    transcript: Transcript
    place: Position
    notes: dict[str, Any]
    is_whole: bool = True
    """False when something before the place was taken back, so that all has to be read again."""


class ContinuingReader(Protocol):
    """A reader that can go on where it stopped; modules implement it."""

    def read_on(self, source: Source, notes: dict[str, Any]) -> Continued:
        """Read from `source.start` on, where these notes were taken; without notes from the beginning."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A place in a file, and what a reader has to know there."""

    place: Position
    notes: dict[str, Any]
    digest: str
    """Of what the file holds before the place."""

    @classmethod
    def after(cls, source: Source, done: Continued) -> Checkpoint:
        """Remember how far a reader came."""
        return cls(place=done.place, notes=done.notes, digest=_digest(source, done.place))

    def fits(self, source: Source) -> bool:
        """Tell whether a file still holds what it held before the place."""
        return _digest(source, self.place) == self.digest

    def begin(self, source: Source) -> Source:
        """Return the source from the place on."""
        return replace(source, start=self.place)

    def as_text(self) -> str:
        """Write the checkpoint down."""
        return json.dumps({"place": self.place, "notes": self.notes, "digest": self.digest}, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Checkpoint | None:
        """Read a checkpoint that was written down; None for anything else."""
        try:
            told = fields_of(json.loads(text))
            place = Position(*map(int, told["place"]))
        except (ValueError, TypeError, KeyError):
            return None
        return cls(place=place, notes=fields_of(told.get("notes")), digest=str(told.get("digest")))


def _digest(source: Source, place: Position) -> str:
    head = source.piece(Position(), min(_LOOKED_AT, place.offset))
    before = source.piece(Position(max(place.offset - _LOOKED_AT, 0)), min(_LOOKED_AT, place.offset))
    return hashlib.sha256(head + b"\0" + before).hexdigest()[:32]
