"""The groups of a workspace and its person, the mask of this machine, and the outbox for the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.git import run_git
from memsuggest.graphiti import profile_tables
from memsuggest.graphiti.masking import Mask
from memsuggest.graphiti.outbox import Outbox
from memsuggest.workflows.known_places import this_place

if TYPE_CHECKING:
    from memsuggest.graphiti.profile_tables import Groups
    from memsuggest.workflows.context import Context

_ACCOUNTS = ("USER", "LOGNAME", "USERNAME")


def groups_of(context: Context) -> Groups:
    """Return the groups of this workspace: all clones of a repository share one, and all workspaces of a person."""
    connection = context.profile.entries.connection
    found = profile_tables.known_groups(connection, context.place.key)
    if found:
        return found
    repository = this_place(context).repository
    address = (run_git(context.root, "config", "--get", "user.email") or b"").decode("utf-8", "replace")
    person = address.strip().lower()
    return profile_tables.note_groups(connection, context.place.key, repository=repository, person=person)


def mask_of(context: Context) -> Mask:
    """Return what of this machine must not leave."""
    environ, home = context.machine.environ, context.folders.home
    return Mask(
        root=str(context.root),
        home=str(home),
        accounts=(*(environ[name] for name in _ACCOUNTS if environ.get(name)), home.name),
        limit=int(context.settings.number("graphiti.maxMessageChars")),
    )


def outbox_at(context: Context, address: str) -> Outbox:
    """Return what waits for a server, and what became of what was sent to it."""
    return Outbox(context.state, endpoint=address)
