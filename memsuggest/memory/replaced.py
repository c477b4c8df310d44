"""Older values: what was said with another number for the same thing later is marked as replaced. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.memory.entry import Layer, Source
from memsuggest.memory.index_terms import document_terms
from memsuggest.memory.turns import PERSON

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.memory.recalled import Hit

_VALUE = re.compile(r"(?<![\w./-])v?\d+(?:[.,:]\d+)*")
_ALIKE = 0.5
"""Share of the rarer words that two statements on one thing have in common."""
_FEWEST = 2
_QUOTED = 120


def with_replacements(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits, those marked for whose thing something else was said later, here or in another chat.

    Only what the person said, or what is known, replaces anything; a question does not.
    """
    said = list(_statements(hits))
    return [_marked(hit, said) for hit in hits]


class _Statement:
    """Something that was said, at a time, with its values and the words beside them."""

    __slots__ = ("at", "project", "text", "values", "words")

    def __init__(self, text: str, at: int, project: str) -> None:
        self.text = " ".join(text.split())
        self.at = at
        self.project = project
        self.values = frozenset(_VALUE.findall(text))
        self.words = frozenset(term for term in document_terms(_VALUE.sub(" ", text)) if not term[:1].isdigit())


def _statements(hits: Iterable[Hit]) -> Iterator[_Statement]:
    for hit in hits:
        if hit.passage is not None:
            for turn in hit.passage.turns:
                if turn.by == PERSON and not turn.text.rstrip().endswith("?"):
                    yield _Statement(turn.text, turn.at or hit.when, hit.entry.project)
        elif hit.entry.layer is Layer.KNOWLEDGE and hit.entry.source is Source.USER:
            yield _Statement(hit.entry.content, hit.when, hit.entry.project)


def _marked(hit: Hit, said: Sequence[_Statement]) -> Hit:
    text = hit.passage.best.text if hit.passage else hit.entry.content
    own = _Statement(text, hit.when, hit.entry.project)
    newer = [one for one in said if one.at > own.at and one.project == own.project and _is_other_value(own, one)]
    if not newer:
        return hit
    last = max(newer, key=lambda one: one.at)
    day = datetime.fromtimestamp(last.at / 1000, tz=UTC).date().isoformat()
    return hit._replace(replaced_by=f"{day}: {last.text[:_QUOTED]}")


def _is_other_value(older: _Statement, newer: _Statement) -> bool:
    """Tell whether two statements are about one thing and give it other values."""
    if not older.values or not newer.values or older.values & newer.values:
        return False
    common = older.words & newer.words
    return len(common) >= _FEWEST and len(common) >= _ALIKE * min(len(older.words), len(newer.words))
