"""`answer` to the question where rules belong: taken as a model's would be, and the suggestions made anew by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.asking.chat_packets import PacketState
from memsuggest.asking.outcomes import failure
from memsuggest.asking.question import Purpose
from memsuggest.reports.ask_reports import Answered, Item, Left
from memsuggest.suggestions.ranking.model_placement import question_about, read_placed
from memsuggest.suggestions.store.placement_cache import NO_PLACE, save_advice
from memsuggest.workflows.ask.hand_in import handed_in, next_waiting, void
from memsuggest.workflows.facts.proposals import why_not_words
from memsuggest.workflows.suggest.matching import unanswered
from memsuggest.workflows.suggest.suggesting import refresh_pending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.asking.chat_packets import Packet
    from memsuggest.model import MemorySuggestion
    from memsuggest.suggestions.store.placement_cache import PlacementAdvice
    from memsuggest.workflows.ask.next_packet import Chat


def answer_places(asked: Chat, packet: Packet, raw: bytes) -> Answered:
    """Take where rules belong; raises UnknownId when all of them are decided, ModelError for an answer of no use.

    What was applied since only moved the lines beside a rule: its own place is chosen all the same.
    """
    context = asked.context
    cases = [case for case in unanswered(context) if case.fact.id in packet.covers]
    if not cases:
        raise void(asked, packet)

    def read(text: str) -> list[PlacementAdvice]:
        advice = read_placed(text, cases, check=why_not_words)
        if json.loads(text)["placed"] and all(one.uri == NO_PLACE for one in advice):
            raise failure("wrong-packet")
        return advice

    tokens = question_about(cases, about=packet.about).tokens
    advice = handed_in(asked, packet, raw, read, purpose=Purpose.MATCHING, tokens=tokens)
    with context.exclusive():
        save_advice(context.state, context.place.worktree_key, advice)
        asked.packets.close(packet, PacketState.ANSWERED, now=context.now())
        suggested = {one.fact.id: one for one in refresh_pending(context).suggestions if one.fact}
    following = next_waiting(asked)
    return Answered(
        id=packet.id,
        about=packet.about,
        items=tuple(_item(one, suggested) for one in advice),
        is_whole=True,
        next_id=following.packet.id if following else None,
        left=following.left if following else Left(),
    )


def _item(advice: PlacementAdvice, suggested: Mapping[str, MemorySuggestion]) -> Item:
    """Say what became of one choice."""
    suggestion = suggested.get(advice.fact_id)
    if suggestion is None or advice.uri == NO_PLACE:
        why = "no place was chosen out of those that were shown" if suggestion else "nothing is suggested for it now"
        return Item(content=advice.content, outcome="dropped", why=why, fact_id=advice.fact_id)
    target = suggestion.target_uri or suggestion.suggested_file_name
    return Item(content=advice.content, outcome="suggested", fact_id=advice.fact_id, target=target)
