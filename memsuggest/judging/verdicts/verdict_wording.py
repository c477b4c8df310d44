"""Wordings that a model proposes for a rule: whether they say what was said, no less and no more. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from memsuggest.core.model import MemoryFact, Target, is_maybe
from memsuggest.core.text.likeness import opposed
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, plain, word_set
from memsuggest.judging.asking.json_object import read_as
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.verdicts.cases import Answer, Judged, RuleCase, ShownLine, headings_of, place_name, rule_name
from memsuggest.judging.verdicts.verdict import NEW_FILE, TAKEN, Becomes, Verdict

_TOKEN = re.compile(r"[\w.-]*/[\w./-]*|\w+")  # a path counts as a whole, beside its parts
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_EMPTY = frozenset().union(*STOP_WORDS.values(), *ASKING_WORDS.values())


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words; an identifier and a path give themselves and their parts.

    >>> stems_of("Never mock the OrderStore in src/")
    ['mock', 'orderstor', 'order', 'store', 'src/']
    """
    return [stem for token in _TOKEN.findall(text) for stem in _stems_of_token(token)]


@lru_cache(maxsize=1 << 15)
def _stems_of_token(token: str) -> tuple[str, ...]:
    parts = _PART.findall(token) if token.isascii() else []
    words = [token, *parts] if len(parts) > 1 else [token]
    lowered = (word.lower().strip("_.") for word in words)
    return tuple(dict.fromkeys(stem(word) for word in lowered if len(word) > 1 and word not in _EMPTY))


LIMIT = 240  # characters of a wording
_REACH = 5  # words behind a negation that it may be about
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
    'the wording drops or adds a negation'
    """
    if has_negation(wording) != has_negation(rule):
        return "the wording drops or adds a negation"
    if why := _why_not_said(wording, rule, (rule, *sources)):
        return why
    if not derives_from_quotes(rule, [wording]) or not numbers_in(rule) <= numbers_in(wording):
        return "the wording drops a number, name, path or command"
    return ""


def why_no_reading(wording: str, sentence: str, text: str) -> str:
    """Say why a wording may not stand for a sentence of a text, of which it may leave out names; nothing when it may.

    >>> why_no_reading("Squash commits.", "Ada said never to squash 2 commits", "Ada said never to squash 2 commits.")
    'the wording drops a negation'
    """
    if has_negation(sentence) and not has_negation(wording):
        return "the wording drops a negation"
    return _why_not_said(wording, sentence, [text])


def _why_not_said(wording: str, rule: str, sources: Sequence[str]) -> str:
    if len(wording) > LIMIT:
        return f"the wording is longer than {LIMIT} characters"
    if has_negation(wording) and not any(_negated(text) & _negated(wording) for text in sources):
        return "the wording negates something that the source does not"
    if _limits(wording) and not _limits(" ".join(sources)):
        return "the wording adds a limit"
    if _limits(rule) and not _limits(wording):
        return "the wording drops a limit"
    unsaid = "the wording contains a number, name, path or command not found in the source"
    return "" if derives_from_quotes(wording, sources) else unsaid


def why_not_the_same(one: str, other: str) -> str:
    """Say why two rules cannot be the same, whatever a model says; nothing when they can."""
    mine, theirs = numbers_in(one), numbers_in(other)
    if mine and theirs and not (mine <= theirs or theirs <= mine):
        return "the rules contain different numbers"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Facts that become one, since a model says that they are."""

    stays: MemoryFact
    content: str
    gone: tuple[MemoryFact, ...]
    verdict: Verdict  # where the one rule goes, as far as any of the verdicts said


