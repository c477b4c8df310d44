"""Consolidation: what a model, or a rule, may do to what is remembered. Pure: facts and proposals in, operations out.

Operations name facts that were shown; anything else is refused. Nothing is deleted but for the sake of another fact
that says it, or that the person said since; what people typed is not pushed out by what nobody said; no wording turns
a negation or a number round, or brings in what nobody said. What the code itself sees to lose nothing is `sure`; the
rest waits for a person's look at each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from memsuggest.identity import normalised
from memsuggest.memory.contradictions import last_said, why_contradicting
from memsuggest.memory.duplicates import DEFAULT_SIMILARITY, Known, difference, is_said_by, similarity
from memsuggest.memory.tiers import Tier
from memsuggest.memory.wording import read_wording
from memsuggest.model import FactStatus, MemoryFact, Scope, Skipped, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    WordsCheck = Callable[[str, Sequence[str]], str]
    """Says why words may not be remembered, given all that they rest on; nothing when they may."""

MOST_DELETED = 0.2
"""Share of the facts that may go in one run without a look at each (SECURITY.md T6)."""
LIKE = 0.4
"""Similarity from which a fact can be the reason to delete another, or a wording can stand for the one before."""
FAR = 0.7
"""Similarity below which a negation, or an order, may be about words that the other rule does not have."""
MOST_NEW_WORDS = 0.25
"""Share of a new wording's weight that may be other words than those of the facts it stands for."""
WORDING_LIMIT = 200
"""Characters of a new wording."""
OTHER_SUBJECT = "they are about different things"
"""What `difference` says last: signs, limits, numbers, names and order are the same."""
_NAMED = 80
_OWN = {Trust.TYPED, Trust.CONFIRMED}


RULE_SIMILARITY = {Tier.GENEROUS: DEFAULT_SIMILARITY, Tier.SELECTIVE: 0.75, Tier.HEAVY_CUT: 0.65}
"""Similarity from which two facts say the same, without a model."""


class Verb(StrEnum):
    """What can be done to a fact that is there."""

    KEEP = "keep"
    UPDATE = "update"
    DELETE = "delete"


_VERBS = {verb.value: verb for verb in Verb} | {"add": Verb.KEEP, "skip": Verb.DELETE}
"""What is said of a fact, and of one that is new: it is stored already, so adding it is keeping it (SYSTEM.md K.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One operation as somebody proposes it, nothing checked."""

    verb: str
    id: str
    content: str = ""
    """For an update: the new wording."""
    because: str = ""
    """For a delete: the id of the fact that says it better, or replaced it."""


def verb_of(proposal: Proposal) -> Verb | None:
    """Return what a proposal asks for; None for what there is not."""
    return _VERBS.get(proposal.verb)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation that may be carried out."""

    verb: Verb
    fact: MemoryFact
    content: str = ""
    because: MemoryFact | None = None
    why: str = ""
    is_sure: bool = True
    """Nothing is lost, as far as code can tell; anything else a person has to look at."""
    is_replacement: bool = False
    """The other fact says something else: its evidence is not this one's."""


def disposed(
    proposals: Sequence[Proposal],
    shown: Mapping[str, MemoryFact],
    *,
    applied: Collection[str] = (),
    check: WordsCheck = lambda _content, _sources: "",
) -> tuple[list[Operation], list[Skipped]]:
    """Return the operations that may be carried out, and why the others may not; every fact counts once.

    `applied` are the ids of facts that stand in a customization file by now.
    """
    hearing = _Hearing(shown=shown, applied=applied, check=check)
    found: dict[str, Operation] = {}
    refused: list[Skipped] = []
    for proposal in _deletes_first(proposals):
        operation = hearing.judged(proposal, found)
        if isinstance(operation, str):
            refused.append(Skipped(what=_named(proposal, shown), why=operation))
        elif operation.verb is not Verb.KEEP:
            found[operation.fact.id] = operation
    return _within_share(list(found.values()), len(shown)), refused


def _named(proposal: Proposal, shown: Mapping[str, MemoryFact]) -> str:
    """Name a proposal for people, without any words that came from whoever made it."""
    fact = shown.get(proposal.id)
    verb = _VERBS.get(proposal.verb, "something with")
    return f"{verb} “{fact.content[:_NAMED]}”" if fact else f"{verb} a fact"


