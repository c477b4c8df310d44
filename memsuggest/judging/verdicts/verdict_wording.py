"""Wordings that a model proposes for a rule: whether they say what was said, no less and no more. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsuggest.core.text.likeness import opposed
from memsuggest.core.text.words import plain, word_set
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.verdicts.rule_words import stems_of

LIMIT = 240
"""Characters of a wording."""
_REACH = 5
"""Words behind a negation that it may be about."""
_NEGATORS = word_set(
    """
    not no never none nothing nobody neither nor without cannot avoid avoids forbid forbidden refuse stop instead
    nicht nie niemals kein keine keinen keiner keinem keines ohne nirgends weder vermeide vermeiden verboten statt
    anstatt stattdessen
    ne pas jamais sans aucun aucune rien évite éviter évitez interdit
    no nunca jamás sin ningún ninguna nada tampoco evita evitar prohibido
    não nunca sem nenhum nenhuma nada evite evitar proibido
    non mai senza nessun nessuna niente evita evitare vietato
    """
)
_LIMITERS = word_set(
    """
    only unless except solely exclusively nur außer ausser ausschließlich
    seulement sauf uniquement sólo solo salvo excepto solamente só apenas exceto tranne soltanto
    """
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CLAUSE_END = re.compile(r"[,;:.!?—](?=\s|$)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def has_negation(text: str) -> bool:
    """Tell whether a text negates anything.

    >>> has_negation("Dont squash"), has_negation("Note the notation")
    (True, False)
    """
    return any(map(_is_negator, _words(text)))


def numbers_in(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def why_no_wording(wording: str, rule: str, sources: Sequence[str]) -> str:
    """Say why a wording may not stand for a rule that rests on some sources; nothing when it may.

    >>> why_no_wording("Use pnpm.", "never use pnpm", ["never use pnpm"])
    'it drops or adds a negation'
    """
    if len(wording) > LIMIT:
        return f"it is longer than {LIMIT} characters"
    if has_negation(wording) != has_negation(rule):
        return "it drops or adds a negation"
    if not any(_negated(one) & _negated(wording) for one in (rule, *sources)) and has_negation(rule):
        return "it negates something else"
    if _limits(wording) and not _limits(" ".join(sources)):
        return "it adds a limit"
    if _limits(rule) and not _limits(wording):
        return "it drops a limit"
    if not derives_from_quotes(wording, sources):
        return "it has a number, name, path or command that is not in the source"
    if not derives_from_quotes(rule, [wording]) or not numbers_in(rule) <= numbers_in(wording):
        return "it drops a number, name, path or command"
    return ""


def why_no_reading(wording: str, sentence: str, text: str) -> str:
    """Say why a wording may not stand for a sentence of a text, of which it may leave out names; nothing when it may.

    >>> why_no_reading("Squash commits.", "Ada said never to squash 2 commits", "Ada said never to squash 2 commits.")
    'it drops a negation'
    """
    if len(wording) > LIMIT:
        return f"it is longer than {LIMIT} characters"
    if has_negation(sentence) and not has_negation(wording):
        return "it drops a negation"
    if has_negation(wording) and not _negated(text) & _negated(wording):
        return "it negates something else"
    if _limits(wording) and not _limits(text):
        return "it adds a limit"
    if _limits(sentence) and not _limits(wording):
        return "it drops a limit"
    unsaid = "it has a number, name, path or command that is not in the source"
    return "" if derives_from_quotes(wording, [text]) else unsaid


def why_not_the_same(one: str, other: str) -> str:
    """Say why two rules cannot be the same, whatever a model says; nothing when they can."""
    mine, theirs = numbers_in(one), numbers_in(other)
    if mine and theirs and not (mine <= theirs or theirs <= mine):
        return "they name different numbers"
    return opposed(one, other)


def _negated(text: str) -> frozenset[str]:
    near: list[str] = []
    for clause in _CLAUSE_END.split(text):
        words = _words(clause)
        for place, word in enumerate(words):
            near += words[place + 1 : place + 1 + _REACH] if _is_negator(word) else []
    return frozenset(stem for word in near for stem in stems_of(word) if not _is_negator(word))


def _is_negator(word: str) -> bool:
    return word in _NEGATORS or word.endswith("n't")


def _limits(text: str) -> frozenset[str]:
    return frozenset(_words(text)) & _LIMITERS


def _words(text: str) -> list[str]:
    return _WORD.findall(plain(text))
