"""`answer` to the question where rules belong: taken as a model's would be, and the suggestions made anew by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.haiku.chat_packets import State
from memsuggest.haiku.outcomes import failure
from memsuggest.haiku.question import Purpose
from memsuggest.reports.asking import Answered, Item, Left
from memsuggest.suggestions.advice import NO_PLACE, save_advice
from memsuggest.suggestions.advising import question_about, read_placed
from memsuggest.workflows.handing_in import handed_in, next_waiting, void
from memsuggest.workflows.matching import unanswered
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.proposals import why_not_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.haiku.chat_packets import Packet
    from memsuggest.model import MemorySuggestion
    from memsuggest.suggestions.advice import Advice
    from memsuggest.workflows.asking import Chat


def answer_places(asked: Chat, packet: Packet, raw: bytes) -> Answered:
    """Take where rules belong; raises UnknownId when all of them are decided, ModelError for an answer of no use.

    What was applied since only moved the lines beside a rule: its own place is chosen all the same.
    """
    desk = asked.desk
    cases = [case for case in unanswered(desk) if case.fact.id in packet.covers]
    if not cases:
        raise void(asked, packet)

    def read(text: str) -> list[Advice]:
        advice = read_placed(text, cases, check=why_not_words)
        if json.loads(text)["placed"] and all(one.uri == NO_PLACE for one in advice):
            raise failure("wrong-packet")
        return advice

    tokens = question_about(cases, about=packet.about).tokens
    advice = handed_in(asked, packet, raw, read, purpose=Purpose.MATCHING, tokens=tokens)
    with desk.alone():
        save_advice(desk.state, desk.place.worktree_key, advice)
        asked.packets.close(packet, State.ANSWERED, now=desk.now())
        suggested = {one.fact.id: one for one in refresh_pending(desk).suggestions if one.fact}
    following = next_waiting(asked)
    return Answered(
        id=packet.id,
        about=packet.about,
        items=tuple(_item(one, suggested) for one in advice),
        is_whole=True,
        next_id=following.packet.id if following else None,
        left=following.left if following else Left(),
    )


def _item(advice: Advice, suggested: Mapping[str, MemorySuggestion]) -> Item:
    """Say what became of one choice."""
    suggestion = suggested.get(advice.fact_id)
    if suggestion is None or advice.uri == NO_PLACE:
        why = "no place was chosen out of those that were shown" if suggestion else "nothing is suggested for it now"
        return Item(content=advice.content, outcome="dropped", why=why, fact_id=advice.fact_id)
    target = suggestion.target_uri or suggestion.suggested_file_name
    return Item(content=advice.content, outcome="suggested", fact_id=advice.fact_id, target=target)
