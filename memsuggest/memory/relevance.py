"""Relevance: how well an entry fits a query, by the rarity of the words that both have. Pure.

BM25's rarity and length norm, over words in any form. A compound with the word in it, a synonym, and a member of the
category that was asked for count less than the word itself, and a second and third beside it less again. What an entry
begins with is what it is about; words that stand side by side in both mean more than apart. Trust and age only lift
what fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log

from memsuggest.memory.entry import Entry, Source
from memsuggest.memory.index_terms import Document, QueryWord

_EXACT, _TAG, _GLOSS, _COMPOUND, _SYNONYM, _MEMBER, _ALIKE = 1.0, 0.9, 0.8, 0.75, 0.65, 0.5, 0.45
_PART = 0.6
"""What a word counts that is the beginning or the end of a compound in the query."""
_ASKED_MEMBER = 0.9
"""What a member counts for the category that a question asks for: "which database" is answered by Postgres."""
BEGINNING, LONG = 6, 8
"""Letters that long words begin with alike when they are about one thing, and the letters of a long word."""
_COUNTED, _FURTHER = 3, 0.5
"""Terms of an entry that stand for one word of a query, and what each counts next to the one before: an entry with
"translators", "languages" and "locale" is about translating more than one that says it once."""
_FAINT = 0.33
"""What a word counts that many prompts have."""
_LEAD, _LEAD_GAIN = 3, 0.25
"""Terms at the beginning of an entry, and what they gain beside what they count."""
_PAIR = 0.35
"""What two words gain that stand side by side in both, of their rarity."""
_LENGTH_SHARE, _USUAL_LENGTH = 0.35, 12.0
"""How much a long entry is held back, and the terms of a usual one."""
_TRUST = {Source.USER: 1.0, Source.AGENT: 0.88, Source.SYSTEM: 0.78}
_CORRECTION = 1.08
_LEAST_SIZE = 1_000
"""Entries from which counts tell how common a word is."""
_RECENT = 0.1
"""What an entry of today gains over one of long ago; half of it after 60 days."""
_HALF_LIFE = 60 * 86_400_000.0

# The classes here are written out: to make dataclasses of them would cost as much as to rank a hundred entries.


class Corpus:
    """Numbers about all entries: how many there are, and in how many each term stands."""

    __slots__ = ("counts", "size")

    def __init__(self, *, size: int, counts: Mapping[str, int]) -> None:
        self.size = size
        self.counts = counts

    def rarity(self, term: str) -> float:
        """Return a term's weight, from 0 for one in every entry to 1 for one in none.

        In few entries a word is rare or common by chance, so their counts grow only by the third root of what lacks.
        """
        size = max(self.size, _LEAST_SIZE)
        count = self.counts.get(term, 0) * (size / max(1, self.size)) ** (1 / 3)
        return log(1 + (size - count + 0.5) / (count + 0.5)) / log(2 * size + 2)


class WordGains:
    """The gains of a word of the query by each term that stands for it.

    `rarity` is the weight of the word itself: that of its commonest form.
    """

    __slots__ = ("gains", "rarity")

    def __init__(self, *, rarity: float, gains: Mapping[str, float]) -> None:
        self.rarity = rarity
        self.gains = gains


class _Match:
    """The gain of a word of the query in an entry, and the terms by which."""

    __slots__ = ("gain", "terms")

    def __init__(self, gain: float = 0.0, terms: AbstractSet[str] = frozenset()) -> None:
        self.gain = gain
        self.terms = terms


def word_gains(word: QueryWord, terms: AbstractSet[str], corpus: Corpus) -> WordGains:
    """Return what a word of the query gains by those of some terms that stand for it."""
    faint = _FAINT if word.is_faint else 1.0
    rarity = min(map(corpus.rarity, word.forms)) * faint
    member = _ASKED_MEMBER if word.is_asked_for else _MEMBER
    gains = {term: member * corpus.rarity(term) * faint for term in word.members & terms}
    gains |= {term: _SYNONYM * min(corpus.rarity(term) * faint, rarity) for term in word.synonyms & terms}
    gains |= {term: _PART * corpus.rarity(term) * faint for term in word.parts & terms}
    if word.stem:
        gains |= {term: weight * rarity for term in terms if (weight := _likeness(term, word.stem))}
    return WordGains(rarity=rarity, gains=gains | dict.fromkeys(word.forms & terms, _EXACT * rarity))


def _likeness(term: str, stem: str) -> float:
    if term[:BEGINNING] == stem[:BEGINNING] and len(stem) >= LONG and len(term) >= LONG:
        return _COMPOUND if term.startswith(stem) else _ALIKE
    return _COMPOUND if len(term) > len(stem) and (term.startswith(stem) or term.endswith(stem)) else 0.0


def score_of(entry: Entry, document: Document, words: Sequence[WordGains], *, now: int) -> float:
    """Return how well an entry fits a query."""
    terms, tags, glosses = frozenset(document.terms), frozenset(document.tags), frozenset(document.glosses)
    matches = [
        max(
            _best(word, terms, 1.0), _best(word, tags, _TAG), _best(word, glosses, _GLOSS), key=lambda match: match.gain
        )
        for word in words
    ]
    beginning = frozenset(document.terms[:_LEAD])
    matched = sum(match.gain for match in matches)
    lead = sum(match.gain for match in matches if match.terms & beginning)
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document.terms) / _USUAL_LENGTH
    age = max(0, now - entry.updated_at)
    trust = _TRUST[entry.source] * (_CORRECTION if entry.is_correction else 1.0)
    gained = matched + _LEAD_GAIN * lead + _PAIR * _paired(matches, document.terms)
    recent: float = 1 + _RECENT * 0.5 ** (age / _HALF_LIFE)
    return gained / length * trust * recent


def _best(word: WordGains, terms: AbstractSet[str], weight: float) -> _Match:
    met = word.gains.keys() & terms
    gains = sorted((word.gains[term] for term in met), reverse=True)[:_COUNTED]
    return _Match(weight * sum(gain * _FURTHER**place for place, gain in enumerate(gains)), met)


def _paired(matches: Sequence[_Match], terms: Sequence[str]) -> float:
    places = [{at for at, term in enumerate(terms) if term in match.terms} for match in matches]
    return sum(
        min(one.gain, other.gain)
        for one, other, here, there in zip(matches, matches[1:], places, places[1:], strict=False)
        if any(at + 1 in there or at - 1 in there for at in here)
    )
