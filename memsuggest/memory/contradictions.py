"""Pairs of facts that cannot both hold, and which of the two was said last.

Pure. Finds what is plain: a rule and its negation, two choices of one thing, other numbers, another value in the same
sentence. What it does not see is no harm; what it shows wrongly costs the person a key.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from memsuggest.identity import normalised
from memsuggest.memory import meaning_words
from memsuggest.memory.alternatives import ALTERNATIVES
from memsuggest.memory.duplicates import has_other_sign, similarity_of, unmatched
from memsuggest.memory.rule_meaning import Term, Wording, read_wording
from memsuggest.memory.stem_groups import group_of, stem_of
from memsuggest.model import Contradiction, FactStatus, MemoryFact, Trust
from memsuggest.text.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Held = TypeVar("Held")

_ALIKE = 0.6
"""How similar two rules must be for a negation in one of them to be about the other."""
RULE_LENGTH = 14
"""Words of weight in a rule; in longer texts a negation is about some part of them."""
CHOICE = "they choose differently"
_LOOSELY_ALIKE = 0.5
"""The same, when the person said that something changes."""
_SERIES = 4
"""Rules that are alike but for their numbers, from which the numbers are names: "add a test for module 7"."""
_NUMBER, _NUMBER_SIGN = re.compile(r"\d+(?:[.,]\d+)*"), "#"


@lru_cache(maxsize=1 << 16)
def why_contradicting(a: str, b: str) -> str | None:
    """Say why two rules cannot both hold; None when they can, or when it is not plain."""
    first, second = read_wording(a), read_wording(b)
    if not first.terms or not second.terms or first.limiters != second.limiters:
        return None
    pair = _Pair.of(first, second)
    return next((why for why, clashes in _CLASHES.items() if clashes(pair)), None)


def is_update_of(new: str, old: str) -> bool:
    """Tell whether a rule that is said to change something ("from now on …") replaces another one."""
    if why_contradicting(new, old) is not None:
        return True
    first, second = read_wording(new), read_wording(old)
    if similarity_of(first, second) < _LOOSELY_ALIKE or not first.heavy & second.heavy:
        return False
    return has_other_sign(first, second) or _is_exchange(_Pair.of(first, second))


class RulesByWord(Generic[Held]):
    """Rules by their words of weight, to find the few that another one may contradict."""

    def __init__(self, rules: Iterable[tuple[str, Held]] = ()) -> None:
        self._by_word: dict[str, list[tuple[str, Held]]] = {}
        for text, held in rules:
            self.add(text, held)

    def add(self, text: str, held: Held) -> None:
        """Add a rule, and what is held by it."""
        for word in _words_in(text):
            self._by_word.setdefault(word, []).append((text, held))

    def near(self, text: str) -> Iterator[Held]:
        """Yield each that is worth a closer look, once: comparing sets is cheap, comparing rules is not."""
        wording, seen = read_wording(text), set[int]()
        for word in sorted(_words_in(text)):
            for other, held in self._by_word.get(word, ()):
                if id(held) not in seen:
                    seen.add(id(held))
                    if word in ALTERNATIVES or _is_close(wording, read_wording(other)):
                        yield held


def find_contradictions(
    facts: Sequence[MemoryFact], among: Sequence[MemoryFact] | None = None
) -> tuple[Contradiction, ...]:
    """Pair active facts of one scope that cannot both hold: each of `facts` against `among`, or against each other."""
    if not facts:
        return ()
    others = facts if among is None else among
    by_word = RulesByWord((other.content, other) for other in others)
    series = _series(others)
    found: dict[frozenset[str], Contradiction] = {}
    for fact in facts:
        for other in by_word.near(fact.content):
            pair = frozenset((fact.id, other.id))
            if len(pair) == 2 and pair not in found and _may_clash(fact, other):
                is_series = _frame(fact) in series and _frame(fact) == _frame(other)
                why = None if is_series else why_contradicting(fact.content, other.content)
                if why:
                    winner, loser = newest_first(fact, other)
                    found[pair] = Contradiction(winner=winner, loser=loser, why=why)
    return tuple(found.values())


def _series(facts: Iterable[MemoryFact]) -> frozenset[str]:
    """Return the wordings of which there are many that differ in their numbers alone: those count things apart."""
    counts = Counter(_frame(fact) for fact in facts)
    return frozenset(frame for frame, count in counts.items() if count >= _SERIES and _NUMBER_SIGN in frame)


def _frame(fact: MemoryFact) -> str:
    return _NUMBER.sub(_NUMBER_SIGN, normalised(fact.content))


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
        is_claim = bool(fact.citations) and all(one.trust is Trust.CLAIMED for one in fact.citations)
        return not is_claim, last_said(fact), fact.id

    return (a, b) if when(a) > when(b) else (b, a)


def _may_clash(a: MemoryFact, b: MemoryFact) -> bool:
    return a.scope is b.scope and a.status is b.status is FactStatus.ACTIVE


def _is_close(first: Wording, second: Wording) -> bool:
    if first.asserted & second.negated or first.negated & second.asserted:
        return True
    # Numbers apart, every other clash is a matter of one word in another's place.
    one, two = _without_numbers(first.heavy), _without_numbers(second.heavy)
    shared = len(one & two)
    return len(one) - shared <= 1 and len(two) - shared <= 1


@lru_cache(maxsize=1 << 14)
def _without_numbers(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if not stem.isdigit())


@lru_cache(maxsize=8192)
def _words_in(content: str) -> frozenset[str]:
    stems = read_wording(content).heavy
    return stems | {group for group in map(group_of, stems) if group}


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two rules side by side."""

    first: Wording
    second: Wording
    left: tuple[Term, ...]
    """What only the first one says."""
    right: tuple[Term, ...]

    @classmethod
    def of(cls, first: Wording, second: Wording) -> _Pair:
        """Return two wordings with the terms that only one of them has."""
        left, right = unmatched(first.terms, second.terms)
        return cls(first, second, tuple(left), tuple(right))

    @property
    def heavy(self) -> tuple[list[Term], list[Term]]:
        """The words of weight that only one of them says."""
        return [term for term in self.left if term.weight >= 1], [term for term in self.right if term.weight >= 1]


