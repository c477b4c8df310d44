"""Recall: what memory holds for a prompt, within a budget, with a log of what was given."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError
from memsuggest.recall.context_block import block, within_budget
from memsuggest.recall.entry import Layer
from memsuggest.recall.entry_search import Filters, search
from memsuggest.recall.identity_text import identity_of, identity_text
from memsuggest.recall.recalled import Hit, Recalled
from memsuggest.recall.scopes import RecallScope, scope_of
from memsuggest.redact import redact
from memsuggest.reports.recall_reports import LoggedHit, LoggedRecall, RecallLog, RecallReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.workflows.context import Context

LIMIT = 8
"""Entries that are found at most, unless told otherwise."""
BUDGET = 2_000
"""Characters of a context block, unless told otherwise."""
STRONG = 0.5
"""The fit from which something of the archive is found by one who did not ask for it."""
_LOGGED = 500
"""Characters of a query that are kept in the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a recall is to find."""

    layer: Layer | None = None
    """None: knowledge, and of the archive what fits very well."""
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


def recall(context: Context, query: str, wanted: Wanted) -> RecallReport:
    """Return the entries that fit a query, best first, and note that they were recalled. Raises StoreError."""
    hits = _found(context, query, wanted)
    fitting = {id(hit.entry): hit for hit in hits if hit.fit >= wanted.least_fit}
    taken = within_budget([hit.entry for hit in fitting.values()], wanted.budget)
    recalled = Recalled(
        query=redact(query[:_LOGGED]).text, hits=tuple(fitting[id(entry)] for entry in taken)[: wanted.limit]
    )
    if recalled.hits or wanted.via == "command":
        context.profile.entries.note_recall(recalled, at=context.now(), via=wanted.via, session=wanted.session)
    return report_of(recalled, layer=wanted.layer)


def report_of(recalled: Recalled, *, layer: Layer | None) -> RecallReport:
    """Return what was found, with its context block."""
    entries = [hit.entry for hit in recalled.hits]
    text = block(entries, nonce=secrets.token_hex(4)) if entries else ""
    return RecallReport(query=recalled.query, layer=layer, hits=recalled.hits, block=text)


def at_start(context: Context, *, budget: int = BUDGET) -> RecallReport:
    """Return what every session begins with: the identity, as a block; empty where there is none."""
    own = identity_of(context.profile.entries.entries(layers=(Layer.IDENTITY,)))
    text = block((), nonce=secrets.token_hex(4), identity=identity_text(own)) if own else ""
    hits = tuple(Hit(entry=entry, score=1.0, fit=1.0) for entry in own)
    return RecallReport(query="", layer=Layer.IDENTITY, hits=hits, block=text if len(text) <= budget else "")


def last_recalls(context: Context, limit: int) -> RecallLog:
    """Return the latest recalls of this workspace, with those of their entries that are still there."""
    store = context.profile.entries
    entries = {entry.id: entry for entry in store.entries(everywhere=True)}
    rows = [
        LoggedRecall(
            at=row["at"],
            via=row["via"],
            query=row["query"],
            hits=[
                LoggedHit(id=hit["id"], score=hit["score"], entry=entries.get(hit["id"]))
                for hit in json.loads(row["hits"])
            ],
        )
        for row in store.recalls(limit)
    ]
    return RecallLog(recalls=rows)


def _found(context: Context, query: str, wanted: Wanted) -> list[Hit]:
    scope = scope_of(query) if wanted.scope is RecallScope.AUTO else wanted.scope
    found = _search(context, query, wanted, scope)
    if not found and wanted.scope is RecallScope.AUTO and scope is not RecallScope.ALL:
        found = _search(context, query, wanted, RecallScope.ALL)  # the words were no sure sign
    return found


def _search(context: Context, query: str, wanted: Wanted, scope: RecallScope) -> list[Hit]:
    layers = (wanted.layer,) if wanted.layer else (Layer.KNOWLEDGE, Layer.ARCHIVE)
    filters = Filters(
        layers=layers,
        project=_project(context, wanted.project, scope),
        with_own=scope is not RecallScope.WORKSPACE or wanted.scope is RecallScope.AUTO,
        tags=wanted.tags,
        since=wanted.since,
    )
    hits = search(context.profile.entries.connection, query, filters, now=context.now())
    return [hit for hit in hits if wanted.layer or hit.entry.layer is Layer.KNOWLEDGE or hit.fit >= STRONG]


def _project(context: Context, name: str | None, scope: RecallScope) -> str | None:
    """Return the key of the project that is searched; None for all of them. Raises ConfigError."""
    if name == "all":
        return None
    if scope is RecallScope.USER:
        return ""
    if name is None:
        return context.place.key
    places = [place for place in context.profile.places() if name in (place.key, place.name)]
    if len(places) == 1:
        return places[0].key
    known = ", ".join(sorted({place.name for place in context.profile.places()})) or "none yet"
    raise ConfigError(f"no single project is called `{name}`", hint=f"`all`, or one of: {known}")
