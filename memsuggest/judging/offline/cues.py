"""Cues, form, scope and kind of a sentence: the words by which our own rules know them.

Which cues matter, and how much, is no business of the table: training writes that to `weights.json`.
"""

from __future__ import annotations

import re
from functools import cache, partial

from memsuggest.core.model import Kind, Scope
from memsuggest.core.text import words as phrase_tables
from memsuggest.core.text.small_words import VERBS
from memsuggest.core.text.words import plain, sections_of, word_set
from memsuggest.judging.offline.findings import paths_in

form = partial(phrase_tables.form, __package__)  # compiles a regular expression of a table of this room
_SIGNS = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Scripts that part no words by spaces, so that a phrase may stand in the middle of a run of letters."""


def cues_in(plain: str) -> frozenset[str]:
    """Return the names of the cues in a plain text.

    >>> sorted(cues_in("pnpm from now on"))
    ['from-now-on', 'moment', 'tool']
    """
    return frozenset(name for name, pattern in phrases_of("cues").items() if pattern.search(plain))


def has_cue(name: str, plain: str) -> bool:
    """Tell whether a plain text has one of a cue's phrases."""
    return phrases_of("cues")[name].search(plain) is not None


@cache
def phrases_of(table_name: str) -> dict[str, re.Pattern[str]]:
    """Compile a table of phrases when it is first needed: most commands need none of it."""
    return {
        name: _compiled(text.replace("\n", " ").split(";"))
        for name, text in sections_of(__package__, table_name).items()
    }


@cache
def words_of(table_name: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in sections_of(__package__, table_name).items()}


def _compiled(phrases: list[str]) -> re.Pattern[str]:
    """Compile one pattern of phrases: whole words, or any place in a script without spaces."""
    texts = [phrase.strip() for phrase in phrases if phrase.strip()]
    spaced = [text for text in texts if not _SIGNS.search(text)]
    dense = [text for text in texts if _SIGNS.search(text)]
    return re.compile("|".join([rf"(?<![\w'])(?<!\w\.)(?:{'|'.join(spaced)})(?![\w'(])", *dense]))


# Forms: whether a sentence begins as an order does, and in how many ways it says that something is to be so


_WORD = re.compile(r"[^\W\d_][\w'-]*")


def is_order(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does.

    >>> is_order("from now on use tabs, never spaces"), is_order("the tests use tabs")
    (True, False)
    """
    at: int | None = 0
    while at is not None:
        word = _WORD.match(plain_text, at)
        if word and word.group() in VERBS:
            return True
        opening = form("forms", "before-verb").match(plain_text, at)
        at = opening.end() if opening else None
    return False


_NORMS = word_set("always never each-time in-general must must-not should do-not no-kind rather only we-do")
"""Cues by which a sentence says that something is to be so, wherever it stands."""
_OF_ALL = re.compile(r"(?:every|each|all|any|no|jede[rs]?|alle|cada|tod[oa]s|chaque|tou(?:te)?s)\ \S", re.VERBOSE)
_OF_ONE = re.compile(r"(?:please )?\w+ (?:(?:in|out|up|down|off|to|at) )?(?:this|that|these|those|the|it|your|our)\b")
"""An order about one thing: "fill in the template"."""


def has_norm(text: str) -> bool:
    """Tell whether a sentence says that something is to be so, and not only orders it."""
    return not _NORMS.isdisjoint(cues_in(plain(text)))


def is_normative(text: str) -> bool:
    """Tell whether a sentence says, in whatever way, that something is to be so.

    >>> is_normative("Foreign keys end in `_id`."), is_normative("The keys were renamed.")
    (True, False)
    """
    said = plain(text)
    is_of_all = bool(_OF_ALL.match(said) or form("forms", "of-many").match(said))
    return is_of_all or not _NORMS.isdisjoint(cues_in(said)) or (is_order(said) and not _OF_ONE.match(said))


# Scope and kind: whether a rule holds for this workspace or for this person everywhere, and what it teaches


def scope_of(text: str) -> Scope:
    """Route a statement: `user` for personal style that nothing ties to the repo, else `workspace`."""
    said = plain(text)
    if form("scope", "everywhere").search(said):
        return Scope.USER
    if form("scope", "ours").search(said) or has_cue("tool", said) or paths_in(text):
        return Scope.WORKSPACE
    if form("scope", "manner").search(said) or (
        form("scope", "myself").search(said) and not form("scope", "code").search(said)
    ):
        return Scope.USER
    return Scope.WORKSPACE


_CUES: tuple[tuple[Kind, frozenset[str]], ...] = (
    (Kind.CORRECTION, frozenset(("you-did", "wrong"))),
    (Kind.TERMINOLOGY, frozenset(("means",))),
    (Kind.PREFERENCE, frozenset(("prefer",))),
    (Kind.PROCEDURE, frozenset(("each-time", "sequence"))),
    (Kind.CONVENTION, word_set("rule-word must should must-not do-not always never use only from-now-on we-do")),
)
"""Cues of a kind, the kinds in the order in which they are asked."""


def kind_of(plain_text: str) -> Kind:
    """Name the kind of a plain sentence; a plain fact where it has no cue of another."""
    found = cues_in(plain_text)
    return next((kind for kind, cues in _CUES if found & cues), Kind.FACT)


def changes_what_holds(plain_text: str) -> bool:
    return {"from-now-on", "rather"} <= cues_in(plain_text)


def says_again(plain_text: str) -> bool:
    """Tell whether a sentence says that it was said before.

    >>> says_again("again: no mocks"), says_again("run it again")
    (True, False)
    """
    return form("scope", "again").search(plain_text) is not None
