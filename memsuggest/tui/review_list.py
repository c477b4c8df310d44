"""The list of a review: suggestions by file, filtered and searched. Knows no screen, and asks no store.

Nothing is computed for an item before its row is on the screen, or a search asks for its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from memsuggest.core.model import Citation, MemoryFact, MemorySuggestion
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.words import content_words, word_list
from memsuggest.suggestions.listed import as_written
from memsuggest.suggestions.suggestion_lines import GROUPS

CARE = "Maintenance"
ASIDE = "low confidence"  # what stands above the maybes in the place of a file
APPLIED, DISMISSED = "✓", "×"
"""What became of a suggestion in this review: it stays where it was, so that nothing moves while one decides."""
_LEAST_SHARED = 2  # maybes with a word in common that make a topic


@dataclass(frozen=True)
class Item:
    """A suggestion, or what is kept aside; without `slots`, since its words are remembered."""

    suggestion: MemorySuggestion | None = None
    maybe: MemoryFact | None = None
    is_new: bool = False
    done: str = ""
    """What was decided in this review."""

    @property
    def id(self) -> str:
        return self.suggestion.id if self.suggestion else self.maybe.id if self.maybe else ""

    @property
    def file(self) -> str:
        return self.suggestion.edit.path if self.suggestion else ASIDE

    @property
    def citations(self) -> tuple[Citation, ...]:
        said = self.suggestion or self.maybe
        return said.citations if said else ()

    @property
    def fact(self) -> MemoryFact | None:
        return self.suggestion.fact if self.suggestion else self.maybe

    @cached_property
    def words(self) -> str:
        if self.suggestion:
            return one_line(as_written(self.suggestion))
        return one_line(self.maybe.content) if self.maybe else ""

    @cached_property
    def searched(self) -> Mapping[str, str]:
        quotes = "\n".join(citation.quote for citation in self.citations)
        return {"rule": f"{self.id}\n{self.words}".casefold(), "quote": quotes.casefold(), "file": self.file.casefold()}

    def found_in(self, words: Sequence[str]) -> str:
        """Return the first place in which all the words of a search stand, `rule`, `quote` or `file`; else empty.

        Words that only stand in several places together count for the first of these.
        """
        if not words:
            return "rule"
        places = [name for name, text in self.searched.items() if all(word in text for word in words)]
        if places:
            return places[0]
        whole = "\n".join(self.searched.values())
        return "rule" if all(word in whole for word in words) else ""

    @cached_property
    def is_marked(self) -> bool:
        """Tell whether more than one key is needed for it: it runs something, or weakens safety."""
        from memsuggest.judging.danger import danger_in
        from memsuggest.suggestions.dangerous_rules import danger_of

        if self.suggestion:
            return self.suggestion.executable or bool(danger_of(self.suggestion))
        return bool(self.maybe and danger_in(self.maybe.content))


@dataclass(frozen=True, slots=True)
class Header:
    """A row above the items of one file."""

    file: str
    count: int
    about: str = ""
    """What is to be said of them besides."""


Row: TypeAlias = "Header | Item"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A part of the list."""

    name: str
    count: int = 0
    is_maybe: bool = False
    """It is of those with low confidence, which are not in the list otherwise."""
    ids: frozenset[str] | None = None
    """Its items; None for all."""


