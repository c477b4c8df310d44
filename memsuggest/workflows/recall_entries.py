"""Recall: what memory holds for a prompt, within a budget, with a log of what was given."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError
from memsuggest.recall.context_block import block
from memsuggest.recall.entry import Layer
from memsuggest.recall.identity_text import identity_of, identity_text
from memsuggest.recall.lookup import BUDGET, LIMIT, Wanted, look_up
from memsuggest.recall.recalled import Hit, Recalled
from memsuggest.redact import redact
from memsuggest.reports.recall_reports import LoggedHit, LoggedRecall, RecallLog, RecallReport

if TYPE_CHECKING:
    from memsuggest.workflows.context import Context

__all__ = ("BUDGET", "LIMIT", "Wanted", "at_start", "last_recalls", "recall", "report_of")

LOGGED = 500
"""Characters of a query that are kept in the log."""


def recall(context: Context, query: str, wanted: Wanted) -> RecallReport:
    """Return the entries that fit a query, best first, and note that they were recalled. Raises StoreError."""
    project = _project(context, wanted)
    hits = look_up(context.profile.entries.connection, query, wanted, project=project, now=context.now())
    recalled = Recalled(query=redact(query[:LOGGED]).text, hits=hits)
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


def _project(context: Context, wanted: Wanted) -> str | None:
    """Return the key of the project that is searched; None for all of them. Raises ConfigError."""
    if wanted.project == "all":
        return None
    if wanted.project is None:
        return context.place.key
    places = [place for place in context.profile.places() if wanted.project in (place.key, place.name)]
    if len(places) == 1:
        return places[0].key
    known = ", ".join(sorted({place.name for place in context.profile.places()})) or "none yet"
    raise ConfigError(f"no single project is called `{wanted.project}`", hint=f"`all`, or one of: {known}")
