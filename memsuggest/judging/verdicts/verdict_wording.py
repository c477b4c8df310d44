"""Wordings that a model proposes for a rule: whether they say what was said, no less and no more. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memsuggest.core.model import MemoryFact, is_maybe
from memsuggest.core.text.likeness import opposed
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, plain, word_set
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.verdicts.verdict import Becomes, Verdict

# The stems of a text's words, by which a rule is compared with lines and with other rules.

_TOKEN = re.compile(r"[\w.-]*/[\w./-]*|\w+")
"""A path counts as a whole, beside its parts."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_EMPTY = frozenset().union(*STOP_WORDS.values(), *ASKING_WORDS.values())


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words; an identifier and a path give themselves and their parts.

    >>> stems_of("Never mock the OrderStore in src/")
    ['mock', 'orderstor', 'order', 'store', 'src/', 'src']
    """
    return [one for token in _TOKEN.findall(text) for one in _stems_of_token(token)]


@lru_cache(maxsize=1 << 15)
def _stems_of_token(token: str) -> tuple[str, ...]:
    parts = _PART.findall(token) if token.isascii() else []
    words = [token, *parts] if len(parts) > 1 else [token]
    lowered = (word.lower().strip("_.") for word in words)
    return tuple(dict.fromkeys(stem(word) for word in lowered if len(word) > 1 and word not in _EMPTY))


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


# Facts that a model says are one: who stays, with which words.


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Facts that become one."""

    stays: MemoryFact
    """As it is known."""
    content: str
    """Its wording from then on."""
    gone: tuple[MemoryFact, ...]
    verdict: Verdict
    """Where the one rule goes, as far as any of the verdicts said."""


def joined(verdicts: Iterable[Verdict], facts: Mapping[str, MemoryFact], *, applied: Collection[str]) -> list[Joined]:
    """Return the groups that some verdicts make of facts; a group whose members cannot be the same is none."""
    by_fact = {verdict.fact_id: verdict for verdict in verdicts}
    found = []
    for ids in _groups(by_fact.values()):
        members = [facts[id_] for id_ in ids if id_ in facts]
        if len(members) == len(ids) and not _differing(members):
            found.append(_joined(members, by_fact, applied))
    return found


def _groups(verdicts: Iterable[Verdict]) -> list[list[str]]:
    """Return what is named together, directly or by way of others."""
    groups: list[set[str]] = []
    for verdict in verdicts:
        if verdict.becomes is Becomes.JOINS:
            wanted = {verdict.fact_id, *verdict.joins}
            touching = [group for group in groups if group & wanted]
            groups = [group for group in groups if group not in touching] + [wanted.union(*touching)]
    return [sorted(group) for group in groups]


def _differing(members: Sequence[MemoryFact]) -> bool:
    pairs = ((member, other) for place, member in enumerate(members) for other in members[place + 1 :])
    return any(one.scope is not other.scope or why_not_the_same(one.content, other.content) for one, other in pairs)


def _joined(members: Sequence[MemoryFact], verdicts: Mapping[str, Verdict], applied: Collection[str]) -> Joined:
    """Let what is applied stay, else what is surest, else what was said first."""
    stays = min(members, key=lambda one: (one.id not in applied, is_maybe(one), -one.confidence, one.timestamp, one.id))
    said = [verdicts[member.id] for member in (stays, *members) if member.id in verdicts]
    placed = next((one for one in said if one.becomes is Becomes.NEW or one.uri is not None), said[0])
    worded = next((one.content for one in said if one.becomes is Becomes.JOINS and one.content), "")
    is_applied = stays.id in applied
    return Joined(
        stays=stays,
        content=stays.content if is_applied else worded or stays.content,
        gone=tuple(member for member in members if member is not stays),
        verdict=replace(
            placed,
            fact_id=stays.id,
            becomes=Becomes.UNUSABLE if placed.uri is None else Becomes.NEW,
            content="",
            joins=(),
            weakens=any(one.weakens for one in said),
            why="",
        ),
    )
