"""Which transcripts there are: this workspace's in each assistant's own place, or those that a person names.

Trust (SECURITY.md, decision 3): an assistant's own user folder holds what this person typed; a transcript in the repo
counts as theirs only while git does not track it or sees it changed here; anything else in the repo is a claim.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.git import run_git
from memsuggest.model import Skipped, Transcript, Trust
from memsuggest.transcripts.places import IN_REPO, PLACES, Surroundings, is_same_or_below
from memsuggest.transcripts.reading import detect
from memsuggest.transcripts.source import Source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ENDINGS = {".json", ".jsonl", ".md", ".txt", ".gz"}
"""What transcripts are called in a folder that the person names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTranscript:
    """A transcript that is there, not opened yet."""

    path: Path
    format: str
    size: int
    mtime_ns: int
    inode: int
    trust: Trust = Trust.TYPED
    is_named: bool = False
    """The person named this very file: it is read whatever workspace it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search came to."""

    transcripts: tuple[FoundTranscript, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def find_transcripts(
    root: Path, *, home: Path, environ: Mapping[str, str], platform: str, extra: Sequence[Path] = ()
) -> Found:
    """Find this workspace's transcripts in every assistant's place, and those of further files and folders."""
    around = Surroundings(root=root, home=home, environ=environ, platform=platform)
    found: dict[Path, FoundTranscript] = {}
    skipped: list[Skipped] = []
    foreign = _foreign_in_repo(root)
    for name, places in PLACES.items():
        for path in places(around):
            is_claim = name in IN_REPO and path.relative_to(root).as_posix() in foreign
            one = _found(path, name, trust=Trust.CLAIMED if is_claim else Trust.TYPED)
            if one:
                found.setdefault(path, one)
    for path in extra:
        try:
            named = find_named([path])
        except TranscriptError as error:
            skipped.append(Skipped(what=str(path), why=error.message))
            continue
        for one in named.transcripts:
            found.setdefault(one.path, one)
    return Found(transcripts=tuple(found.values()), skipped=tuple(skipped))


def find_named(paths: Sequence[Path]) -> Found:
    """Find the transcripts that paths name; raises TranscriptError for a path that is not there or is none.

    What is no transcript in a named folder is passed over, unless there is none at all.
    """
    found: list[FoundTranscript] = []
    skipped: list[Skipped] = []
    for path in paths:
        if path.is_dir():
            inside = list(_in_folder(path, skipped))
            if not inside:
                raise TranscriptError(f"no transcripts in `{path}`", hint="name a transcript, or a folder of them")
            found += inside
        elif path.exists():
            one = _found(path, detect(Source.at(path)).NAME, is_named=True)
            found += [one] if one else []
        else:
            raise TranscriptError(f"`{path}` is not there", hint="name a transcript, or a folder of them")
    return Found(transcripts=tuple(found), skipped=tuple(skipped))


def _in_folder(folder: Path, skipped: list[Skipped]) -> Iterator[FoundTranscript]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        try:
            one = _found(path, detect(Source.at(path)).NAME)
        except TranscriptError as error:
            if "known format" not in error.message and "empty" not in error.message:
                skipped.append(Skipped(what=str(path), why=error.message))
            continue
        if one:
            yield one


def _found(path: Path, name: str, *, trust: Trust = Trust.TYPED, is_named: bool = False) -> FoundTranscript | None:
    try:
        status: os.stat_result = path.stat()
    except OSError:
        return None  # gone since it was listed
    return FoundTranscript(
        path=path,
        format=name,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        inode=status.st_ino,
        trust=trust,
        is_named=is_named,
    )


def _foreign_in_repo(root: Path) -> frozenset[str]:
    """Return the transcripts in the repo that git tracks and that nobody changed here: anyone may have put them."""
    places = (".specstory", ".aider.chat.history.md")
    tracked = _names(run_git(root, "ls-files", "-z", "--", *places))
    changed = _names(
        run_git(root, "diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "HEAD", "--", *places)
    )
    return frozenset(tracked - changed)


def _names(listing: bytes | None) -> set[str]:
    return {name.decode("utf-8", "surrogateescape") for name in (listing or b"").split(b"\0") if name}


def only_workspace(transcript: Transcript, root: Path) -> Transcript:
    """Leave out the turns that were spoken in another folder; a turn without a folder goes with the one before it."""
    here, kept = transcript.workspace, []
    for turn in transcript.turns:
        here = turn.cwd or here
        if here is None or is_same_or_below(here, root):
            kept.append(turn)
    return transcript if len(kept) == len(transcript.turns) else replace(transcript, turns=tuple(kept))


def best_copies(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Sort so that the most trusted copies of a session come first, the older files before the newer."""
    order = list(Trust)
    return sorted(found, key=lambda one: (order.index(one.trust), one.mtime_ns, str(one.path)))