def joined(verdicts: Iterable[Verdict], facts: Mapping[str, MemoryFact], *, applied: Collection[str]) -> list[Joined]:
    """Return the groups that some verdicts make of facts; a group whose members cannot be the same is none.

    Of a group stays what is applied, else what is surest, else what was said first.
    """
    by_fact = {verdict.fact_id: verdict for verdict in verdicts}
    groups: list[set[str]] = []  # what is named together, directly or by way of others
    for verdict in by_fact.values():
        if verdict.becomes is Becomes.JOINS:
            wanted = {verdict.fact_id, *verdict.joins}
            touching = [group for group in groups if group & wanted]
            groups = [group for group in groups if group not in touching] + [wanted.union(*touching)]
    found = []
    for members in ([facts[id_] for id_ in sorted(ids)] for ids in groups if ids <= facts.keys()):
        if any(
            first.scope is not other.scope or why_not_the_same(first.content, other.content)
            for first, other in combinations(members, 2)
        ):
            continue
        stays = min(
            members,
            key=lambda fact: (fact.id not in applied, is_maybe(fact), -fact.confidence, fact.timestamp, fact.id),
        )
        said = [by_fact[member.id] for member in (stays, *members) if member.id in by_fact]
        places = (verdict for verdict in said if verdict.becomes is Becomes.NEW or verdict.uri is not None)
        placed = next(places, said[0])
        worded = next((verdict.content for verdict in said if verdict.becomes is Becomes.JOINS and verdict.content), "")
        verdict = replace(
            placed,
            fact_id=stays.id,
            becomes=Becomes.UNUSABLE if placed.uri is None else Becomes.NEW,
            content="",
            joins=(),
            weakens=any(verdict.weakens for verdict in said),
            why="",
        )
        content = stays.content if stays.id in applied else worded or stays.content
        gone = tuple(member for member in members if member is not stays)
        found.append(Joined(stays=stays, content=content, gone=gone, verdict=verdict))
    return found


WordsCheck = Callable[[str], str]  # says why words may stand in no file, whoever wrote them; nothing when they may


NEW = "new"  # the place of a rule that gets a file of its own
MOST = 3  # verdicts of an answer for each rule; with more it is no honest one


class _UnusableError(Exception):
    """The reason why an entry cannot be used."""


def read_verdicts(text: str, cases: Sequence[RuleCase], *, check: WordsCheck) -> list[Verdict]:
    """Return a verdict for each rule; raises ModelError for an answer of another shape, or to another question."""
    judged = read_as(Answer, text).verdicts
    if len(judged) > MOST * len(cases):
        raise failure(
            "wrong-shape", f"{len(judged)} verdicts for {len(cases)} {'rule' if len(cases) == 1 else 'rules'}"
        )
    said: dict[str, list[Judged]] = defaultdict(list)
    for answer in judged:
        said[answer.rule].append(answer)
    if not any(case.name in said for case in cases):
        raise failure("wrong-packet" if judged else "empty")
    shown = {case.name: case for case in cases}
    verdicts = []
    for case in cases:
        entries = said[case.name]
        try:
            verdicts.append(_used(entries, case, shown, check))
        except _UnusableError as error:
            weakens = any(entry.weakens for entry in entries)
            unusable = Verdict(fact_id=case.fact.id, basis=case.basis, becomes=Becomes.UNUSABLE, why=str(error))
            verdicts.append(replace(unusable, weakens=weakens))
    return verdicts


def _used(said: Sequence[Judged], case: RuleCase, shown: Mapping[str, RuleCase], check: WordsCheck) -> Verdict:
    """Return what comes of the one entry for a rule; raises _UnusableError."""
    if len(said) != 1:
        many = "the answer has several verdicts for this rule"
        raise _UnusableError(many if said else "the answer has no verdict for this rule")
    judged = said[0]
    becomes, places = Becomes(judged.becomes), _named(case)
    line = next((line for line in case.lines if line.name == judged.line), None)
    if becomes not in (Becomes.SAID, Becomes.REPLACES, Becomes.CONTRADICTS):
        line = None
    elif line is None:
        raise _UnusableError("the answer names a line that was not listed for this rule")
    joined = _joined_ids(judged, case, shown) if becomes is Becomes.JOINS else ()
    is_placed = becomes is Becomes.NEW or bool(joined and judged.place)
    target = places.get(judged.place) if is_placed else None
    if is_placed and target is None and judged.place != NEW:
        raise _UnusableError("the answer names a place that was not listed for this rule")
    return Verdict(
        fact_id=case.fact.id,
        basis=case.basis,
        becomes=becomes,
        uri=line.uri if line else target.uri if target else NEW_FILE if is_placed else None,
        line=line.words if line else "",
        heading=headings_of(target).get(judged.heading) if target else None,
        content=_worded(judged, case, line, check) if becomes in TAKEN else "",
        joins=joined,
        others=tuple(found.uri for name in judged.also[:2] if (found := places.get(name)) and found is not target),
        of_ten=judged.of_ten,
        weakens=judged.weakens,
    )