ALL = Filter(name="all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """All that a review is about, in the order in which a person meets it."""

    items: tuple[Item, ...] = ()
    maybes: tuple[Item, ...] = ()

    def rows(self, chosen: Filter, words: str = "") -> list[Row]:
        """Return the rows of a filter and a search: items by file, each file where its first item comes."""
        wanted = words.casefold().split()
        by_file: dict[str, list[Item]] = {}
        for item in () if chosen.is_maybe else self.items:
            if (chosen.ids is None or item.id in chosen.ids) and item.found_in(wanted):
                by_file.setdefault(item.file, []).append(item)
        rows: list[Row] = []
        for file, items in by_file.items():
            rows += [Header(file, len(items)), *items]
        if chosen.is_maybe or wanted:
            rows += _by_topic([item for item in self.maybes if item.found_in(wanted)])
        return rows

    def where_found(self, words: str) -> str:
        wanted = words.casefold().split()
        if not wanted:
            return ""
        places = Counter(filter(None, (item.found_in(wanted) for item in self.items)))
        parts = [f"{count} in {name}{'s' if count > 1 else ''}" for name, count in places.items()]
        maybes = sum(bool(item.found_in(wanted)) for item in self.maybes)
        parts += [f"{maybes} with low confidence"] if maybes else []
        return f"found: {', '.join(parts) or 'nothing'}"

    def filters(self) -> list[Filter]:
        """Return the filters that take anything: all, new, maybes, kinds of files, kinds of facts, chats."""
        found = [replace(ALL, count=sum(not item.done for item in self.items))]
        if new := frozenset(item.id for item in self.items if item.is_new):
            found.append(Filter(name="new", count=len(new), ids=new))
        if self.maybes:
            found.append(Filter(name="maybe", count=len(self.maybes), is_maybe=True))
        groups: dict[str, list[Item]] = {name: [] for name in (*GROUPS.values(), CARE)}
        kinds: dict[str, list[Item]] = {}
        chats: dict[str, list[Item]] = {}
        names: dict[str, str] = {}
        for item in self.items:
            if item.suggestion:
                groups[GROUPS[item.suggestion.target_type] if item.fact else CARE].append(item)
            if item.fact:
                kinds.setdefault(str(item.fact.kind), []).append(item)
            said = {citation.session_id: citation for citation in reversed(item.citations) if not citation.is_by_hand}
            for session, citation in said.items():
                chats.setdefault(session, []).append(item)
                if session not in names:
                    when = f"{citation.at:%d %b %H:%M}" if citation.at else one_line(citation.session_id)[:8]
                    names[session] = f"chat from {when}: {one_line(citation.quote, limit=_QUOTED)}"
        parts = [*groups.items(), *kinds.items()]
        parts += sorted(((names[session], items) for session, items in chats.items()), key=lambda part: -len(part[1]))
        for name, items in parts:
            if count := sum(not item.done for item in items):
                found.append(Filter(name=name, count=count, ids=frozenset(item.id for item in items)))
        return found


_QUOTED = 40  # characters of a quote that name a chat


def _by_topic(maybes: Sequence[Item]) -> list[Row]:
    """Return maybes under the word that most of them share, each topic with the number of chats it comes from."""
    stems = {item.id: content_words(item.words) for item in maybes}
    shared = Counter(stem for found in stems.values() for stem in found)
    topics: dict[str, list[Item]] = {}
    for item in maybes:
        best = max(stems[item.id], key=lambda stem: (shared[stem], len(stem), stem), default="")
        topic = best if shared[best] >= _LEAST_SHARED else ""
        topics.setdefault(topic, []).append(item)
    rows: list[Row] = []
    for topic, items in sorted(topics.items(), key=lambda row: (not row[0], -len(row[1]), row[0])):
        chats = len({citation.session_id for item in items for citation in item.citations})
        about = f" · said in {chats} chats" if chats > 1 else ""
        words = (word for word in word_list(items[0].words.lower()) if word.startswith(topic))
        rows += [Header(f"{ASIDE}: {next(words, topic)}" if topic else ASIDE, len(items), about), *items]
    return rows


def kept_in_place(before: Waiting, now: Waiting, done: Mapping[str, str]) -> Waiting:
    """Return what waits now in the order of before, with what was decided in this review where it stood."""
    by_id = {item.id: item for item in now.items}
    kept = [
        by_id.pop(item.id) if item.id in by_id else replace(item, done=done[item.id])
        for item in before.items
        if item.id in by_id or item.id in done
    ]
    maybes = {item.id for item in now.maybes}
    return Waiting(items=(*kept, *(item for item in by_id.values() if item.id not in maybes)), maybes=now.maybes)


def waiting(suggestions: Sequence[MemorySuggestion], maybes: Sequence[MemoryFact], *, seen: frozenset[str]) -> Waiting:
    """Return what waits; nothing counts as new where nothing of it was seen before."""
    has_news = any(suggestion.id in seen for suggestion in suggestions)
    return Waiting(
        items=tuple(
            Item(suggestion=suggestion, is_new=has_news and suggestion.id not in seen) for suggestion in suggestions
        ),
        maybes=tuple(Item(maybe=maybe) for maybe in maybes),
    )
