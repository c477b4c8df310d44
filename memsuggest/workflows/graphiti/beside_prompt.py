"""Asking the graph beside a prompt, for a hook that an assistant waits for: only what that needs is opened."""

from __future__ import annotations

import secrets
from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.config import load_settings
from memsuggest.database import open_to_read
from memsuggest.errors import MemsuggestError
from memsuggest.graphiti.graph_facts import graph_block
from memsuggest.graphiti.profile_tables import known_groups
from memsuggest.workflows.context import Context
from memsuggest.workflows.graphiti.graph_recall import ask_graph
from memsuggest.workflows.graphiti.permission import is_on

if TYPE_CHECKING:
    from memsuggest.integrations.payloads import Payload
    from memsuggest.workflows.graphiti.graph_recall import GraphQuestion
    from memsuggest.workspace import Folders, Machine, Workspace

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
