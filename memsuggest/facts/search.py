"""Searching facts by whatever a person may type: the words of memory's index, in any form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.index_terms import document_terms, query_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.model import MemoryFact


def search_among(facts: Sequence[MemoryFact], query: str, *, limit: int = 50) -> list[MemoryFact]:
    """Return the facts that have all words of a query, or else some, best first: its own words count most.

    What has no words (a sign, an emoji) is looked for as it stands.
    """
    words = query_words(query)
    found: list[tuple[int, float, MemoryFact]] = []
    for fact in facts:
        texts = (
            fact.content,
            " ".join((fact.reason, *fact.tags)),
            " ".join(citation.quote for citation in fact.citations),
        )
        terms = [set(document_terms(text)) for text in texts]
        weights = [
            max(4.0 * bool(word.forms & terms[0]), 2.0 * bool(word.forms & terms[1]), 1.0 * bool(word.forms & terms[2]))
            for word in words
        ]
        if any(weights):
            found.append((sum(map(bool, weights)), sum(weights), fact))
    most = max((count for count, _, _ in found), default=0)
    if most == len(words):
        found = [one for one in found if one[0] == most]
    wanted = " ".join(query.casefold().split())
    ranked = [fact for _, _, fact in sorted(found, key=lambda one: -one[1])]
    return (ranked or [fact for fact in facts if wanted and wanted in fact.content.casefold()])[:limit]
