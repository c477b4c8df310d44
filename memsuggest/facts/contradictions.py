"""Pairs of facts that cannot both hold, and which of the two was said last.

Pure. Two rules are against each other when they have the same words but for a negation, a number or a name in the same
slot (`text.likeness`); what they mean is for a model to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from memsuggest.core.identity import normalised
from memsuggest.core.model import Contradiction, FactStatus, MemoryFact, Trust
from memsuggest.core.text.likeness import keys_of, opposed, same_words

Kept = TypeVar("Kept")

_APART = 2  # words that one of two rules may have and the other lacks: the two things of "p instead of q"
_SERIES = 4  # rules that are alike but for their numbers, from which the numbers are names: "add a test for module 7"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class RulesByWord(Generic[Kept]):
    """Rules by their words, to find the few that share nearly all of them with another one."""

    def __init__(self, rules: Iterable[tuple[str, Kept]] = ()) -> None:
        self._kept: list[tuple[str, int, Kept]] = []
        self._by_word: dict[str, list[int]] = {}
        for text, kept in rules:
            self.add(text, kept)

    def add(self, text: str, kept: Kept) -> None:
        keys = keys_of(text)
        for word in keys:
            self._by_word.setdefault(word, []).append(len(self._kept))
        self._kept.append((text, len(keys), kept))

    def near(self, text: str) -> Iterator[Kept]:
        """Yield each whose words are worth comparing, in the order in which they were added."""
        keys = keys_of(text)
        shared = Counter(place for word in keys for place in self._by_word.get(word, ()))
        for place in sorted(shared):
            _, size, kept = self._kept[place]
            if max(len(keys), size) - shared[place] <= _APART:
                yield kept


class KnownFacts:
    """Facts in force or not, by their words, to know one again."""

    def __init__(self, facts: Iterable[MemoryFact] = ()) -> None:
        self._by_word = RulesByWord[MemoryFact]((fact.content, fact) for fact in facts)

    def add(self, fact: MemoryFact) -> None:
        self._by_word.add(fact.content, fact)

    def same_as(self, content: str, scope: object) -> MemoryFact | None:
        """Return the first fact of a scope that has nearly the same words."""
        near = self._by_word.near(content)
        return next((fact for fact in near if fact.scope is scope and same_words(fact.content, content)), None)


def find_contradictions(
    facts: Sequence[MemoryFact], among: Sequence[MemoryFact] | None = None
) -> tuple[Contradiction, ...]:
    """Pair active facts of one scope that cannot both hold: each of `facts` against `among`, or against each other."""
    if not facts:
        return ()
    others = facts if among is None else among
    by_word = RulesByWord((other.content, other) for other in others)
    counts = Counter(map(_frame, others))
    series = {frame for frame, count in counts.items() if count >= _SERIES and "#" in frame}
    found: dict[frozenset[str], Contradiction] = {}
    for fact in facts:
        for other in by_word.near(fact.content):
            pair = frozenset((fact.id, other.id))
            are_active = fact.status is other.status is FactStatus.ACTIVE
            if len(pair) < 2 or pair in found or fact.scope is not other.scope or not are_active:
                continue
            is_series = _frame(fact) in series and _frame(fact) == _frame(other)
            if not is_series and (why := opposed(fact.content, other.content)):
                winner, loser = newest_first(fact, other)
                found[pair] = Contradiction(winner=winner, loser=loser, why=why)
    return tuple(found.values())


def _frame(fact: MemoryFact) -> str:
    return _NUMBER.sub("#", normalised(fact.content))


def last_said(fact: MemoryFact) -> float:
    """Return the time at which the person said it last, in milliseconds since the epoch."""
    times = [citation.at.timestamp() * 1000 for citation in fact.citations if citation.at]
    return max(times, default=float(fact.timestamp))


def newest_first(a: MemoryFact, b: MemoryFact) -> tuple[MemoryFact, MemoryFact]:
    """Return the fact that was said later, and the other one; whose it is does not count, but a mere claim never wins.

    Of two that the team shares, only what the file says counts: everybody who looks must come to the same pair, or two
    people who each forget "the older one" lose both.
    """
    are_shared = a.is_shared and b.is_shared

    def when(fact: MemoryFact) -> tuple[bool, float, str]:
        if are_shared:
            return True, float(fact.timestamp), fact.id
        is_claim = bool(fact.citations) and all(citation.trust is Trust.CLAIMED for citation in fact.citations)
        return not is_claim, last_said(fact), fact.id

    return (a, b) if when(a) > when(b) else (b, a)


class KnownPairs:
    """The pairs among the facts that were asked about last: of thousands of rules only what is new is compared."""

    def __init__(self) -> None:
        self._compared: dict[str, tuple[str, str, str]] = {}
        """By the ids, all of a fact that decides whether it contradicts another one."""
        self._pairs: set[frozenset[str]] = set()

    @property
    def size(self) -> int:
        return len(self._compared)

    def losers(self, facts: Sequence[MemoryFact]) -> set[str]:
        """Return the ids of the facts that do not count beside a newer one, as `find_contradictions` pairs them."""
        by_id = {fact.id: fact for fact in facts}
        compared: dict[str, tuple[str, str, str]] = {fact.id: (fact.content, fact.scope, fact.status) for fact in facts}
        changed = {name for name, now in compared.items() if self._compared.get(name) != now}
        kept = {pair for pair in self._pairs if pair <= by_id.keys() and not pair & changed}
        found = find_contradictions([fact for fact in facts if fact.id in changed], among=facts)
        self._pairs = kept | {frozenset((pair.winner.id, pair.loser.id)) for pair in found}
        self._compared = compared
        return {newest_first(*(by_id[name] for name in pair))[1].id for pair in self._pairs}
