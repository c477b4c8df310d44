"""A rule's words taken apart: the subject's stems, what is negated, the numbers and names it holds.

Pure, and the only place that knows how a rule is read; `duplicates` and `contradictions` compare what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable  # noqa: TC003  (the table below is annotated with it)
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from memsuggest.memory import meaning_words
from memsuggest.memory.alternatives import TOOLS
from memsuggest.memory.phrasing import phrase_tokens_of
from memsuggest.memory.stem_groups import group_of, stem_of, topic_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LIGHT = 0.25
"""The weight of words that many rules have."""
LIGHTER = 0.1
"""The weight of words that another word of the rule implies."""

_NUMBER = re.compile(r"v?\d[\d.,_]*(?:%|[a-z]{1,2})?")
_NAME = re.compile(r"[/\\_@~:*]|\w\.\w|[a-z][A-Z]|\d")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)'(?=\w{2})", re.IGNORECASE)  # l'option, n'utilise, d'abord
_LABEL = re.compile("[A-HJ-Z]")  # tells things apart that have the same name: "service A"
_TRAILING = "./:\\-'*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word of a rule that carries meaning."""

    stem: str
    word: str = ""
    """As it was written, case-folded."""
    after: str = ""
    """The small word right before it: "in", "with", "for"; empty when another term stands there."""
    is_negated: bool = False
    weight: float = 1.0
    is_name: bool = False
    """A tool, path, flag, identifier or piece of code."""
    is_number: bool = False
    is_noun: bool = False
    """Light, but not for being a verb: another noun in its place would be another subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A rule, read."""

    terms: tuple[Term, ...]
    negations: int
    """Negations of whole clauses; what is only named as the choice not taken does not count."""
    contrasts: int
    """How often a choice not taken is named: "tabs, not spaces"."""
    is_doubtful: bool
    """Whether it says no twice over, which may mean it or undo it: "stop it: do not use tabs"."""
    limiters: tuple[str, ...]
    """Each "only", "except" and their like, sorted."""
    asserted: frozenset[str]
    """Stems that are not negated."""
    negated: frozenset[str]
    heavy: frozenset[str]
    """Stems that carry the subject."""
    orders: tuple[str, ...]
    """Each "before", "after" and "outside", sorted."""
    before_negation: frozenset[str]
    """Stems that stand before the first negation: "URLs must never be hard-coded"."""
    relations: frozenset[tuple[str, str]]
    """Words such as "before" and "into" with the stem that follows."""
    refused: frozenset[str]
    """Stems of choices not taken, of which the one taken says no more: npm in "pnpm, not npm"."""

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems in the order of the text."""
        return tuple(term.stem for term in self.terms)


@lru_cache(maxsize=8192)
def read_wording(text: str) -> Wording:
    """Take a rule apart."""
    reading = _Reading()
    for kind, token in phrase_tokens_of(text):
        reading.take(kind, token)
    kept = tuple(_without_implied(reading.terms))
    terms = tuple(map(_lightened(reading.terms), kept))
    return Wording(
        terms=terms,
        negations=reading.negations,
        contrasts=reading.contrasts,
        is_doubtful=reading.is_doubtful,
        limiters=tuple(sorted(reading.limiters)),
        orders=tuple(sorted(term.stem for term in terms if term.stem in meaning_words.ORDERS)),
        asserted=frozenset(term.stem for term in terms if not term.is_negated),
        negated=frozenset(term.stem for term in terms if term.is_negated),
        heavy=frozenset(term.stem for term in terms if term.weight >= 1),
        before_negation=frozenset(term.stem for term in takewhile(lambda term: not term.is_negated, terms)),
        relations=frozenset(reading.relations),
        refused=frozenset(term.stem for term in reading.terms) - {term.stem for term in terms},
    )


class _Reading:
    """Reads tokens from left to right and remembers how far a negation reaches."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.limiters: list[str] = []
        self.relations: set[tuple[str, str]] = set()
        self.negations = 0
        self.contrasts = 0
        self.is_doubtful = False
        self._relator: str | None = None
        self._small_word = ""
        self._prefers = False
        self._is_negated = False
        self._is_fresh = False  # the last negator has met nothing yet
        self._is_over = False  # and its clause is over: another one says the same again, "no, never do that"
        self._last_word = ""
        self._is_choice = False  # a "not" that came now would only name what is not chosen: "tabs, not spaces"
        self._clause = 0  # where in the terms the clause begins

    def take(self, kind: str, token: str) -> None:
        """Take in the next token."""
        before = len(self.terms)
        _TAKE[kind](self, token)
        self._is_choice = bool(self.terms) and (len(self.terms) > before or kind == "boundary")

    def phrase(self, phrase: str) -> None:
        """Take in several words that negate."""
        if phrase in meaning_words.NO_NEGATION:
            self.limiters.append(phrase)
        else:
            self._negate(is_contrast=phrase in meaning_words.CONTRASTS)

    def boundary(self, _token: str) -> None:
        """End the reach of a negation, unless it has met nothing yet: "never, ever commit"."""
        if not self._is_fresh:
            self._is_negated = False
        self._is_over = self._is_fresh
        self._clause = len(self.terms)

    def name(self, token: str) -> None:
        """Take in a tool, path, flag, identifier or operator."""
        stem = token.strip("`\"'()").rstrip(".,;:").casefold()
        if stem:
            self._add(Term(stem=meaning_words.SYNONYMS.get(stem, stem), is_name=True))

    def code(self, token: str) -> None:
        """Take in a code span, word by word, calls as names; code is meant to the letter, `docs` is no `doc`."""
        for piece in token.split():
            if name := piece.rstrip(".,;:").removesuffix("()").casefold():
                self._add(Term(stem=name, is_name=True))

    def cjk(self, token: str) -> None:
        """Take in Han and kana, which run on without spaces: pairs of characters stand for words."""
        for negator in meaning_words.CJK_NEGATORS:
            if negator in token:
                self.negations += 1
                token = token.replace(negator, "")
        for start in range(max(1, len(token) - 1)):
            if pair := token[start : start + 2]:
                self._add(Term(stem=pair))

    def word(self, token: str) -> None:
        """Take in a word, whatever it is."""
        before = len(self.terms)
        ends_clause = token[-1] in ":."
        token = _ELISION.sub("", token.rstrip(_TRAILING)) or token
        word = token.casefold()
        self._prefers = self._prefers or word in meaning_words.PREFERENCE
        if word in meaning_words.BANS and len(self.terms) > self._clause:
            self._ban()
        elif word in meaning_words.NEGATORS or (word == "over" and self._prefers):
            self._negate(is_contrast=word == "over" or (word == "not" and self._is_choice))
        elif word in meaning_words.LIMITERS:
            self.limiters.append(word)
            self.boundary(token)
        elif word in meaning_words.SCOPE_ENDS:
            self.boundary(token)
            if word in meaning_words.ORDERS:
                self._add(Term(stem=word))
        elif self._is_named(token, word):
            self.name(token)
        elif word not in meaning_words.EMPTY:
            self._content(token, word)
        if word in meaning_words.RELATORS:
            self._relator = word
        if len(self.terms) == before and not (self._small_word and word in meaning_words.ARTICLES):
            self._small_word = word
        self._last_word = word
        if ends_clause:
            self.boundary(token)

    def _is_named(self, token: str, word: str) -> bool:
        """Tell whether a plain word is a name by the one before it: "service A", "the tool just"."""
        is_tool = word in meaning_words.SPOKEN_TOOLS and self._last_word in meaning_words.TOOLING
        return is_tool or (bool(self._last_word) and _LABEL.fullmatch(token) is not None)

    def _ban(self) -> None:
        """Say no to what stands before in the clause: "inline styles are forbidden"."""
        self.negations += 1
        self.terms[self._clause :] = [
            replace(term, is_negated=not term.is_negated) for term in self.terms[self._clause :]
        ]

    def _negate(self, *, is_contrast: bool) -> None:
        if self._is_over and self._is_fresh and not is_contrast:
            self._is_over, self.is_doubtful = False, True
            return
        self.negations += not is_contrast
        self.contrasts += is_contrast
        self._is_negated = is_contrast or not self._is_negated
        self._is_fresh, self._is_over = True, False

    def _content(self, token: str, word: str) -> None:
        is_one_of_many = word[-2:-1] == "-"  # "tool-a"
        if word in TOOLS or is_one_of_many or (_NAME.search(token) and not _NUMBER.fullmatch(word)):
            self.name(token)
        elif _NUMBER.fullmatch(word):
            self._number(word)
        else:
            for piece in word.split("-"):
                self._plain(piece)

    def _plain(self, word: str) -> None:
        if word in meaning_words.NUMBERS:
            self._number(meaning_words.NUMBERS[word])
        elif word in meaning_words.LIMITERS:
            self.limiters.append(word)
        elif word and word not in meaning_words.EMPTY:
            self.negations += word in meaning_words.REVERSERS
            is_noun = word in meaning_words.LIGHT_NOUNS
            weight = LIGHT if is_noun or word in meaning_words.GENERIC else 1.0
            self._add(Term(stem=stem_of(word), word=word, weight=weight, is_noun=is_noun))

    def _number(self, digits: str) -> None:
        self._add(Term(stem=digits.rstrip(".,_").removeprefix("v"), is_number=True))

    def _add(self, term: Term) -> None:
        self._is_fresh = False
        if self._relator and term.weight >= 1:
            self.relations.add((self._relator, term.stem))
            self._relator = None
        # Written out, because `replace` is slow and this is done for every word of every line.
        self.terms.append(
            Term(
                stem=term.stem,
                word=term.word,
                after=self._small_word,
                is_negated=self._is_negated,
                weight=term.weight,
                is_name=term.is_name,
                is_number=term.is_number,
                is_noun=term.is_noun,
            )
        )
        self._small_word = ""


