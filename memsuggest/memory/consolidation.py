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
from memsuggest.memory.contradictions import last_said
from memsuggest.memory.wording_checks import may_be_the_same, why_no_wording, why_not_whole
from memsuggest.model import FactStatus, MemoryFact, Skipped, Trust
from memsuggest.text.likeness import keys_of, likeness, opposed, same_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    WordsCheck = Callable[[str, Sequence[str]], str]
    """Says why words may not be remembered, given all that they rest on; nothing when they may."""

MOST_DELETED = 0.2
"""Share of the facts that may go in one run without a look at each."""
FEW = 3
"""Deletes on loose grounds that one answer may always ask a person about; beyond, it is that share again."""
NOT_REWORDED = "it was to be merged into a new wording, and there is none"
LIKE = 0.4
"""Likeness below which two facts share too little for code to compare them."""
WORDING_LIMIT = 200
"""Characters of a new wording."""
_NAMED = 80
_OWN = {Trust.TYPED, Trust.CONFIRMED}


class Verb(StrEnum):
    """The operations on a fact that is there."""

    KEEP = "keep"
    UPDATE = "update"
    DELETE = "delete"


_VERBS = {verb.value: verb for verb in Verb} | {"add": Verb.KEEP, "skip": Verb.DELETE}
"""What is said of a fact, and of one that is new: it is stored already, so adding it is keeping it."""


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
    needs_update: bool = False
    """The other fact says it only in the new wording that it gets in the same go."""


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
    hearing = _Hearing(
        shown=shown,
        applied=applied,
        check=check,
        reworded=_reworded(proposals, shown),
        are_loose_heard=_loose_deletes(proposals, shown) <= max(FEW, int(len(shown) * MOST_DELETED)),
    )
    found: dict[str, Operation] = {}
    refused: list[Skipped] = []
    for proposal in _deletes_first(proposals):
        operation = hearing.judged(proposal, found)
        if isinstance(operation, str):
            refused.append(Skipped(what=_named(proposal, shown), why=operation))
        elif operation.verb is not Verb.KEEP:
            found[operation.fact.id] = operation
    done, lost = _with_updates(found)
    refused += [Skipped(what=f"{one.verb} “{one.fact.content[:_NAMED]}”", why=NOT_REWORDED) for one in lost]
    return _within_share(done, len(shown)), refused


def _reworded(proposals: Sequence[Proposal], shown: Mapping[str, MemoryFact]) -> frozenset[str]:
    """Return the ids of facts that are to get another wording: what goes for their sake is judged by that wording."""
    updates = ((shown.get(one.id), one.content) for one in proposals if verb_of(one) is Verb.UPDATE)
    return frozenset(fact.id for fact, words in updates if fact and normalised(words) != normalised(fact.content))


def _loose_deletes(proposals: Sequence[Proposal], shown: Mapping[str, MemoryFact]) -> int:
    """Count the deletes that code can hardly compare with their reasons; many of them are no honest answer."""
    deletes = [one for one in proposals if verb_of(one) is Verb.DELETE and {one.id, one.because} <= shown.keys()]
    return sum(likeness(shown[one.id].content, shown[one.because].content) < LIKE for one in deletes)


def _with_updates(found: Mapping[str, Operation]) -> tuple[list[Operation], list[Operation]]:
    """Return the operations, and the deletes that fall since the fact that was to say it keeps its wording.

    A merge is as sure as its new wording is.
    """
    done: list[Operation] = []
    lost: list[Operation] = []
    for one in found.values():
        update = found.get(one.because.id) if one.needs_update and one.because else None
        if one.needs_update and (update is None or why_not_whole(update.content, one.fact)):
            lost.append(one)
        else:
            done.append(replace(one, is_sure=update.is_sure) if update else one)
    return sorted(done, key=lambda one: one.verb is not Verb.UPDATE), lost  # a wording before what goes into it


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
    """The facts that proposals are held against."""

    shown: Mapping[str, MemoryFact]
    applied: Collection[str]
    check: WordsCheck
    reworded: Collection[str]
    are_loose_heard: bool

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
        if is_own(fact) and not is_own(because):
            return "a person said it, and nobody said the other one"
        operation = Operation(verb=Verb.DELETE, fact=fact, because=because)
        if fact.superseded_by == because.id:
            return replace(operation, why="replaced by", is_replacement=True)
        judged = _contradicted(operation, because)
        if judged is None and because.id in self.reworded:
            return replace(operation, why="goes into the new wording of", needs_update=True)
        is_loose = likeness(fact.content, because.content) < LIKE
        if judged is None and is_loose and not self.are_loose_heard:
            return "too many facts are to go for others that hardly share a word with them"
        return judged or _merged(operation, because)

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
        merged = [one.fact for one in found.values() if one.because is fact and one.needs_update]
        whole = [fact, *(one for one in merged if not why_not_whole(content, one))]
        sources = [text for one in whole for text in (one.content, *(cited.quote for cited in one.citations))]
        why = why_no_wording(content, whole, sources) or self.check(content, sources)
        if why:
            return f"the new wording will not do: {why}"
        is_sure = all(same_words(content, one.content) for one in whole)
        said = "merged from several" if len(whole) > 1 else "the same in other words"
        return Operation(verb=Verb.UPDATE, fact=fact, content=content, why=said, is_sure=is_sure)


def _contradicted(operation: Operation, because: MemoryFact) -> Operation | str | None:
    """Judge a delete whose reason cannot hold beside the fact; None when both can."""
    if not opposed(because.content, operation.fact.content):
        return None
    if not is_own(because) or last_said(because) <= last_said(operation.fact):
        return "they contradict each other, and the other one is not what the person said last"
    return replace(operation, why="said since, against it:", is_sure=False, is_replacement=True)


def _merged(operation: Operation, because: MemoryFact) -> Operation | str:
    """Judge a delete whose reason is said to say the same, or to say what holds by now."""
    fact = operation.fact
    if same_words(fact.content, because.content):
        return replace(operation, why="says the same as")
    if may_be_the_same(fact.content, because.content):
        return replace(operation, why="may say the same as", is_sure=False)
    is_later = is_own(because) and last_said(because) > last_said(fact)
    if is_later and keys_of(fact.content) & keys_of(because.content):
        return replace(operation, why="may be replaced by", is_sure=False, is_replacement=True)
    return "the other fact does not say the same"


def is_own(fact: MemoryFact) -> bool:
    """Tell whether a person typed or confirmed it."""
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
