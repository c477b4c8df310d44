"""A model's answer to question two, made into verdicts. Pure.

It may only choose among what was shown for a rule. What cannot be used falls back, rule by rule, to our own ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memsuggest.core.model import Target
from memsuggest.judging.asking.json_object import read_as
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.verdicts.cases import Answer, Judged, RuleCase, ShownLine, headings_of, place_name, rule_name
from memsuggest.judging.verdicts.verdict import NEW_FILE, TAKEN, Becomes, Verdict
from memsuggest.judging.verdicts.verdict_wording import why_no_wording, why_not_the_same

if TYPE_CHECKING:
    WordsCheck = Callable[[str], str]
    """Says why words may stand in no file, whoever wrote them; nothing when they may."""

NEW = "new"
"""The place of a rule that gets a file of its own."""
MOST = 3
"""Verdicts of an answer for each rule; with more it is no honest one."""


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
    for one in judged:
        said[one.rule].append(one)
    if not any(case.name in said for case in cases):
        raise failure("wrong-packet" if judged else "empty")
    shown = {case.name: case for case in cases}
    return [_verdict(said[case.name], case, shown, check) for case in cases]


def _verdict(said: Sequence[Judged], case: RuleCase, shown: Mapping[str, RuleCase], check: WordsCheck) -> Verdict:
    weakens = any(judged.weakens for judged in said)
    try:
        return _used(_only(said), case, shown, check)
    except _UnusableError as error:
        return Verdict(
            fact_id=case.fact.id, basis=case.basis, becomes=Becomes.UNUSABLE, weakens=weakens, why=str(error)
        )


def _only(said: Sequence[Judged]) -> Judged:
    if len(said) != 1:
        raise _UnusableError(
            "the answer has several verdicts for this rule" if said else "the answer has no verdict for this rule"
        )
    return said[0]


def _used(one: Judged, case: RuleCase, shown: Mapping[str, RuleCase], check: WordsCheck) -> Verdict:
    """Return what comes of one entry; raises _UnusableError."""
    becomes = Becomes(one.becomes)
    line = _line(one, case) if becomes in (Becomes.SAID, Becomes.REPLACES, Becomes.CONTRADICTS) else None
    joined = _joined(one, case, shown) if becomes is Becomes.JOINS else ()
    is_placed = becomes is Becomes.NEW or bool(joined and one.place)
    target = _place(one, case) if is_placed else None
    return Verdict(
        fact_id=case.fact.id,
        basis=case.basis,
        becomes=becomes,
        uri=line.uri if line else target.uri if target else NEW_FILE if one.place == NEW and is_placed else None,
        line=line.words if line else "",
        heading=headings_of(target).get(one.heading) if target else None,
        content=_worded(one, case, line, check) if becomes in TAKEN else "",
        joins=joined,
        others=tuple(found.uri for name in one.also[:2] if (found := _named(case).get(name)) and found is not target),
        of_ten=one.of_ten,
        weakens=one.weakens,
    )


def _line(one: Judged, case: RuleCase) -> ShownLine:
    found = next((line for line in case.lines if line.name == one.line), None)
    if found is None:
        raise _UnusableError("the answer names a line that was not listed for this rule")
    return found


def _named(case: RuleCase) -> Mapping[str, Target]:
    return {place_name(target): target for target in case.places}


def _place(one: Judged, case: RuleCase) -> Target | None:
    """Return the place that was chosen; None for a file of its own."""
    found = _named(case).get(one.place)
    if found is None and one.place != NEW:
        raise _UnusableError("the answer names a place that was not listed for this rule")
    return found


def _joined(one: Judged, case: RuleCase, shown: Mapping[str, RuleCase]) -> tuple[str, ...]:
    """Return the ids of the facts that are said to be the same, and can be."""
    facts = {rule_name(known.fact): known.fact for known in case.known}
    facts |= {name: other.fact for name, other in shown.items() if other.fact.scope is case.fact.scope}
    facts.pop(case.name, None)
    if not one.joins or not set(one.joins) <= facts.keys():
        raise _UnusableError("the answer joins it with a rule that was not listed")
    named = [facts[name] for name in dict.fromkeys(one.joins)]
    for fact in named:
        if why := why_not_the_same(case.fact.content, fact.content):
            raise _UnusableError(f"the answer joins it with “{fact.content[:60]}”, but {why}")
    return tuple(fact.id for fact in named)


def _worded(one: Judged, case: RuleCase, line: ShownLine | None, check: WordsCheck) -> str:
    """Return a wording that says what the fact says and no more; empty for the fact's own.

    Raises _UnusableError where it was to say more than a line: without it, what else the line says would be gone.
    """
    content, fact = " ".join(one.wording.split()), case.fact
    if not content or content == fact.content:
        return ""
    said = [fact.content, *(citation.quote for citation in fact.citations), *([line.words] if line else [])]
    why = why_no_wording(content, fact.content, said) or check(content)
    if why and line and one.becomes == Becomes.REPLACES.value:
        raise _UnusableError(f"the new line was rejected: {why}")
    return "" if why else content


def written_verdicts(verdicts: Iterable[Verdict], cases: Sequence[RuleCase]) -> str:
    """Return the answer from which the same verdicts come, and nothing else: what is kept of one that was paid for."""
    by_fact = {case.fact.id: case for case in cases}
    made = (
        _written(verdict, by_fact[verdict.fact_id]) for verdict in verdicts if verdict.becomes is not Becomes.UNUSABLE
    )
    return Answer(verdicts=list(made)).model_dump_json()


def _written(one: Verdict, case: RuleCase) -> Judged:
    names = {target.uri: name for name, target in _named(case).items()}
    target = next((target for target in case.places if target.uri == one.uri), None)
    headings = {heading: name for name, heading in headings_of(target).items()} if target else {}
    facts = {known.fact.id: rule_name(known.fact) for known in case.known}
    line = next((line.name for line in case.lines if line.words == one.line and line.uri == one.uri), "")
    is_placed = one.becomes in (Becomes.NEW, Becomes.JOINS)
    return Judged.model_validate(
        {
            "rule": case.name,
            "becomes": one.becomes.value,
            "line": line,
            "joins": [facts[id_] for id_ in one.joins if id_ in facts],
            "place": names.get(one.uri, NEW) if is_placed and one.uri is not None else "",
            "heading": headings.get(one.heading or "", "") if is_placed else "",
            "also": [names[uri] for uri in one.others if uri in names],
            "wording": one.content,
            "of_ten": one.of_ten,
            "weakens": one.weakens,
        }
    )
