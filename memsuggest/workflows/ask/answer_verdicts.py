"""`answer` to the question what becomes of rules: taken as a model's would be, and the suggestions made anew by it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.asking.chat_packets import PacketState
from memsuggest.asking.question import Purpose
from memsuggest.judging.cases import question_about
from memsuggest.judging.verdict import Becomes
from memsuggest.judging.verdict_reply import read_verdicts
from memsuggest.reports.ask_reports import Answered, Item, Left
from memsuggest.workflows.ask.hand_in import handed_in, next_waiting, void
from memsuggest.workflows.suggest.judge_rules import Judged, take_verdicts, unjudged, why_not_words
from memsuggest.workflows.suggest.suggesting import refresh_pending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.asking.chat_packets import Packet
    from memsuggest.judging.verdict import Verdict
    from memsuggest.model import MemorySuggestion
    from memsuggest.workflows.ask.next_packet import Chat

_WHY: Mapping[Becomes, str] = {
    Becomes.SAID: "a line says it already",
    Becomes.JOINS: "it went into a fact that says the same",
    Becomes.NOWHERE: "it is no rule for a file",
}


def answer_verdicts(asked: Chat, packet: Packet, raw: bytes) -> Answered:
    """Take what becomes of rules; raises UnknownId when all of them are decided, ModelError for an answer of no use.

    A line that was applied or changed since has another name: only the rule that names it falls back.
    """
    context = asked.context
    cases = [case for case in unjudged(context) if case.fact.id in packet.covers]
    if not cases:
        raise void(asked, packet)
    read = partial(read_verdicts, cases=cases, check=why_not_words)
    tokens = question_about(cases, about=packet.about).tokens
    verdicts = handed_in(asked, packet, raw, read, purpose=Purpose.VERDICTS, tokens=tokens)
    with context.exclusive():
        take_verdicts(context, verdicts, cases, Judged())
        asked.packets.close(packet, PacketState.ANSWERED, now=context.now())
        suggested = {one.fact.id: one for one in refresh_pending(context).suggestions if one.fact}
    following = next_waiting(asked)
    contents = {case.fact.id: case.fact.content for case in cases}
    return Answered(
        id=packet.id,
        about=packet.about,
        items=tuple(_item(one, contents[one.fact_id], suggested) for one in verdicts),
        is_whole=True,
        next_id=following.packet.id if following else None,
        left=following.left if following else Left(),
    )


def _item(verdict: Verdict, content: str, suggested: Mapping[str, MemorySuggestion]) -> Item:
    """Say what became of one rule."""
    if verdict.becomes is Becomes.UNUSABLE:
        return Item(content=content, outcome="dropped", why=verdict.why, fact_id=verdict.fact_id)
    suggestion = suggested.get(verdict.fact_id)
    if suggestion is None:
        why = _WHY.get(verdict.becomes, "nothing is suggested for it now")
        return Item(content=content, outcome="known", why=why, fact_id=verdict.fact_id)
    target = suggestion.target_uri or suggestion.suggested_file_name
    content = verdict.content or content
    return Item(content=content, outcome="suggested", fact_id=verdict.fact_id, target=target)
