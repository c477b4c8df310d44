"""Chats in the order in which they began, and which of them have certain words, as sets that are quick to combine.

Pure. A set of chats is a number whose bits are their places: thousands of rules are asked about thousands of chats.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.text.likeness import words_of
from memsuggest.core.text.small_words import ALTERNATIVES
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import word_set

if TYPE_CHECKING:
    from memsuggest.held.chat_note import ChatNote

MOST_NEEDED = 4
"""Words of a rule that are enough, however long it is."""
OF_ANY_CHAT = word_set(
    "code file new project chang make work write run add keep put call set take possibl where tri instead"
)
"""Words that occur in any chat about software, whatever it is about."""
_ACTIVITIES = frozenset(map(stem, ("commit", "changelog", "migration", "release", "docstring", "readme", "deployment")))
"""What a short rule that begins with it is about by this word alone: where something is committed, how to matters."""
_SHORT = 4  # words of weight


class ChatTable:
    """Dated chats, the oldest first."""

    def __init__(self, chats: Iterable[ChatNote], *, words: Collection[str]) -> None:
        dated = ((chat.begun, chat) for chat in chats if chat.begun is not None)
        ordered = sorted(dated, key=lambda one: (one[0], one[1].session_id, one[1].place))
        self.chats: Sequence[ChatNote] = [chat for _, chat in ordered]
        self._begun = [begun for begun, _ in ordered]
        self._first: list[int] = []
        """Where the exchanges of each chat begin, among those of all."""
        self._by_word = self._exchanges_by_word(frozenset(words))
        self.all = (1 << len(self.chats)) - 1
        self.known = self.of(place for place, chat in enumerate(self.chats) if chat.assistant)
        """Chats of which it is known what their assistant reads."""

    def _exchanges_by_word(self, wanted: frozenset[str]) -> dict[str, int]:
        """Return for each word the exchanges that have it, as a set."""
        found: dict[str, list[int]] = defaultdict(list)
        count = 0
        for chat in self.chats:
            self._first.append(count)
            for here in chat.exchanges.values() if wanted else ():
                for word in wanted & here:
                    found[word].append(count)
                count += 1
        self._all_exchanges = (1 << count) - 1
        return {word: _as_set(places, count) for word, places in found.items()}

    def of(self, places: Iterable[int]) -> int:
        """Return a set of chats."""
        found = 0
        for place in places:
            found |= 1 << place
        return found

    def places(self, chats: int) -> Iterator[int]:
        """Yield the places of a set of chats, the oldest first."""
        while chats:
            lowest = chats & -chats
            yield lowest.bit_length() - 1
            chats ^= lowest

    def begun_since(self, at: int) -> int:
        """Return the chats that began at a time or later."""
        first = bisect_left(self._begun, at)
        return (self.all >> first) << first

    def about(self, words: RuleWords) -> int:
        """Return the chats in which enough of a rule's words occur in one message and its answer."""
        if not words.forms:
            return 0
        needed = needed_of(len(words.forms))
        at_least = [self._all_exchanges] + [0] * needed
        for forms in words.forms:
            here = self._with_any(forms)
            for count in range(needed, 0, -1):
                at_least[count] |= at_least[count - 1] & here
        return self._chats_of(at_least[needed] | self._with_any(words.activity))

    def _with_any(self, forms: Iterable[str]) -> int:
        found = 0
        for form in forms:
            found |= self._by_word.get(form, 0)
        return found

    def _chats_of(self, exchanges: int) -> int:
        """Return the chats that some exchanges belong to; of each chat, one is looked for."""
        told = f"{exchanges:b}"[::-1]
        found = 0
        at = told.find("1")
        while at >= 0:
            place = bisect_right(self._first, at) - 1
            found |= 1 << place
            following = self._first[place + 1] if place + 1 < len(self._first) else len(told)
            at = told.find("1", following)
        return found


def _as_set(places: Iterable[int], count: int) -> int:
    bits = bytearray(count // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """The words by which a chat is about a rule."""

    forms: tuple[frozenset[str], ...]
    """Each with those that stand for the same choice."""
    activity: frozenset[str] = frozenset()
    """What a rule is about that is about one thing that is done: its word alone is enough."""

    @property
    def all(self) -> Iterator[str]:
        """Every word that counts."""
        for forms in self.forms:
            yield from forms


def needed_of(words: int) -> int:
    """Return how many of a rule's words have to occur: half of them, both of two, at most four.

    >>> [needed_of(words) for words in (1, 2, 3, 5, 9)]
    [1, 2, 2, 3, 4]
    """
    return min(MOST_NEEDED, words if words <= 2 else (words + 1) // 2)


def words_of_rule(rule: str) -> RuleWords:
    """Return the words by which a chat is about a rule.

    >>> words_of_rule("Use pnpm, never npm.").forms[0] >= {"pnpm", "npm", "yarn"}
    True
    >>> sorted(words_of_rule("Write commit messages in the imperative.").activity)
    ['commit']
    """
    words = [word for word in (one.strip("/") for one in words_of(rule)) if word]
    found: dict[frozenset[str], None] = {}
    for word in sorted(set(words) - OF_ANY_CHAT):
        members = next((group.split() for group in ALTERNATIVES if word in group.split()), [])
        found[frozenset({word, *members, *map(stem, members)})] = None
    subject = [word for word in words if word not in OF_ANY_CHAT][:2]
    activity = _ACTIVITIES.intersection(subject) if len(found) <= _SHORT else frozenset()
    return RuleWords(forms=tuple(found), activity=frozenset(activity))
