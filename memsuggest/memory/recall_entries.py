"""Recall: what memory holds for a prompt, within a budget, with a log of what was given."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, MemsuggestError
from memsuggest.core.redact import redact
from memsuggest.graphiti.graph_block import GraphRecalled, graph_block
from memsuggest.graphiti.graph_recall import ask_graph
from memsuggest.graphiti.permission import groups_of, is_on, require
from memsuggest.memory.context_block import Hit, block, identity_of, identity_text
from memsuggest.memory.entry import Layer
from memsuggest.memory.entry_search import Near
from memsuggest.memory.index_terms import CHARS_LIMIT, query_words, searched_part
from memsuggest.memory.lookup import BUDGET, LIMIT, Wanted, filters_of, look_up
from memsuggest.memory.recall_reports import LoggedHit, LoggedRecall, RecallLog, RecallReport

__all__ = ("BUDGET", "LIMIT", "Wanted", "at_start", "last_recalls", "recall", "recall_from_graph")

LOGGED = 500  # characters of a query that are kept in the log


def recall(context: Context, query: str, wanted: Wanted, *, is_explained: bool = False) -> RecallReport:
    """Return the entries that fit a query, best first, and note that they were recalled, unless memory is off.

    Where that is switched on, the graph is asked meanwhile; our own memory answers in any case. Raises StoreError.
    """
    project = _project(context, wanted)
    if query and not query.strip():
        raise ConfigError("the query is empty", hint="run `memsuggest recall WORDS`, or `memsuggest memory list`")
    is_of_ours_alone = wanted.layer or wanted.project or wanted.tags or wanted.since
    asks_graph = is_on(context, "recall") and not is_of_ours_alone and not context.is_dry
    answer = _ask(context, query, wanted) if asks_graph else None
    near: list[Near] = []
    notes = []
    if context.settings.text("meaning") != "off" and query.strip():
        from memsuggest.memory.meaning import embedder_of, nearest

        try:
            if embedder := embedder_of(context.settings):
                filters = filters_of(wanted, project)
                near = nearest(context.profile.entries.connection, embedder, searched_part(query), filters)
        except MemsuggestError as error:
            notes.append(f"{error.message} ({error.hint})" if error.hint else error.message)
    store = context.profile.entries
    hits = look_up(store.connection, query, wanted, project=project, now=context.now(), near=near)
    if (hits or wanted.via == "command") and context.settings.mode is not Mode.OFF:
        asked = redact(query[:LOGGED]).text
        store.note_recall(asked, hits, at=context.now(), via=wanted.via, session=wanted.session)
    if len(query) > CHARS_LIMIT:
        notes.insert(0, f"the query is long, so only its first and last {CHARS_LIMIT // 2:,} characters were used")
    elif query.strip() and not query_words(query):
        notes.insert(0, "the query contains no searchable words")
    found = _report(context, query, wanted, hits, graph=answer() if answer else None, is_explained=is_explained)
    return replace(found, note="; ".join(notes))


def recall_from_graph(context: Context, query: str, wanted: Wanted, *, is_explained: bool = False) -> RecallReport:
    """Return what the Graphiti server alone knows; where it may not or cannot be asked, nothing, and why."""
    graph = _ask(context, query, wanted)()
    return _report(context, query, wanted, (), graph=graph, is_explained=is_explained)


def _ask(context: Context, query: str, wanted: Wanted) -> Callable[[], GraphRecalled]:
    """Begin to ask the graph; return what gives its answer, or why there is none."""
    try:
        require(context, "recall")
        groups = groups_of(context)
        return ask_graph(context, query, groups=groups, session=wanted.session, scope=wanted.scope)
    except MemsuggestError as error:
        why = error.message
        return lambda: GraphRecalled(why=why)


def _report(
    context: Context,
    query: str,
    wanted: Wanted,
    hits: tuple[Hit, ...],
    *,
    graph: GraphRecalled | None,
    is_explained: bool,
) -> RecallReport:
    names = {place.key: place.name for place in context.profile.places()}
    nonce = secrets.token_hex(4)
    text = block(hits, nonce=nonce, names=names, here=context.place.key) if hits else ""
    return RecallReport(
        query=redact(query[:LOGGED]).text,
        layer=wanted.layer,
        hits=hits,
        block=text + (graph_block(graph.facts, nonce=nonce) if graph else ""),
        graph=graph,
        is_explained=is_explained,
    )


def at_start(context: Context, *, budget: int = BUDGET) -> RecallReport:
    """Return what every session begins with: the identity, and as much of it as fits as a block, which may be empty."""
    own = identity_of(context.profile.entries.entries(layers=(Layer.IDENTITY,)))
    hits = tuple(Hit(entry=entry, score=1.0) for entry in own)
    nonce = secrets.token_hex(4)
    while own and len(block((), nonce=nonce, identity=identity_text(own))) > budget:
        own = own[:-1]
    text = block((), nonce=nonce, identity=identity_text(own)) if own else ""
    return RecallReport(query="", layer=Layer.IDENTITY, hits=hits, block=text)


def last_recalls(context: Context, limit: int) -> RecallLog:
    """Return the latest recalls of this workspace, with those of their entries that are still there."""
    store = context.profile.entries
    entries = {entry.id: entry for entry in store.entries(everywhere=True)}
    recalls = []
    for row in store.recalls(limit):
        hits: list[LoggedHit] = []
        with suppress(ValueError, TypeError, KeyError):  # what no program of ours has written
            logged = [(str(hit["id"]), float(hit["score"])) for hit in json.loads(row["hits"])]
            hits = [LoggedHit(id=name, score=score, entry=entries.get(name)) for name, score in logged]
        recalls.append(LoggedRecall(at=row["at"], via=row["via"], query=row["query"], hits=hits))
    return RecallLog(recalls=recalls)


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
    raise ConfigError(f"`{wanted.project}` does not match exactly one project", hint=f"use `all`, or one of: {known}")
