"""Proposals what is to be done with the facts: by a model, where one may be asked, or by our own rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.asking.prompts import load_prompt
from memsuggest.config import AUTO, OFFLINE
from memsuggest.errors import ConsentError, ModelError
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.safety import refused, weakens_safety
from memsuggest.identity import hash_of
from memsuggest.memory.consolidation import disposed, verb_of
from memsuggest.memory.proposing import (
    FactMarks,
    by_rule,
    consolidation_question,
    name_of,
    read_operations,
    written_operations,
)
from memsuggest.model import SuggestionStatus
from memsuggest.redact import clean, redact
from memsuggest.workflows.ask.engine_choice import chosen_engine, is_ready, require_consent
from memsuggest.workflows.ask.model_access import Hand, as_request, asker_at
from memsuggest.workflows.facts.stores import all_decisions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.asking.ask_model import Asker
    from memsuggest.memory.consolidation import Operation, Proposal
    from memsuggest.memory.proposing import Tier
    from memsuggest.model import MemoryFact, Skipped
    from memsuggest.reports.learning_reports import Request
    from memsuggest.workflows.context import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The proposals, who made them, and why not a model."""

    operations: Sequence[Operation]
    refused: Sequence[Skipped] = ()
    engine: str = OFFLINE
    why: str = ""
    is_failed: bool = False
    """A model was to be asked, and could not be."""
    requests: tuple[Request, ...] = ()
    """With a dry context: what would be sent."""


def hear(context: Context, hand: Hand, facts: Sequence[MemoryFact], tier: Tier) -> Heard:
    """Return what may be done to the facts, checked, whoever proposes it; nothing is changed."""
    why = _why_not_asked(context, hand)
    if not facts or why:
        return _by_rule(facts, tier, why=why if facts else "")
    try:
        engine = chosen_engine(context, hand)
        with asker_at(context, hand, engine=engine) as asker:
            return _by_model(context, asker, facts, tier, engine=engine)
    except (ModelError, ConsentError) as error:
        return replace(_by_rule(facts, tier, why=error.message), is_failed=True)


def _why_not_asked(context: Context, hand: Hand) -> str:
    """Say why no model is to be asked; nothing when one is."""
    engine = context.settings.engine
    if hand.replay is not None or engine not in (AUTO, OFFLINE):
        return ""
    if engine == OFFLINE:
        return "the engine is `offline`"
    if chosen_engine(context, hand) != OFFLINE:
        return ""
    ready = next((one for one in context.settings.texts("engineOrder") if is_ready(context, one)), None)
    if ready is None:
        return "no key is set for a model, and no program that could be asked is here"
    try:
        require_consent(context, ready, hand)
    except ConsentError as error:
        return error.message
    return ""


def _by_rule(facts: Sequence[MemoryFact], tier: Tier, *, why: str) -> Heard:
    operations, _ = disposed(by_rule(facts, tier=tier), {fact.id: fact for fact in facts})
    return Heard(operations=operations, why=why)


def _by_model(context: Context, asker: Asker, facts: Sequence[MemoryFact], tier: Tier, *, engine: str) -> Heard:
    """Ask what to do, or take the answer that was paid for when the facts are the same as then."""
    shown = {name_of(fact): fact for fact in facts}
    applied = applied_ids(context)
    answers = asker.answers(_family())
    covers = frozenset((*shown, f"room {tier.value}"))
    held = next((answer.text for answer in reversed(answers) if answer.covers == covers), None)
    seen = frozenset(name for answer in answers for name in answer.covers)
    question = consolidation_question(
        facts, tier=tier, marks=FactMarks(applied=applied, seen=seen), about=str(context.root)
    )
    if held is None and context.is_dry and asker.replay is None:
        requests = (as_request(context, question, engine=engine),)
        return replace(_by_rule(facts, tier, why="a dry run asks nobody"), requests=requests)

    def sifted(found: Sequence[Proposal]) -> str:
        operations, _ = disposed(found, shown, applied=applied, check=why_not_words)
        done = {(operation.verb, operation.fact.id) for operation in operations}
        return written_operations(one for one in found if one.id in shown and (verb_of(one), shown[one.id].id) in done)

    proposals = (
        read_operations(held)
        if held is not None
        else asker.ask(question, read_operations, family=_family(), covers=covers, sift=sifted)
    )
    operations, not_done = disposed(proposals, shown, applied=applied, check=why_not_words)
    return Heard(operations=operations, refused=not_done, engine=engine)


def _family() -> str:
    return hash_of("consolidation", str(load_prompt("consolidation").version))


def applied_ids(context: Context) -> frozenset[str]:
    """Return the ids of facts that stand in a customization file by now."""
    return frozenset(one.fact_id for one in all_decisions(context) if one.status is SuggestionStatus.APPLIED)


def why_not_words(content: str, sources: Sequence[str]) -> str:
    """Say why a model's words may not be remembered, given what they rest on; nothing when they may."""
    if redact(clean(content)).text != content:
        return "it has a secret, personal data or characters that nobody sees"
    if not derives_from_quotes(content, sources):
        return "it has a number, name, path or command that nobody said"
    return refused(content) or weakens_safety(content)