_TAKE: dict[str, Callable[[_Reading, str], None]] = {
    "phrase": _Reading.phrase,
    "boundary": _Reading.boundary,
    "code": _Reading.code,
    "cjk": _Reading.cjk,
    "flag": _Reading.name,
    "operator": _Reading.name,
    "word": _Reading.word,
}


def _without_implied(terms: list[Term]) -> Iterator[Term]:
    """Leave out the choices not taken where the one taken is named: "pnpm, not npm" says no more than "pnpm"."""
    # What one does with branches, one may well do one of before the other: those exclude nothing.
    chosen = {group_of(term.stem) for term in terms if not term.is_negated} - {None, "branching"}
    for term in terms:
        if not (term.is_negated and group_of(term.stem) in chosen):
            yield term


def _lightened(terms: list[Term]) -> Callable[[Term], Term]:
    """Make light what the choice itself says already: "indent with tabs" is "use tabs"."""
    stems = {term.stem for term in terms}
    groups = {group for group in map(group_of, stems) if group}
    light = {stem for group in groups for stem in topic_of(group)}
    implied = _implied()
    light |= {stem for stem in stems & implied.keys() if implied[stem] & stems}
    return lambda term: replace(term, weight=LIGHTER) if term.stem in light and not term.is_name else term


@cache
def _implied() -> dict[str, frozenset[str]]:
    return {stem_of(word): frozenset(map(stem_of, beside.split())) for word, beside in meaning_words.IMPLIED.items()}
