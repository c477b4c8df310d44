"""Relevance: how well an entry fits a query, by the rarity of the words that both have. Pure.

BM25's rarity and length norm, over words in any form. A longer word that begins alike, a member of the category that
was asked for, and a word in another language count less than the word itself. Trust and age only lift what fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

from memsuggest.recall.entry import Source
from memsuggest.recall.recalled import Hit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memsuggest.recall.entry import Entry
    from memsuggest.recall.index_terms import QueryWord

_EXACT, _TAG, _GLOSS, _BEGINNING, _LOOSE = 1.0, 0.9, 0.8, 0.7, 0.5
_LENGTH_SHARE, _USUAL_LENGTH = 0.35, 12.0
"""How much a long entry is held back, and the terms of a usual one."""
_TRUST = {Source.USER: 1.0, Source.AGENT: 0.92, Source.SYSTEM: 0.85}
_CORRECTION = 1.08
_RECENT = 0.1
"""What an entry of today gains over one of long ago; half of it after 60 days."""
_HALF_LIFE = 60 * 86_400_000.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is known of all entries."""

    size: int
    counts: Mapping[str, int]
    """In how many entries a term stands."""
    scale: float

    def rarity(self, term: str) -> float:
        """Return a term's weight: from about 0 for one in every entry, to log(size) for one in none or a single one."""
        count = self.counts.get(term, 0)
        return log(1 + (self.size - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class Document:
    """An entry's terms."""

    terms: Sequence[str]
    tags: Sequence[str]
    glosses: Sequence[str]


def relevance(entry: Entry, document: Document, words: Sequence[QueryWord], corpus: Corpus, *, now: int) -> Hit:
    """Return an entry with its score and its fit."""
    matched = wanted = 0.0
    covered: set[str] = set()
    for word in words:
        rarity = word_rarity(word, corpus)
        wanted += rarity
        gained, terms = _gain(word, rarity, document, corpus)
        matched += gained
        covered.update(terms)
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document.terms) / _USUAL_LENGTH
    age = max(0, now - entry.updated_at)
    trust = _TRUST[entry.source] * (_CORRECTION if entry.is_correction else 1.0)
    score = matched / length * trust * (1 + _RECENT * 0.5 ** (age / _HALF_LIFE))
    return Hit(entry=entry, score=score, fit=_fit(matched, wanted, covered, document))


def word_rarity(word: QueryWord, corpus: Corpus) -> float:
    """Return the weight of a query's word: that of its commonest form."""
    return min(corpus.rarity(form) for form in word.forms)


def _gain(word: QueryWord, rarity: float, document: Document, corpus: Corpus) -> tuple[float, AbstractSet[str]]:
    """Return what a word of the query gains in an entry, and the entry's terms that it met."""
    for weight, among in ((_EXACT, document.terms), (_TAG, document.tags), (_GLOSS, document.glosses)):
        if met := word.forms.intersection(among):
            return weight * rarity, met
    if word.beginning and (longer := {term for term in document.terms if term.startswith(word.beginning)}):
        return _BEGINNING * rarity, longer
    if met := word.loose.intersection([*document.terms, *document.tags]):
        return _LOOSE * max(map(corpus.rarity, met)), met
    return 0.0, set()


def _fit(matched: float, wanted: float, covered: set[str], document: Document) -> float:
    """Return how sure it is that an entry helps: what of the query it answers, and what of it the query speaks of."""
    if not wanted or not document.terms:
        return 0.0
    of_query = min(1.0, matched / wanted)
    of_entry = len(covered.intersection(document.terms)) / len(set(document.terms))
    return sqrt(of_query * of_entry)
