"""The list of a review: suggestions by file, filtered and searched. Knows no screen, and asks no store.

Nothing is computed for an item before its row is on the screen, or a search asks for its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeAlias

from memsuggest.core.model import Citation, MemoryFact, MemorySuggestion
from memsuggest.core.render.safe_output import one_line
from memsuggest.suggestions.listed import as_written
from memsuggest.suggestions.suggestion_lines import GROUPS

CARE = "Care of your files"
ASIDE = "kept aside: no place yet"
"""What stands above the maybes in the place of a file."""


@dataclass(frozen=True)
class Item:
    """A suggestion, or what is kept aside; without `slots`, since its words are remembered."""

    suggestion: MemorySuggestion | None = None
    maybe: MemoryFact | None = None
    is_new: bool = False

    @property
    def id(self) -> str:
        """The id under which it is decided."""
        return self.suggestion.id if self.suggestion else self.maybe.id if self.maybe else ""

    @property
    def file(self) -> str:
        """The file that it goes to, or what stands in its place."""
        return self.suggestion.edit.path if self.suggestion else ASIDE

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations that it rests on."""
        said = self.suggestion or self.maybe
        return said.citations if said else ()

    @property
    def fact(self) -> MemoryFact | None:
        """The fact; None for care."""
        return self.suggestion.fact if self.suggestion else self.maybe

    @cached_property
    def words(self) -> str:
        """Its words on one line, safe to be shown."""
        if self.suggestion:
            return one_line(as_written(self.suggestion))
        return one_line(self.maybe.content) if self.maybe else ""

    @cached_property
    def searched(self) -> str:
        """All that a search looks at."""
        return "\n".join((self.id, self.words, self.file, *(one.quote for one in self.citations))).casefold()

    @cached_property
    def is_marked(self) -> bool:
        """Tell whether more than one key is needed for it: it runs something, or weakens safety."""
        from memsuggest.suggestions.dangerous_rules import danger_in, danger_of

        if self.suggestion:
            return self.suggestion.executable or bool(danger_of(self.suggestion))
        return bool(self.maybe and danger_in(self.maybe.content))


@dataclass(frozen=True, slots=True)
class Header:
    """A row above the items of one file."""

    file: str
    count: int


Row: TypeAlias = "Header | Item"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A part of the list."""

    name: str
    count: int = 0
    is_maybe: bool = False
    """It is of what is kept aside, which is not in the list otherwise."""
    takes: Callable[[Item], bool] = field(default=lambda _item: True, compare=False)


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
        for item in self.maybes if chosen.is_maybe else self.items:
            if chosen.takes(item) and all(word in item.searched for word in wanted):
                by_file.setdefault(item.file, []).append(item)
        rows: list[Row] = []
        for file, items in by_file.items():
            rows += [Header(file, len(items)), *items]
        return rows

    def filters(self) -> list[Filter]:
        """Return the filters that take anything: all, new, maybes, kinds of files, kinds of facts, chats."""
        found = [replace(ALL, count=len(self.items)), *self._few()]
        found += self._by([*GROUPS.values(), CARE], _group_of)
        found += self._by((str(item.fact.kind) for item in self.items if item.fact), _kind_of)
        return found + self._chats()

    def _few(self) -> list[Filter]:
        new = sum(item.is_new for item in self.items)
        found = [Filter(name="new", count=new, takes=lambda item: item.is_new)] if new else []
        if self.maybes:
            found.append(Filter(name="maybe", count=len(self.maybes), is_maybe=True))
        return found

    def _by(self, names: Iterable[str], of: Callable[[Item], str]) -> list[Filter]:
        counts = Counter(map(of, self.items))
        return [
            Filter(name=name, count=counts[name], takes=partial(_is_named, of=of, name=name))
            for name in dict.fromkeys(names)
            if counts[name]
        ]

    def _chats(self) -> list[Filter]:
        """Return a filter for each chat, the one that most was said in first."""
        chats = Counter(
            session
            for item in self.items
            for session in {one.session_id for one in item.citations if not one.is_by_hand}
        )
        return [
            Filter(name=f"chat {one_line(session)[:8]}", count=count, takes=partial(_is_of, session=session))
            for session, count in chats.most_common()
        ]


def _is_named(item: Item, of: Callable[[Item], str], name: str) -> bool:
    return of(item) == name


def _group_of(item: Item) -> str:
    if item.suggestion is None:
        return ""
    return GROUPS[item.suggestion.target_type] if item.suggestion.fact else CARE


def _kind_of(item: Item) -> str:
    return str(item.fact.kind) if item.fact else ""


def _is_of(item: Item, session: str) -> bool:
    return any(one.session_id == session for one in item.citations)


def waiting(suggestions: Sequence[MemorySuggestion], maybes: Sequence[MemoryFact], *, seen: frozenset[str]) -> Waiting:
    """Return what waits; nothing counts as new where nothing of it was seen before."""
    has_news = any(one.id in seen for one in suggestions)
    return Waiting(
        items=tuple(Item(suggestion=one, is_new=has_news and one.id not in seen) for one in suggestions),
        maybes=tuple(Item(maybe=one) for one in maybes),
    )
