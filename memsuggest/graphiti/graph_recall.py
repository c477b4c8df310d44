"""Asking the graph beside a look into our own memory: each scope at once, within a time, and without it if need be.

Whether it may be asked is settled before anything starts. What has not answered in time is left to end by itself.
"""

from __future__ import annotations

import secrets
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.core.config import load_settings
from memsuggest.core.context import Context
from memsuggest.core.database import open_to_read
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.workspace import Folders, Machine, Workspace
from memsuggest.graphiti.graph_facts import GraphRecalled, graph_block, scopes_to_ask, united
from memsuggest.graphiti.permission import connected, is_on, require
from memsuggest.graphiti.profile_tables import SCOPES, SESSION, Groups, RecallScope, known_groups, session_group

if TYPE_CHECKING:
    from memsuggest.core.hook_payloads import Payload
    from memsuggest.graphiti.client import Fact, GraphitiClient

QUERY_LIMIT = 1_000
"""Characters of a query that leave."""
_SHARE = 0.9
"""Of the time that a prompt waits in all; the rest is for what is made of the answers."""


class GraphQuestion:
    """A query that is on its way to the graph."""

    def __init__(self, context: Context, query: str, groups: dict[str, str], *, seconds: float) -> None:
        self._context = context
        self._query = query
        self._groups = groups
        self._begun = time.monotonic()
        self._ends = self._begun + seconds
        self._answers: dict[str, tuple[Fact, ...]] = {}
        self._failures: dict[str, str] = {}
        self._master = threading.Thread(target=self._ask_all, daemon=True, name="graphiti-recall")
        self._master.start()

    def answer(self) -> GraphRecalled:
        """Return what there is when all have answered, or when the time is up."""
        self._master.join(max(0.0, self._ends - time.monotonic()))
        answers, failures = dict(self._answers), dict(self._failures)
        missing = [scope for scope in self._groups if scope not in answers]
        why = next((failures[scope] for scope in ("", *missing) if scope in failures), "")
        if missing and not why:
            why = f"the Graphiti server timed out ({', '.join(missing)})"
        most = int(self._context.settings.number("graphiti.maxFacts"))
        return GraphRecalled(
            facts=united(answers, order=tuple(self._groups), now=self._context.now(), most=most),
            asked=tuple(self._groups),
            why=why,
            milliseconds=round((time.monotonic() - self._begun) * 1000),
        )

    def _ask_all(self) -> None:
        try:
            with connected(self._context, "recall") as client:
                threads = [
                    threading.Thread(target=self._ask, args=(client, scope), daemon=True) for scope in self._groups
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        except MemsuggestError as error:
            self._failures[""] = error.message

    def _ask(self, client: GraphitiClient, scope: str) -> None:
        most = int(self._context.settings.number("graphiti.maxFacts"))
        try:
            left = self._ends - time.monotonic()
            self._answers[scope] = client.search([self._groups[scope]], self._query, max_facts=most, within=left)
        except MemsuggestError as error:
            self._failures[scope] = error.message


def ask_graph(
    context: Context,
    query: str,
    *,
    groups: Groups | None,
    session: str = "",
    scope: RecallScope = RecallScope.AUTO,
    seconds: float | None = None,
) -> GraphQuestion:
    """Begin to ask the graph what it knows; raises ConsentError where it may not be asked.

    `groups` are those of the workspace; without them only the session can be asked for.
    """
    require(context, "recall")
    from memsuggest.graphiti.permission import mask_of

    wanted = _scopes(context, query, scope, has_session=bool(session))
    known = {SESSION: session_group(session)} if session else {}
    if groups:
        known |= {name: groups.of(name) for name in wanted if name != SESSION}
    sent = mask_of(context).line(query, limit=QUERY_LIMIT)
    most = _SHARE * context.settings.number("graphiti.recallTime") / 1000
    asked = {name: known[name] for name in wanted if name in known}
    return GraphQuestion(context, sent, asked, seconds=min(most, seconds or most))


def _scopes(context: Context, query: str, scope: RecallScope, *, has_session: bool) -> tuple[str, ...]:
    """Return the scopes that are asked: those of the query's words, unless the settings or the person name some."""
    named = context.settings.texts("graphiti.scopes")
    if scope is RecallScope.AUTO and not set(named).isdisjoint(SCOPES):
        return tuple(name for name in SCOPES if name in named)
    return scopes_to_ask(query, has_session=has_session, scope=scope)


SECONDS = 0.6
"""For the graph, of the time that a hook has in all."""


def ask_beside_prompt(payload: Payload, place: Workspace, folders: Folders, machine: Machine) -> GraphQuestion | None:
    """Begin to ask what the graph knows about a prompt; None where it is not to be asked, or may not be."""
    settings = load_settings(
        root=place.root, config_folder=folders.config, environ=machine.environ, flags={}, is_lenient=True
    )
    context = Context(place=place, folders=folders, settings=settings, machine=machine)
    if not is_on(context, "recall"):
        return None
    try:
        connection = open_to_read(folders.data / "profile.db")
        if connection is None:
            return None
        with closing(connection):
            groups = known_groups(connection, place.key)
        return ask_graph(context, payload.prompt, groups=groups, session=payload.session, seconds=SECONDS)
    except MemsuggestError:
        return None


def block_of(question: GraphQuestion) -> str:
    """Return what the graph answered in time, as an assistant reads it; empty for nothing."""
    return graph_block(question.answer().facts, nonce=secrets.token_hex(4))
