"""Maybes: what the person said that could be a rule, kept aside with its quote until there is more to it. Pure.

They are in the profile alone. One becomes a suggestion when the person or a model agrees, or when it is said outright.
That it is said again only moves it up in their list: a question that is asked in forty chats is no rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.identity import normalised
from memsuggest.model import FactStatus, Scope, is_maybe

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memsuggest.model import Citation, MemoryFact

MOST = 300
"""How many are kept of a workspace, and of the person; beyond, the oldest that were said once go without a word."""


def sessions_of(citations: Iterable[Citation]) -> set[str]:
    """Return the sessions; the same words of the same moment in two of them are a copy, and count once."""
    first: dict[tuple[object, str], str] = {}
    found: set[str] = set()
    for citation in citations:
        moment = (citation.at or citation.session_id, normalised(citation.quote))
        found.add(first.setdefault(moment, citation.session_id))
    return found


def times_said(fact: MemoryFact) -> int:
    """Return how often it was said, in one session or in several."""
    return len({(citation.session_id, citation.turn) for citation in fact.citations})


def said_last(fact: MemoryFact) -> int:
    """Return when it was said last, in milliseconds."""
    return max(
        (int(citation.at.timestamp() * 1000) for citation in fact.citations if citation.at), default=fact.timestamp
    )


def most_repeated_first(maybes: Iterable[MemoryFact]) -> list[MemoryFact]:
    """Sort for the person: what was said most often first, of those the newest."""
    return sorted(maybes, key=lambda fact: (-times_said(fact), -said_last(fact), fact.id))


def too_many(facts: Iterable[MemoryFact], *, dismissed: Collection[str]) -> list[MemoryFact]:
    """Return the maybes beyond the bound of their scope; dismissed ones stay, so that they do not come back."""
    found: list[MemoryFact] = []
    maybes = [fact for fact in facts if is_maybe(fact) and fact.id not in dismissed]
    for scope in Scope:
        of_scope = [fact for fact in maybes if fact.scope is scope]
        found += sorted(of_scope, key=_worth_keeping, reverse=True)[MOST:]
    return found


def _worth_keeping(fact: MemoryFact) -> tuple[bool, bool, int, str]:
    return (fact.status is FactStatus.ACTIVE, times_said(fact) > 1, said_last(fact), fact.id)
