"""Memory beside a prompt and at a session's start: read from the profile, changing nothing.

An assistant waits for it (`assistants.fast_hook` sets the time limit), so hardly anything is loaded; what was given is
noted afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.database import open_to_read
from memsuggest.core.hook_payloads import Payload
from memsuggest.core.workspace import Folders, Machine, Workspace, current_branch, find_folders, find_workspace
from memsuggest.memory.context_block import Hit, block, identity_of, identity_text
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.entry_store import EntryStore
from memsuggest.memory.lookup import Wanted, look_up

_OFF = b"off"  # a file of settings without it cannot say that memory is switched off, and need not be parsed
_GRAPH, _GRAPH_VARIABLES = b"graphiti", "MEMSUGGEST_GRAPHITI_"  # the same of a Graphiti server
_BUDGET = 2_000  # characters for one that did not ask
_MAIN_BRANCHES = frozenset({"main", "master", "develop", "trunk"})
_TASK_AGE = 14 * 86_400_000  # milliseconds after which nobody remembers a branch by what was done on it last


class Given(NamedTuple):
    """The text for an assistant, and what is to be noted of it."""

    text: str = ""
    query: str = ""
    session: str = ""
    hits: tuple[Hit, ...] = ()
    profile: Path | None = None
    project: str = ""


NOTHING = Given()


def given(payload: Payload, machine: Machine, *, is_start: bool = False) -> Iterator[Given]:
    """Yield what our own memory has, then that and what the graph has: who is out of time takes the first.

    At the start of a session also who the person is, and what was done last on this branch. Raises MemsuggestError.
    """
    if not is_start and not payload.prompt.strip():
        return
    folders = find_folders(machine.environ)
    place = find_workspace(Path(payload.cwd) if payload.cwd else Path.cwd(), home=folders.home, given=False)
    # Whether the person, or the repo, wants nothing of memsuggest here; a setting that is wrong is told elsewhere.
    files = (place.root / ".vscode/settings.json", place.root / ".memsuggest.yml", folders.config / "config.yml")
    if machine.environ.get("MEMSUGGEST_MODE") or any(_names(_OFF, path) for path in files):
        from memsuggest.core.config import Mode, load_settings

        settings = load_settings(
            root=place.root, config_folder=folders.config, environ=machine.environ, flags={}, is_lenient=True
        )
        if settings.mode is Mode.OFF:
            return
    own = _from_profile(payload, place, folders, machine, is_start=is_start)
    yield own
    is_named = any(name.startswith(_GRAPH_VARIABLES) for name in machine.environ)
    if payload.prompt.strip() and (is_named or _names(_GRAPH, folders.config / "config.yml")):
        # Half as much again to load as all else here, and only where a server is set.
        from memsuggest.graphiti.graph_recall import ask_beside_prompt

        if answer := ask_beside_prompt(payload, place, folders, machine):
            yield own._replace(text=own.text + answer())


def _from_profile(payload: Payload, place: Workspace, folders: Folders, machine: Machine, *, is_start: bool) -> Given:
    path = folders.data / "profile.db"
    connection = open_to_read(path)
    if connection is None:
        return NOTHING
    wanted = Wanted(via="hook", session=payload.session, budget=_BUDGET)
    with closing(connection):
        store = EntryStore(connection, project=place.key)
        hits = look_up(connection, payload.prompt, wanted, project=place.key, now=machine.now())
        identity = identity_text(identity_of(store.entries(layers=(Layer.IDENTITY,)))) if is_start else ""
        # What was done last on the branch that is checked out; nothing on a branch where everything happens.
        branch = current_branch(place.root) if is_start else ""
        last = store.last_of_task(branch) if branch and branch not in _MAIN_BRANCHES else None
    task = [last] if last and machine.now() - last.updated_at <= _TASK_AGE else []
    entries: list[Hit | Entry] = [*task, *(hit for hit in hits if hit.entry not in task)]
    if not entries and not identity:
        return NOTHING
    return Given(
        text=block(entries, nonce=os.urandom(4).hex(), identity=identity, here=place.key),
        query=payload.prompt,
        session=payload.session,
        hits=hits,
        profile=path,
        project=place.key,
    )


def _names(word: bytes, path: Path) -> bool:
    try:
        return path.is_file() and word in path.read_bytes()
    except OSError:
        return False


def note_given(given: Given, machine: Machine) -> None:
    """Count and log what was given, with the prompt as it may be kept. Raises StoreError."""
    from memsuggest.core.redact import redact
    from memsuggest.facts.profile import open_profile
    from memsuggest.memory.recall_entries import LOGGED

    if given.profile is None or not given.hits:
        return
    query = redact(given.query[:LOGGED]).text
    with closing(open_profile(given.profile, workspace=given.project)) as profile:
        profile.entries.note_recall(query, given.hits, at=machine.now(), via="hook", session=given.session)