def _deletes_first(proposals: Sequence[Proposal]) -> list[Proposal]:
    """A new wording is judged by all that it stands for, so what goes into it is known before."""
    return sorted(proposals, key=lambda proposal: verb_of(proposal) is Verb.UPDATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hearing:
    """What proposals are held against."""

    shown: Mapping[str, MemoryFact]
    applied: Collection[str]
    check: WordsCheck

    def judged(self, proposal: Proposal, found: Mapping[str, Operation]) -> Operation | str:
        """Return the operation that a proposal comes to, or why it comes to none."""
        fact = self.shown.get(proposal.id)
        verb = verb_of(proposal)
        if fact is None:
            return "it is not a fact that was shown"
        if verb is None:
            return "there is no such operation"
        if fact.id in found:
            return "the fact has an operation already"
        if verb is Verb.KEEP:
            return Operation(verb=verb, fact=fact)
        return self._update(proposal, fact, found) if verb is Verb.UPDATE else self._delete(proposal, fact, found)

    def _delete(self, proposal: Proposal, fact: MemoryFact, found: Mapping[str, Operation]) -> Operation | str:
        because = self.shown.get(proposal.because)
        if because is None or because.id == fact.id or because.scope is not fact.scope:
            return "no other fact of its scope is named that makes it needless"
        if because.status is not FactStatus.ACTIVE or because.id in found:
            return "the fact that makes it needless is not in force"
        if any(one.because is fact for one in found.values()):
            return "another fact goes for the sake of it"
        if _is_own(fact) and not _is_own(because):
            return "a person said it, and nobody said the other one"
        operation = Operation(verb=Verb.DELETE, fact=fact, because=because)
        if fact.superseded_by == because.id:
            return replace(operation, why="replaced by", is_replacement=True)
        return _contradicted(operation, because) or _merged(operation, because)

    def _update(self, proposal: Proposal, fact: MemoryFact, found: Mapping[str, Operation]) -> Operation | str:
        content = " ".join(proposal.content.split())
        if not content or normalised(content) == normalised(fact.content):
            return "it changes nothing"
        if fact.id in self.applied:
            return "it was applied in the words that it has"
        if fact.status is not FactStatus.ACTIVE:
            return "it is not in force"
        if len(content) > WORDING_LIMIT:
            return "the new wording is too long"
        whole = [fact, *(one.fact for one in found.values() if one.because is fact and not one.is_replacement)]
        sources = [text for one in whole for text in (one.content, *(cited.quote for cited in one.citations))]
        why = why_no_wording(content, whole) or self.check(content, sources)
        if why:
            return f"the new wording will not do: {why}"
        is_sure = not _new_words(content, sources) and all(_is_kept_in(content, one.content) for one in whole)
        said = "merged from several" if len(whole) > 1 else "the same in other words"
        return Operation(verb=Verb.UPDATE, fact=fact, content=content, why=said, is_sure=is_sure)


def _contradicted(operation: Operation, because: MemoryFact) -> Operation | str | None:
    """Judge a delete whose reason cannot hold beside the fact; None when both can."""
    if why_contradicting(because.content, operation.fact.content) is None:
        return None
    if not _is_own(because) or last_said(because) <= last_said(operation.fact):
        return "they contradict each other, and the other one is not what the person said last"
    return replace(operation, why="said since, against it:", is_sure=False, is_replacement=True)


def _merged(operation: Operation, because: MemoryFact) -> Operation | str:
    """Judge a delete whose reason is said to say the same, or to say what holds by now."""
    fact = operation.fact
    why = _difference(fact.content, because.content)
    is_covered = _is_said_by(because.content, fact.content)
    alike = similarity(fact.content, because.content)
    if why is None and (alike >= DEFAULT_SIMILARITY or is_covered):
        return replace(operation, why="says the same as" if alike >= DEFAULT_SIMILARITY else "is said whole by")
    is_otherwise_said = alike < FAR and _details(fact.content) == _details(because.content)
    if is_covered or (alike >= LIKE and (why in (None, OTHER_SUBJECT) or is_otherwise_said)):
        return replace(operation, why="may say the same as", is_sure=False)
    if alike >= LIKE and _is_own(because) and last_said(because) > last_said(fact):
        return replace(operation, why="may be replaced by", is_sure=False, is_replacement=True)
    return f"the other fact does not say the same{f': {why}' if why else ''}"


def _details(rule: str) -> set[str]:
    """Return what no other wording of a rule leaves out: numbers, names, limits."""
    wording = read_wording(rule)
    return {term.stem for term in wording.terms if term.is_number or term.is_name} | set(wording.limiters)


def why_no_wording(content: str, whole: Sequence[MemoryFact]) -> str:
    """Say why a wording does not say what facts say, all of it and no more; nothing when it does."""
    for fact in whole:
        why = _difference(content, fact.content)
        is_alike = why in (None, OTHER_SUBJECT) and similarity(content, fact.content) >= LIKE
        if not is_alike and not _is_said_by(content, fact.content):
            return why or f"it does not say “{fact.content}”"
    sources = [text for fact in whole for text in (fact.content, *(cited.quote for cited in fact.citations))]
    weight = sum(term.weight for term in read_wording(content).terms)
    if sum(_new_words(content, sources).values()) > MOST_NEW_WORDS * weight:
        return "most of it nobody said"
    return ""


def _new_words(content: str, sources: Sequence[str]) -> dict[str, float]:
    """Return the words of weight that a text has and its sources lack, with their weights."""
    known = {term.stem for text in sources for term in read_wording(text).terms}
    return {
        term.stem: term.weight for term in read_wording(content).terms if term.weight >= 1 and term.stem not in known
    }


def _is_kept_in(content: str, rule: str) -> bool:
    return _is_said_by(content, rule) or (
        _difference(content, rule) is None and similarity(content, rule) >= DEFAULT_SIMILARITY
    )


def _difference(a: str, b: str) -> str | None:
    """Name what keeps two rules apart; here, two negations do not make a plain rule: too much is lost by an error."""
    return "one is negated, the other is not" if _is_doubly_negated(a, b) else difference(a, b)


def _is_said_by(text: str, rule: str) -> bool:
    return is_said_by(text, rule) and not _is_doubly_negated(text, rule)


def _is_doubly_negated(a: str, b: str) -> bool:
    first, second = read_wording(a).negations, read_wording(b).negations
    return (first == 0) != (second == 0) and max(first, second) > 1


def _is_own(fact: MemoryFact) -> bool:
    return any(citation.trust in _OWN for citation in fact.citations)


def _within_share(operations: Sequence[Operation], total: int) -> list[Operation]:
    """Return the operations; deletes beyond the share that may go without a look are not sure any more."""
    room = max(1, int(total * MOST_DELETED))
    found: list[Operation] = []
    for operation in operations:
        is_delete = operation.verb is Verb.DELETE and operation.is_sure
        found.append(replace(operation, is_sure=False) if is_delete and room <= 0 else operation)
        room -= is_delete
    return found


def by_rule(facts: Sequence[MemoryFact], *, tier: Tier = Tier.GENEROUS) -> list[Proposal]:
    """Propose without a model: of what says the same the later one goes, and what was replaced when room is short."""
    ordered = sorted(facts, key=lambda fact: (not _is_own(fact), fact.timestamp, fact.id))
    active = [fact for fact in ordered if fact.status is FactStatus.ACTIVE]
    replaced = [fact for fact in ordered if fact.status is FactStatus.INACTIVE and fact.superseded_by]
    found = [
        Proposal(verb=Verb.DELETE, id=fact.id, because=fact.superseded_by or "")
        for fact in replaced
        if tier is not Tier.GENEROUS  # there, they are kept to be looked at (SYSTEM.md J.3)
    ]
    least = RULE_SIMILARITY[tier]
    staying: dict[Scope, list[MemoryFact]] = {scope: [] for scope in Scope}
    known = {scope: Known((), threshold=least) for scope in Scope}
    for fact in active:
        alike = (staying[fact.scope][match.position] for match in known[fact.scope].matches(fact.content, least=least))
        first = next((one for one in alike if _difference(one.content, fact.content) is None), None)
        if first:
            found.append(Proposal(verb=Verb.DELETE, id=fact.id, because=first.id))
        else:
            staying[fact.scope].append(fact)
            known[fact.scope].add(fact.content)
    return found
