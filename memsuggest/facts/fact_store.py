"""Facts and decisions of one store, and what was forgotten there, as values without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import QUOTE_LIMIT, Citation, Decision, MemoryFact, Tombstone, Trust

_DIGEST = re.compile(r"[0-9a-f-]{0,64}")


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
    name: str  # of its folder
    repository: str  # the same for all clones of one repository


def without_secrets(fact: MemoryFact) -> MemoryFact:
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
    from memsuggest.core.redact import clean, redact

    return redact(clean(text)).text


def _safe_name(session: str) -> str:
    return session if _DIGEST.fullmatch(session) else _safe(session)


def _safe_citation(citation: Citation) -> Citation:
    quote, paths = _safe(citation.quote)[:QUOTE_LIMIT], tuple(map(_safe, citation.paths))
    session = _safe_name(citation.session_id) if citation.trust is Trust.SHARED else citation.session_id
    is_safe = (quote, paths, session) == (citation.quote, citation.paths, citation.session_id)
    return citation if is_safe else replace(citation, quote=quote, paths=paths, session_id=session)


def checked_words(text: str) -> str:
    """Return the words as one clean line, without clauses that hold a secret.

    Raises MemsuggestError for what may not be remembered.
    """
    from memsuggest.core.redact import clean, hidden_characters, redact, without_redacted

    if hidden_characters(text):
        raise MemsuggestError("the text contains invisible characters", hint="retype it")
    content = " ".join(clean(redact(text).text).split())
    if not content:
        raise MemsuggestError("the text contains no words", hint="enter a rule such as `use pnpm, not npm`")
    remains = without_redacted(content)
    if not remains:
        hint = "rephrase the text without secrets or personal data"
        raise MemsuggestError(f"nothing is left after redacting secrets and personal data: {content}", hint=hint)
    return remains
