"""Likeness of two rules: tolerant of wording, strict about negation, numbers, versions and names.

Pure. `similarity` is graded; `is_same` adds the guards, so that "never X" does not merge with "X" however alike they
look. `Known` answers for one rule against many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from memsuggest.memory import meaning_words
from memsuggest.memory.rule_meaning import Term, Wording, read_wording
from memsuggest.memory.stem_groups import stem_of
from memsuggest.model import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_SIMILARITY = 0.85  # from it on, two rules are looked at as one
_TYPO_LENGTH = 7  # characters from which a slip of the pen is told from another word
_TYPO_RATIO = 88.0


def similarity(a: str, b: str) -> float:
    """Say how alike two rules are, 0 to 1, by what they are about; guards do not count here."""
    if normalised(a) == normalised(b):
        return 1.0
    return similarity_of(read_wording(a), read_wording(b))


def is_same(a: str, b: str, *, threshold: float = DEFAULT_SIMILARITY) -> bool:
    """Tell whether two rules can be kept as one: alike enough, and neither turns, limits or re-numbers the other."""
    if difference(a, b) is not None:
        return False
    return similarity(a, b) >= threshold


def difference(a: str, b: str) -> str | None:
    """Name what keeps two rules apart however alike they look: None, or a short reason."""
    first, second = read_wording(a), read_wording(b)
    return next((why for why, differs in _GUARDS.items() if differs(first, second)), None)


def is_said_by(text: str, rule: str) -> bool:
    """Tell whether a (longer) text says all that a rule says, no part of it negated, limited or numbered otherwise."""
    whole, part = read_wording(text), read_wording(rule)
    if not part.terms or has_other_sign(whole, part) or whole.negations < part.negations:
        return False
    if set(whole.limiters) != set(part.limiters):
        return False
    left, _ = unmatched(part.terms, whole.terms)
    return not any(term.weight >= 1 or term.is_name or term.is_number for term in left)


def is_about_a_kind(text: str, rule: str) -> bool:
    """Tell if a text is about some kind of the things that a rule is about: public functions, where it says functions.

    >>> is_about_a_kind("Public functions have docstrings", "Functions have docstrings")
    True
    """
    return bool((read_wording(text).heavy - read_wording(rule).heavy) & _KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Something known that is like a rule."""

    position: int
    """Among the texts that `Known` was made from."""
    similarity: float
    is_same: bool


