"""Proposing for the person's own files what they say in several repos."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.across_repos import widened
from memsuggest.model import SuggestionStatus, is_maybe
from memsuggest.workflows.known_places import note_place

if TYPE_CHECKING:
    from memsuggest.workflows.context import Context


def widen(context: Context) -> int:
    """Propose what several repos agree on, withdraw what they no longer agree on; return how many are new."""
    here = note_place(context)
    places = context.profile.places()
    if len({place.repository for place in places}) < 2:
        return 0
    contents = context.profile.contents()
    found = widened(
        {key: [fact for fact in facts if not is_maybe(fact)] for key, facts in context.profile.everywhere().items()},
        here=here,
        places=places,
        decided={one.fact_id for one in contents.decisions if one.status is not SuggestionStatus.PENDING},
        forgotten={stone.fact_id for stone in contents.tombstones},
        threshold=context.settings.threshold,
    )
    context.profile.add(found.added)
    context.profile.update(found.changed)
    return len(found.added)
