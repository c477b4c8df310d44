"""The workspaces in which this person has worked, as the profile knows them: their names, and whose clones they are."""

from __future__ import annotations

from functools import lru_cache

from memsuggest.core.context import Context
from memsuggest.core.git import git_text, run_git
from memsuggest.core.identity import hash_of
from memsuggest.facts.fact_store import Place


def note_place(context: Context) -> Place:
    """Let the profile know this workspace, so that another one can name it; return it."""
    here = this_place(context)
    context.profile.note_place(here)
    return here


@lru_cache(maxsize=1)
def this_place(context: Context) -> Place:
    """Return this workspace; clones of one repository are recognized by remote URL, or else by first commit."""
    key = context.place.key
    address = git_text(context.root, "config", "--get", "remote.origin.url").strip()
    plain = address.partition("://")[2] or address
    plain = plain.rpartition("@")[2].replace(":", "/").removesuffix("/").removesuffix(".git").lower()
    is_folder = plain.startswith((".", "/", "~")) or address.startswith("file:")
    if plain and not is_folder:
        repository = hash_of("repository", plain)
    else:
        repository = next((place.repository for place in context.profile.places() if place.key == key), key)
        if repository == key:  # finding the first commit walks the history, so only once
            found = run_git(context.root, "rev-list", "--max-parents=0", "HEAD") or b""
            roots = found.decode("ascii", "replace").split()
            repository = hash_of("repository", *sorted(roots)) if roots else key
    return Place(key=key, name=context.root.name, repository=repository)