class KnownRules:
    """Many known rules, asked about one after the other; as fast as the words they share are rare."""

    def __init__(self, texts: Iterable[str], *, threshold: float = DEFAULT_SIMILARITY) -> None:
        self._texts: list[str] = []
        self._sizes: list[int] = []
        self._threshold = threshold
        self._by_stem: dict[str, list[int]] = {}
        self._by_words: dict[str, int] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Know one text more; return its position."""
        position = len(self._texts)
        stems = read_wording(text).heavy
        self._texts.append(text)
        self._sizes.append(len(stems))
        self._by_words.setdefault(normalised(text), position)
        for stem in stems:
            self._by_stem.setdefault(stem, []).append(position)
        return position

    def matches(self, text: str, *, least: float = 0.3) -> list[Match]:
        """List what is at least that much like `text`: the same rules first, then by similarity, then oldest first."""
        found = [
            Match(position=position, similarity=score, is_same=self._is_same(text, position, score))
            for position in self._worth_comparing(text, least)
            if (score := similarity(text, self._texts[position])) >= least
        ]
        return sorted(found, key=lambda match: (not match.is_same, -match.similarity, match.position))

    def same_as(self, text: str) -> int | None:
        """Return the position of the rule that says the same, the most similar one; None for a new rule."""
        first = next(iter(self.matches(text, least=self._threshold)), None)
        return first.position if first and first.is_same else None

    def _is_same(self, text: str, position: int, score: float) -> bool:
        return score >= self._threshold and difference(text, self._texts[position]) is None

    def _worth_comparing(self, text: str, least: float) -> list[int]:
        """List the texts that share enough words with `text` to be that much like it."""
        stems = read_wording(text).heavy
        counts = Counter(position for stem in stems for position in self._by_stem.get(stem, ()))
        found = {
            position
            for position, count in counts.items()
            # One more than they share: a word may be mistyped, and light words count a little.
            if 2 * (count + 1) >= least * (len(stems) + self._sizes[position])
        }
        exact = self._by_words.get(normalised(text))
        return sorted(found if exact is None else found | {exact})


def similarity_of(first: Wording, second: Wording) -> float:
    """Say how alike two rules are that were read already, 0 to 1."""
    weight = sum(term.weight for term in first.terms) + sum(term.weight for term in second.terms)
    if not first.terms or not second.terms:
        return 0.0
    only_first, only_second = unmatched(first.terms, second.terms)
    missing = sum(term.weight for term in only_first) + sum(term.weight for term in only_second)
    return max(0.0, 1 - missing / weight)


def unmatched(first: tuple[Term, ...], second: tuple[Term, ...]) -> tuple[list[Term], list[Term]]:
    """Return the terms that only one of the two has; slips of the pen and verbs of any rule count as equal."""
    left, right = {term.stem: term for term in first}, {term.stem: term for term in second}
    only_first = [term for stem, term in left.items() if stem not in right]
    only_second = [term for stem, term in right.items() if stem not in left]
    for term in tuple(only_first) if only_second else ():
        slip = next((other for other in only_second if _is_slip(term, other) or _is_generic(term, other)), None)
        if slip:
            only_first.remove(term)
            only_second.remove(slip)
    return only_first, only_second


def _is_slip(a: Term, b: Term) -> bool:
    """Tell whether one word is the other mistyped: never names or numbers, never "typed" and "untyped"."""
    if a.word[:1] != b.word[:1] or min(len(a.word), len(b.word)) < _TYPO_LENGTH:
        return False
    return fuzz.ratio(a.word, b.word) >= _TYPO_RATIO


def _is_generic(a: Term, b: Term) -> bool:
    """Tell whether both are verbs that any rule could have: "use", "keep"."""
    return a.weight < 1 and b.weight < 1 and not (a.is_noun or b.is_noun)


def has_other_sign(first: Wording, second: Wording) -> bool:
    """Tell whether one rule negates what the other says."""
    turned = (first.asserted & second.negated) | (first.negated & second.asserted)
    turned -= _unsigned(first) | _unsigned(second)
    if not turned:
        return False
    # "Don't hard-code URLs", "URLs must never be hard-coded": both negate the same, one of them after its object.
    is_plain = not turned & (first.asserted & first.negated | second.asserted & second.negated)
    both_negate = is_plain and first.negated & second.negated
    return not (both_negate and first.negations and turned <= first.before_negation | second.before_negation)


def _unsigned(wording: Wording) -> frozenset[str]:
    """Return the words that are said both ways, beside what they differ in: "use domain errors, not generic errors"."""
    both = wording.asserted & wording.negated
    return both if (wording.negated - both) & wording.heavy else both - wording.heavy


def _has_other_negation(first: Wording, second: Wording) -> bool:
    if first.negations % 2 == second.negations % 2:
        return False
    # "Use the logger, not print", "don't use print, use the logger": one choice, in one clause or in two.
    one, other = (frozenset(side.negated & side.heavy) for side in (first, second))
    are_as_many = first.negations + first.contrasts == second.negations + second.contrasts
    is_one_choice = bool(one) and one == other and first.asserted & first.heavy == second.asserted & second.heavy
    return not (are_as_many and is_one_choice)


def _has_other_doubt(first: Wording, second: Wording) -> bool:
    return first.is_doubtful != second.is_doubtful


def _has_other_limits(first: Wording, second: Wording) -> bool:
    return first.limiters != second.limiters


def _has_other_kinds(first: Wording, second: Wording) -> bool:
    """Tell whether one is about some kind of the things that the other is about: public functions, all functions."""
    return bool((first.heavy ^ second.heavy) & _KINDS)


def _has_other_numbers(first: Wording, second: Wording) -> bool:
    return _numbers(first) != _numbers(second)


def _numbers(wording: Wording) -> Counter[str]:
    return Counter(term.stem for term in wording.terms if term.is_number)


def _has_other_names(first: Wording, second: Wording) -> bool:
    """Tell whether one names a tool, path or piece of code that the other does not mention at all."""
    return not (_names(first).issubset(second.stems) and _names(second).issubset(first.stems))


def _names(wording: Wording) -> set[str]:
    return {term.stem for term in wording.terms if term.is_name}


def _has_other_subject(first: Wording, second: Wording) -> bool:
    """Tell whether each says a word of weight that the other lacks: one thing may have taken another's place."""
    only_first, only_second = unmatched(first.terms, second.terms)
    return any(map(_is_subject, only_first)) and any(map(_is_subject, only_second))


def _is_subject(term: Term) -> bool:
    return term.weight >= 1 or term.is_noun


def _has_other_order(first: Wording, second: Wording) -> bool:
    """Tell whether one says "before" where the other says "after", or the two sides have changed places."""
    if first.orders != second.orders:
        return True
    for relator in {name for name, _ in first.relations} & {name for name, _ in second.relations}:
        left = {stem for name, stem in first.relations if name == relator}
        if not left & {stem for name, stem in second.relations if name == relator}:
            return True
    return False


_KINDS = frozenset(map(stem_of, meaning_words.KINDS))
_GUARDS = {
    "one negates what the other says": has_other_sign,
    "one is negated, the other is not": _has_other_negation,
    "one may be meant either way": _has_other_doubt,
    "one holds for less": _has_other_limits,
    "one is about fewer things": _has_other_kinds,
    "they hold different numbers": _has_other_numbers,
    "they name different things": _has_other_names,
    "they put things in different order": _has_other_order,
    "they are about different things": _has_other_subject,
}
