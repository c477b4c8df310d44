"""Parts of a workspace that everybody can see who has the repo: asked of git, and of the team's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.file_walk import tracked_paths
from memsuggest.git import run_git
from memsuggest.model import Scope
from memsuggest.workflows.report.team_view import Shared

if TYPE_CHECKING:
    from memsuggest.workflows.context import Context

_OWN = ".local."
"""In the name of a file that hosts leave to the person: `CLAUDE.local.md`, `settings.local.json`."""


def shared_parts(context: Context) -> Shared:
    """Return what is committed; outside of git nobody shares anything but the team's file."""
    tracked = set(tracked_paths(context.root))
    files = [one.uri for one in context.targets.targets]
    own = {one.uri for one in context.targets.targets if one.scope is Scope.USER}
    shared = {uri for uri in files if uri in tracked and uri not in own and _OWN not in uri.rpartition("/")[2].lower()}
    return Shared(
        name=_repository_name(context),
        contents=context.facts_file.contents(),
        uris=frozenset(shared),
        local=frozenset(files) - shared,
    )


def _repository_name(context: Context) -> str:
    """Return the repo's name by its address, as everybody has it; a folder's name may be this person's own."""
    address = (run_git(context.root, "config", "--get", "remote.origin.url") or b"").decode("utf-8", "replace").strip()
    is_folder = address.startswith((".", "/", "~", "file:", "\\")) or address[1:3] == ":\\" or "/" not in address
    return "" if is_folder else address.rstrip("/").rpartition("/")[2].removesuffix(".git")