def _is_exchange(pair: _Pair) -> bool:
    """Tell whether one thing stands in the place of another: "on Mondays", "on Tuesdays"."""
    left, right = pair.heavy
    if not (pair.left and pair.right) or max(len(left), len(right)) > 1:
        return False  # another value, of another thing
    if not (left and right):
        return True
    one, other = left[0], right[0]
    if {one.word, other.word} & VERBS and (one, other) == (pair.first.terms[0], pair.second.terms[0]):
        return False  # something else is to be done: "sort the list", "cache the list"
    places = [term.after if term.after in meaning_words.PLACES else "" for term in (one, other)]
    return places[0] == places[1]


def _is_turned(pair: _Pair) -> bool:
    """Tell whether one says "never" to what the other asks for."""
    first, second = pair.first, pair.second
    if max(len(first.heavy), len(second.heavy)) > RULE_LENGTH or not has_other_sign(first, second):
        return False
    if all(pair.heavy):
        return False  # each speaks of something that the other does not
    # Where both forbid something, it is most likely the same: only a swap ("A, never B") sets them apart.
    is_swap = first.asserted & second.negated and first.negated & second.asserted
    is_one_sided = first.negations % 2 != second.negations % 2 or not first.negations
    return bool(is_one_sided or is_swap) and similarity_of(first, second) >= _ALIKE


def _is_opposite(pair: _Pair) -> bool:
    """Tell whether they are the same but for two words that exclude each other: "enable", "disable"."""
    if any(len(terms) > 1 for terms in pair.heavy) or not pair.first.heavy & pair.second.heavy:
        return False
    return any({one.stem, other.stem} in _OPPOSITES for one in pair.left for other in pair.right)


def _is_other_choice(pair: _Pair) -> bool:
    """Tell whether they choose different alternatives for the same purpose: tabs, spaces."""
    one, other = _chosen(pair.first), _chosen(pair.second)
    return any(one[group] != other[group] and _is_same_purpose(pair, group) for group in one.keys() & other.keys())


def _chosen(wording: Wording) -> dict[str, str]:
    """Map groups to the one alternative that a rule chooses; groups of which it names several are left out."""
    found: dict[str, set[str]] = {}
    for stem in wording.heavy:
        if group := group_of(stem):
            found.setdefault(group, set()).add("" if stem in wording.negated else stem)
    return {group: next(iter(members)) for group, members in found.items() if len(members) == 1 and "" not in members}


def _is_same_purpose(pair: _Pair, group: str) -> bool:
    one, other = ({stem for stem in wording.heavy if group_of(stem) != group} for wording in (pair.first, pair.second))
    return one == other or len(one & other) * 2 > max(len(one), len(other))


def _is_other_number(pair: _Pair) -> bool:
    """Tell whether they are the same but for the numbers."""
    one, other = ([term for term in terms if term.is_number] for terms in pair.heavy)
    is_rest_same = all(term.is_number for terms in pair.heavy for term in terms)
    return bool(one) and len(one) == len(other) and is_rest_same and not has_other_sign(pair.first, pair.second)


def _is_other_value(pair: _Pair) -> bool:
    """Tell whether one thing stands where the other has another: "put tests in `a/`", "put tests in `b/`"."""
    if any(len(terms) != 1 for terms in pair.heavy) or has_other_sign(pair.first, pair.second):
        return False
    (left,), (right,) = pair.heavy
    if left.is_negated or right.is_negated or left.after != right.after or left.is_number or right.is_number:
        return False
    is_name = left.is_name and right.is_name and not left.after
    if left.after in meaning_words.PLACES or is_name:
        shared = pair.first.heavy & pair.second.heavy
        return bool(shared) and any(term.stem in _PLACING for term in pair.first.terms if term not in pair.left)
    is_object = _is_before_purpose(left, pair.first) and _is_before_purpose(right, pair.second)
    return is_object and _is_one_choice(left, right)


def _is_before_purpose(term: Term, wording: Wording) -> bool:
    """Tell whether a term is what is used "for" something: the object of the first verb."""
    place = wording.terms.index(term)
    before, after = wording.terms[:place], wording.terms[place + 1 :]
    is_object = bool(before) and all(other.weight < 1 and other.stem in _CHOOSING for other in before)
    return is_object and bool(after) and after[0].after in meaning_words.PURPOSES


def _is_one_choice(left: Term, right: Term) -> bool:
    """Tell whether two things may be alternatives: not when they are known as things of different kinds."""
    groups = group_of(left.stem), group_of(right.stem)
    return None in groups or groups[0] == groups[1]


_OPPOSITES = [pair for words in meaning_words.OPPOSITES for pair in (set(words), {stem_of(word) for word in words})]
_CHOOSING = frozenset(stem_of(word) for word in meaning_words.CHOOSING)
_PLACING = frozenset(stem_of(word) for word in meaning_words.PLACING)

_CLASHES = {
    "one forbids what the other asks for": _is_turned,
    "they ask for opposite things": _is_opposite,
    CHOICE: _is_other_choice,
    "they name different numbers": _is_other_number,
    "they name different things in the same place": _is_other_value,
}
