"""The seam of all stores: facts and decisions of one place, and what was forgotten there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from memsuggest.model import QUOTE_LIMIT, Trust

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Citation, Decision, MemoryFact, Tombstone


_DIGEST = re.compile(r"[0-9a-f-]{0,64}")
WIDE = "several-repos"
"""The tag of a fact that is only proposed: the person said it in several repos, and not yet of themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything in a store at one moment; facts by id, without the forgotten ones."""

    facts: tuple[MemoryFact, ...] = ()
    decisions: tuple[Decision, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A workspace of this person."""

    key: str
    name: str
    """Of its folder."""
    repository: str
    """The same for all clones of one repository."""


class Store(Protocol):
    """Keeps facts. Every change is whole or not at all, and safe beside other processes; StoreError when it fails."""

    def contents(self) -> Contents:
        """Return everything in the store."""
        ...

    def add(self, facts: Iterable[MemoryFact]) -> None:
        """Add facts; of one that is there already only evidence is added. Adding brings a forgotten one back."""
        ...

    def update(self, facts: Iterable[MemoryFact]) -> None:
        """Change wording and status of facts that are there, and unite their evidence; others are not added."""
        ...

    def forget(self, tombstones: Iterable[Tombstone]) -> None:
        """Remove facts with their evidence and decisions, and leave tombstones."""
        ...

    def decide(self, decisions: Iterable[Decision]) -> None:
        """Remember decisions; one that is `pending` lifts what was decided before."""
        ...


def without_secrets(fact: MemoryFact) -> MemoryFact:
    """Return the fact as a store may write it: redacted once more, whatever way it came."""
    return replace(
        fact,
        content=" ".join(_safe(fact.content).split()),
        reason=" ".join(_safe(fact.reason).split()),
        tags=tuple(map(_safe, fact.tags)),
        paths=tuple(map(_safe, fact.paths)),
        source_session_id=_safe_name(fact.source_session_id),
        citations=tuple(map(_safe_citation, fact.citations)),
    )


@lru_cache(maxsize=1 << 14)
def _safe(text: str) -> str:
    from memsuggest.redact import clean, redact  # noqa: PLC0415  (reading a store needs none of it)

    return redact(clean(text)).text


def _safe_name(session: str) -> str:
    """Return the name of a session; ours are digests, in a file of others anything may stand there."""
    return session if _DIGEST.fullmatch(session) else _safe(session)


def _safe_citation(citation: Citation) -> Citation:
    quote = _safe(citation.quote)[:QUOTE_LIMIT]
    paths = tuple(map(_safe, citation.paths))
    session = _safe_name(citation.session_id) if citation.trust is Trust.SHARED else citation.session_id
    is_safe = (quote, paths, session) == (citation.quote, citation.paths, citation.session_id)
    return citation if is_safe else replace(citation, quote=quote, paths=paths, session_id=session)
