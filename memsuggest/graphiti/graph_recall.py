"""Asking the graph beside a look into our own memory: each scope at once, within a time, and without it if need be.

Whether it may be asked is settled before anything starts. What has not answered in time is left to end by itself.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from memsuggest.core.config import load_settings
from memsuggest.core.context import Context
from memsuggest.core.database import open_to_read
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.hook_payloads import Payload
from memsuggest.core.workspace import Folders, Machine, Workspace
from memsuggest.graphiti.client import Fact, GraphitiClient
from memsuggest.graphiti.graph_block import GraphRecalled, graph_block, scopes_to_ask, united
from memsuggest.graphiti.permission import connected, is_on, mask_of, require
from memsuggest.graphiti.profile_tables import (
    SCOPES,
    SESSION,
    USER,
    WORKSPACE,
    Groups,
    RecallScope,
    known_groups,
    session_group,
)

QUERY_LIMIT = 1_000  # characters of a query that leave
_SHARE = 0.9  # of the time that a prompt waits in all; the rest is for what is made of the answers
SECONDS = 0.6  # for the graph, of the time that a hook has in all


def ask_graph(
    context: Context,
    query: str,
    *,
    groups: Groups | None,
    session: str = "",
    scope: RecallScope = RecallScope.AUTO,
    seconds: float | None = None,
) -> Callable[[], GraphRecalled]:
    """Begin to ask the graph what it knows, each scope at once; return what waits for its answers.

    `groups` are the workspace's; without them only the session's is asked. Raises ConsentError where none may be.
    """
    require(context, "recall")
    asked = _groups_to_ask(
        context, scopes_to_ask(query, has_session=bool(session), scope=scope), groups, session, scope
    )
    sent = mask_of(context).line(query, limit=QUERY_LIMIT)
    most, begun = int(context.settings.number("graphiti.maxFacts")), time.monotonic()
    limit = _SHARE * context.settings.number("graphiti.recallTime") / 1000
    deadline = begun + min(limit, seconds or limit)
    answers: dict[str, tuple[Fact, ...]] = {}
    failures: dict[str, str] = {}  # by scope; of all of them under no name

    def search(client: GraphitiClient, name: str) -> None:
        try:
            answers[name] = client.search([asked[name]], sent, max_facts=most, within=deadline - time.monotonic())
        except MemsuggestError as error:
            failures[name] = error.message

    work = (context, tuple(asked), search, failures)
    master = threading.Thread(target=_search_each, args=work, daemon=True, name="graphiti-recall")
    master.start()

    def answer() -> GraphRecalled:
        master.join(max(0.0, deadline - time.monotonic()))
        missing = [name for name in asked if name not in answers]
        late = f"the Graphiti server timed out ({', '.join(missing)})" if missing else ""
        why = next((failures[name] for name in ("", *missing) if name in failures), late)
        return GraphRecalled(
            facts=united(dict(answers), order=tuple(asked), now=context.now(), most=most),
            asked=tuple(asked),
            why=why,
            milliseconds=round((time.monotonic() - begun) * 1000),
        )

    return answer


def _search_each(
    context: Context, scopes: Sequence[str], search: Callable[[GraphitiClient, str], None], failures: dict[str, str]
) -> None:
    try:
        with connected(context, "recall") as client:
            threads = [threading.Thread(target=search, args=(client, scope), daemon=True) for scope in scopes]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    except MemsuggestError as error:
        failures[""] = error.message


def _groups_to_ask(
    context: Context, by_words: Sequence[str], groups: Groups | None, session: str, scope: RecallScope
) -> dict[str, str]:
    """Return the groups of the scopes of the query's words, unless the settings or the person name some."""
    named = [name for name in SCOPES if name in context.settings.texts("graphiti.scopes")]
    known = {SESSION: session_group(session)} if session else {}
    known |= {name: groups.of(name) for name in (WORKSPACE, USER)} if groups else {}
    wanted = named if named and scope is RecallScope.AUTO else by_words
    return {name: known[name] for name in wanted if name in known}


def ask_beside_prompt(
    payload: Payload, place: Workspace, folders: Folders, machine: Machine
) -> Callable[[], str] | None:
    """Begin to ask what the graph knows about a prompt; return what waits for it, and gives it as a block.

    None where it is not to be asked, or may not be.
    """
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
        answer = ask_graph(context, payload.prompt, groups=groups, session=payload.session, seconds=SECONDS)
    except MemsuggestError:
        return None
    return lambda: graph_block(answer().facts, nonce=secrets.token_hex(4))
