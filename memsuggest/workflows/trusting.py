"""`trust`: which of the repo's transcripts are this person's own, and what stays a claim."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.files import UNCHECKED, lock, read_exact, write_exact
from memsuggest.git import run_git
from memsuggest.model import Skipped, Trust
from memsuggest.reports.plain import Text
from memsuggest.transcripts.discovery import find_named
from memsuggest.transcripts.ownership import repo_of
from memsuggest.transcripts.pins import Pin, grown_pin, is_pinned, pin_of, read_pins, written
from memsuggest.transcripts.stored import database_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from memsuggest.transcripts.discovery import Found, FoundTranscript
    from memsuggest.workflows.desk import Desk

FILE = "trusted.json"
_PATIENCE = 10.0  # seconds


def list_trusted(desk: Desk) -> Text:
    """Say which transcripts are trusted."""
    pins = _pins(desk)
    lines = [pin.path for pin in pins] or ["no transcript of a repo is trusted; `memsuggest trust PATH` trusts one"]
    return _told("\n".join(lines), pins)


def trust(desk: Desk, paths: Sequence[Path]) -> Text:
    """Trust transcripts as they are now: what is typed in them counts as typed by this person."""
    files = dict.fromkeys(database_of(one.path) or one.path for one in find_named(paths).transcripts)
    found = [pin_of(path.resolve()) for path in files]
    with _alone(desk):
        digests = {pin.digest for pin in found}
        _write(desk, [*(pin for pin in _pins(desk) if pin.digest not in digests), *found])
    count = "1 transcript is" if len(found) == 1 else f"{len(found)} transcripts are"
    return _told(f"{count} trusted as they are now: `memsuggest reconcile` learns from them", found)


def revoke(desk: Desk, paths: Sequence[Path]) -> Text:
    """Take trust back; what was learned already stays until it is forgotten. Raises TranscriptError."""
    folders = [path.resolve() for path in paths]
    with _alone(desk):
        pins = _pins(desk)
        gone = [pin for pin in pins if any(_lies_in(pin, folder) for folder in folders)]
        if not gone:
            raise TranscriptError("none of these is trusted", hint="`memsuggest trust --list` names those that are")
        _write(desk, [pin for pin in pins if pin not in gone])
    return _told("no longer trusted; what was learned from it stays: `memsuggest facts list` shows it", gone)


def with_trust(desk: Desk, found: Found) -> Found:
    """Let what the person trusts count as theirs, and say how many transcripts are only claims."""
    if all(one.trust is not Trust.CLAIMED for one in found.transcripts):
        return found
    pins = _pins(desk)
    known = [_trusted(one, pins) for one in found.transcripts]
    claimed = [one for one in known if one.trust is Trust.CLAIMED]
    told = (_claims(desk, claimed),) if claimed else ()
    return replace(found, transcripts=tuple(known), skipped=(*found.skipped, *told))


def _trusted(one: FoundTranscript, pins: Sequence[Pin]) -> FoundTranscript:
    if one.trust is not Trust.CLAIMED:
        return one
    container = database_of(one.path)
    size = container.stat().st_size if container else one.size
    path = container or one.path
    is_trusted = is_pinned(path, size, pins) or (container is None and _is_grown_here(path, size, pins))
    return replace(one, trust=Trust.TYPED) if is_trusted else one


def _is_grown_here(path: Path, size: int, pins: Sequence[Pin]) -> bool:
    """Whether a trusted file only grew since, and git has nothing of what is new: nobody else brought that."""
    real = Path(os.path.realpath(path))
    mine = [pin for pin in pins if pin.path == str(real)]
    top = repo_of(str(real.parent)) if mine else None
    pin = grown_pin(real, size, mine) if top else None
    if pin is None or top is None:
        return False
    name = real.relative_to(top).as_posix()
    versions = [run_git(Path(top), "cat-file", "blob", f"{commit}:{name}", accept=(0, 128)) for commit in ("HEAD", "")]
    return all(version is not None and len(version) <= pin.size for version in versions)


def _claims(desk: Desk, claimed: Sequence[FoundTranscript]) -> Skipped:
    folders = sorted({_folder(one.path, desk.root) for one in claimed})
    what = f"{len(claimed)} transcript{'s' if len(claimed) > 1 else ''} in {', '.join(folders)}"
    how = "committed" if (desk.root / ".git").exists() else "in a folder that is not under git"
    why = (
        f"{how}, linked or in a repo of its own" if any(_is_elsewhere(one.path, desk.root) for one in claimed) else how
    )
    return Skipped(
        what=what, why=f"{why}, so anybody may have written them: if they are yours, `memsuggest trust PATH`"
    )


def _folder(path: Path, root: Path) -> str:
    """Return the folder of the workspace that a transcript was found in, or else the one that it lies in."""
    for place in (path, path.resolve()):
        if place.is_relative_to(root):
            return place.relative_to(root).parts[0]
    return str(path.parent)


def _is_elsewhere(path: Path, root: Path) -> bool:
    """Whether a transcript lies in another place than its path says, or in another repo."""
    real = os.path.realpath(path.parent)
    return real != str(path.parent) or repo_of(real) != repo_of(os.path.realpath(root))


def _lies_in(pin: Pin, folder: Path) -> bool:
    return pin.path == str(folder) or pin.path.startswith(f"{folder}/") or pin.path.startswith(f"{folder}\\")


def _told(text: str, pins: Iterable[Pin]) -> Text:
    return Text(text=text, payload={"transcripts": [{"path": pin.path, "digest": pin.digest} for pin in pins]})


def _path(desk: Desk) -> Path:
    return desk.folders.data / FILE


def _pins(desk: Desk) -> tuple[Pin, ...]:
    path = _path(desk)
    return read_pins(read_exact(path).text, where=str(path)) if path.exists() else ()


def _write(desk: Desk, pins: Sequence[Pin]) -> None:
    write_exact(_path(desk), written(pins), expected_digest=UNCHECKED, mode=0o600)


def _alone(desk: Desk) -> AbstractContextManager[None]:
    return lock(_path(desk).with_suffix(".lock"), wait_seconds=_PATIENCE)
