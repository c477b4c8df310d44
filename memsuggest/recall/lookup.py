"""Looking up what fits a prompt: what is wanted, whose entries are searched, and how much of it is told.

Loads little: an assistant's hook waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.recall.context_block import within_budget
from memsuggest.recall.entry import EVERYWHERE, Layer
from memsuggest.recall.entry_search import Filters, latest, search
from memsuggest.recall.index_terms import CHARS_LIMIT
from memsuggest.recall.moments import days_named
from memsuggest.recall.scopes import RecallScope, asks_of_past, scope_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memsuggest.recall.recalled import Hit

LIMIT = 8
"""Entries that are found at most, unless told otherwise."""
BUDGET = 2_000
"""Characters of a context block, unless told otherwise."""
STRONG = 0.5
"""The fit from which something of the archive is found by one who did not ask for it."""
ASKED = 0.2
"""The same, where the words are of the past, or a question is asked by hand."""
BY_HAND = 0.03
"""The same, where nothing else answers a question by hand: a weak answer is better than none."""
HOOK_FIT = 0.3
"""The fit from which an entry is given to an assistant that did not ask for it."""
_OTHER_SCOPE = 0.85
"""What the words of a query leave of an entry that is not the person's, or not the project's, as they would have it."""


class Wanted(NamedTuple):
    """The wish of a recall."""

    layer: Layer | None = None
    """None: knowledge, of the archive what fits very well, and the identity, unless a session began with it."""
    project: str | None = None
    """Another workspace's name or key, or `all`; None for this one."""
    scope: RecallScope = RecallScope.AUTO
    tags: Sequence[str] = ()
    since: int | None = None
    limit: int = LIMIT
    budget: int = BUDGET
    least_fit: float = 0.0
    """For one who did not ask: nothing that fits less is worth a look."""
    via: str = "command"
    """Where the prompt came from: `command`, `hook` or `mcp`."""
    session: str = ""


def look_up(
    connection: sqlite3.Connection, query: str, wanted: Wanted, *, project: str | None, now: int
) -> tuple[Hit, ...]:
    """Return the entries that fit a query, best first; to a command without words, the last changed that are wanted.

    `project` is a workspace's key, None for all. Raises StoreError.
    """
    query = query if len(query) <= CHARS_LIMIT else query[: CHARS_LIMIT // 2] + "\n" + query[-CHARS_LIMIT // 2 :]
    fitting = {}
    told: set[str] = set()
    if query.strip():
        found = _of_days(connection, query, wanted, project=project, now=now)
        found += _found(connection, query, wanted, project=project, now=now)
    elif wanted.via == "command":
        found = latest(connection, _filters(wanted, wanted.scope, project=project), limit=wanted.limit)
    else:
        return ()
    for hit in found:
        words = hit.entry.content.casefold().rstrip(".")  # an entry that a fact was made of meanwhile says the same
        if hit.fit >= wanted.least_fit and words not in told:
            fitting[id(hit.entry)] = hit
            told.add(words)
    taken = within_budget([hit.entry for hit in fitting.values()], wanted.budget)
    return tuple(fitting[id(entry)] for entry in taken)[: wanted.limit]


def _of_days(connection: sqlite3.Connection, query: str, wanted: Wanted, *, project: str | None, now: int) -> list[Hit]:
    """Return what was done on the days that a question about the past names, the last first; else nothing."""
    is_asked = wanted.via != "hook" and wanted.layer in (None, Layer.ARCHIVE) and asks_of_past(query)
    days = days_named(query, now=now) if is_asked else None
    if days is None:
        return []
    begin, end = days
    filters = _filters(wanted, wanted.scope, project=project)
    filters = filters._replace(layers=(Layer.ARCHIVE,), since=max(begin, wanted.since or 0), until=end)
    return latest(connection, filters, limit=wanted.limit)


def _found(connection: sqlite3.Connection, query: str, wanted: Wanted, *, project: str | None, now: int) -> list[Hit]:
    """Return what fits; the scope that the words tell only decides what comes first: "how do I deploy" is ours, too."""
    if wanted.scope is not RecallScope.AUTO:
        return _search(connection, query, wanted, wanted.scope, project=project, now=now)
    scope = scope_of(query)
    found = _search(connection, query, wanted, RecallScope.ALL, project=project, now=now)
    if scope is RecallScope.ALL:
        return found
    wants_own = scope is RecallScope.USER
    lifted = [
        hit if (hit.entry.project == EVERYWHERE) is wants_own else hit._replace(score=hit.score * _OTHER_SCOPE)
        for hit in found
    ]
    return sorted(lifted, key=lambda hit: (-hit.score, hit.entry.id))


def _search(
    connection: sqlite3.Connection,
    query: str,
    wanted: Wanted,
    scope: RecallScope,
    *,
    project: str | None,
    now: int,
) -> list[Hit]:
    hits = search(connection, query, _filters(wanted, scope, project=project), now=now)
    least = _least_of_archive(query, wanted, hits)
    return [hit for hit in hits if hit.entry.layer is not Layer.ARCHIVE or hit.fit >= least]


def _filters(wanted: Wanted, scope: RecallScope, *, project: str | None) -> Filters:
    usual = (Layer.KNOWLEDGE, Layer.ARCHIVE) if wanted.via == "hook" else tuple(Layer)
    return Filters(
        layers=(wanted.layer,) if wanted.layer else usual,
        project=EVERYWHERE if scope is RecallScope.USER and project is not None else project,
        with_own=scope is not RecallScope.WORKSPACE,
        tags=wanted.tags,
        since=wanted.since,
    )


def _least_of_archive(query: str, wanted: Wanted, hits: Sequence[Hit]) -> float:
    """Return the fit from which something of the archive is told: it is asked for by name, by the words, or not.

    Whoever asks by hand wants an answer: where knowledge has none, what was done may hold it, however weakly it fits.
    """
    if wanted.layer is Layer.ARCHIVE:
        return 0.0
    is_answered = any(hit.entry.layer is Layer.KNOWLEDGE and hit.fit >= HOOK_FIT for hit in hits)
    if wanted.via == "command":
        return ASKED if is_answered else BY_HAND
    return ASKED if asks_of_past(query) else STRONG