def _named(case: RuleCase) -> Mapping[str, Target]:
    return {place_name(target): target for target in case.places}


def _joined_ids(judged: Judged, case: RuleCase, shown: Mapping[str, RuleCase]) -> tuple[str, ...]:
    """Return the ids of the facts that are said to be the same, and can be."""
    facts = {rule_name(known.fact): known.fact for known in case.known}
    facts |= {name: other.fact for name, other in shown.items() if other.fact.scope is case.fact.scope}
    facts.pop(case.name, None)
    if not judged.joins or not set(judged.joins) <= facts.keys():
        raise _UnusableError("the answer merges this rule with one that was not listed")
    named = [facts[name] for name in dict.fromkeys(judged.joins)]
    for fact in named:
        if why := why_not_the_same(case.fact.content, fact.content):
            raise _UnusableError(f"the answer merges this rule with “{fact.content[:60]}”, but {why}")
    return tuple(fact.id for fact in named)


def _worded(judged: Judged, case: RuleCase, line: ShownLine | None, check: WordsCheck) -> str:
    """Return a wording that says what the fact says and no more; empty for the fact's own.

    Raises _UnusableError where it was to say more than a line: without it, what else the line says would be gone.
    """
    content, fact = " ".join(judged.wording.split()), case.fact
    if not content or content == fact.content:
        return ""
    said = [fact.content, *(citation.quote for citation in fact.citations), *([line.words] if line else [])]
    why = why_no_wording(content, fact.content, said) or check(content)
    if why and line and judged.becomes == Becomes.REPLACES.value:
        raise _UnusableError(f"the new line was rejected: {why}")
    return "" if why else content


def written_verdicts(verdicts: Iterable[Verdict], cases: Sequence[RuleCase]) -> str:
    """Return the answer from which the same verdicts come, and nothing else: what is kept of one that was paid for.

    What a hostile model says beside them is in no file.
    """
    by_fact, written = {case.fact.id: case for case in cases}, []
    for verdict in (verdict for verdict in verdicts if verdict.becomes is not Becomes.UNUSABLE):
        case = by_fact[verdict.fact_id]
        names = {target.uri: name for name, target in _named(case).items()}
        target = next((target for target in case.places if target.uri == verdict.uri), None)
        headings = {heading: name for name, heading in headings_of(target).items()} if target else {}
        facts = {known.fact.id: rule_name(known.fact) for known in case.known}
        lines = (line.name for line in case.lines if line.words == verdict.line and line.uri == verdict.uri)
        is_placed = verdict.becomes in (Becomes.NEW, Becomes.JOINS)
        entry = {
            "rule": case.name,
            "becomes": verdict.becomes.value,
            "line": next(lines, ""),
            "joins": [facts[id_] for id_ in verdict.joins if id_ in facts],
            "place": names.get(verdict.uri, NEW) if is_placed and verdict.uri is not None else "",
            "heading": headings.get(verdict.heading or "", "") if is_placed else "",
            "also": [names[uri] for uri in verdict.others if uri in names],
            "wording": verdict.content,
            "of_ten": verdict.of_ten,
            "weakens": verdict.weakens,
        }
        written.append(Judged.model_validate(entry))
    return Answer(verdicts=written).model_dump_json()
