"""Finding transcripts, and whose word they are: the person's own, or a claim of whoever put them there."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import is_ci
from memsuggest.config import ALL
from memsuggest.git import run_git
from memsuggest.model import Skipped, Trust
from memsuggest.transcripts.discovery import find_named, find_transcripts
from memsuggest.transcripts.discovery.ownership import TrustedFile, grown_trusted_file, is_pinned, repo_of
from memsuggest.transcripts.discovery.places import Surroundings
from memsuggest.transcripts.discovery.session_order import recent
from memsuggest.transcripts.storage.virtual_sessions import status_of
from memsuggest.workflows.trust import trusted_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.transcripts.discovery import FoundTranscript, FoundTranscripts
    from memsuggest.workflows.context import Context


def find(context: Context, paths: Sequence[Path]) -> FoundTranscripts:
    """Find the transcripts that paths name, or without any, this workspace's in every assistant's place."""
    if paths:
        found = find_named(paths)
        return _with_trust(context, _claimed_below(context.root, found)) if is_ci(context.machine.environ) else found
    around = surroundings(context)
    found = find_transcripts(
        around.root,
        home=around.home,
        environ=around.environ,
        platform=around.platform,
        extra=[Path(text).expanduser() for text in context.settings.texts("transcripts")],
        memory=context.progress,
    )
    return _with_trust(context, found)


def not_too_old(context: Context, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that are not older than the setting `since` wants them."""
    since = context.settings.text("since")
    return recent(found, days=None if since == ALL else int(since.split()[0]), now=context.now())


def _claimed_below(root: Path, found: FoundTranscripts) -> FoundTranscripts:
    """Mark what lies in the repo as claimed: in CI nobody says that it is theirs by naming it."""
    known = (
        replace(one, trust=Trust.CLAIMED) if Path(os.path.realpath(one.path)).is_relative_to(root) else one
        for one in found.transcripts
    )
    return replace(found, transcripts=tuple(known))


def surroundings(context: Context) -> Surroundings:
    """Return what the places of transcripts depend on."""
    machine = context.machine
    return Surroundings(
        root=context.root, home=context.folders.home, environ=machine.environ, platform=machine.platform
    )


def found_again(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return transcripts as they are now; those that are gone are left out."""
    there = []
    for one in found:
        try:
            status = status_of(one.path)
        except OSError:
            continue
        there.append(replace(one, size=status.st_size, mtime_ns=status.st_mtime_ns, inode=status.st_ino))
    return there


def _with_trust(context: Context, found: FoundTranscripts) -> FoundTranscripts:
    """Let what the person trusts count as theirs, and say how many transcripts are only claims."""
    if all(one.trust is not Trust.CLAIMED for one in found.transcripts):
        return found
    pins = trusted_files(context)
    known = [_trusted(one, pins) for one in found.transcripts]
    claimed = [one for one in known if one.trust is Trust.CLAIMED]
    told = (_claims(context, claimed),) if claimed else ()
    return replace(found, transcripts=tuple(known), skipped=(*found.skipped, *told))


def _trusted(one: FoundTranscript, pins: Sequence[TrustedFile]) -> FoundTranscript:
    if one.trust is not Trust.CLAIMED:
        return one
    container = one.container
    size = container.stat().st_size if container else one.size
    path = container or one.path
    is_trusted = is_pinned(path, size, pins) or (container is None and _is_grown_here(path, size, pins))
    return replace(one, trust=Trust.TYPED) if is_trusted else one


def _is_grown_here(path: Path, size: int, pins: Sequence[TrustedFile]) -> bool:
    """Tell whether a trusted file only grew since, and git has nothing of what is new: nobody else brought that."""
    real = Path(os.path.realpath(path))
    mine = [trusted_file for trusted_file in pins if trusted_file.path == str(real)]
    top = repo_of(str(real.parent)) if mine else None
    trusted_file = grown_trusted_file(real, size, mine) if top else None
    if trusted_file is None or top is None:
        return False
    name = real.relative_to(top).as_posix()
    versions = [run_git(Path(top), "cat-file", "blob", f"{commit}:{name}", accept=(0, 128)) for commit in ("HEAD", "")]
    return all(version is not None and len(version) <= trusted_file.size for version in versions)


def _claims(context: Context, claimed: Sequence[FoundTranscript]) -> Skipped:
    folders = sorted({_folder(one.path, context.root) for one in claimed})
    what = f"{len(claimed)} transcript{'s' if len(claimed) > 1 else ''} in {', '.join(folders)}"
    how = "committed" if (context.root / ".git").exists() else "in a folder that is not under git"
    why = (
        f"{how}, linked or in a repo of its own"
        if any(_is_elsewhere(one.path, context.root) for one in claimed)
        else how
    )
    return Skipped(
        what=what, why=f"{why}, so anybody may have written them: if they are yours, `memsuggest trust PATH`"
    )


def _folder(path: Path, root: Path) -> str:
    """Return the folder of the workspace that a transcript was found in, or else the one that it lies in."""
    for place in (path, Path(os.path.realpath(path))):
        if place.is_relative_to(root):
            return place.relative_to(root).parts[0]
    return str(path.parent)


def _is_elsewhere(path: Path, root: Path) -> bool:
    """Tell whether a transcript lies in another place than its path says, or in another repo."""
    real = os.path.realpath(path.parent)
    return real != str(path.parent) or repo_of(real) != repo_of(os.path.realpath(root))
