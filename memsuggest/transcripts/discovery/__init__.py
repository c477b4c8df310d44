"""Discovery of transcripts: this workspace's in each assistant's own place, or those that a person names; their order.

Trust: an assistant's own user folder holds what this person typed; a transcript in the repo
counts as theirs only while git says that it was never committed (see `ownership`); anything else there is a claim.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Transcript, Trust
from memsuggest.transcripts.discovery.ownership import claimed_among
from memsuggest.transcripts.discovery.places import PLACES, READER_OF
from memsuggest.transcripts.discovery.surroundings import FileCandidate, Surroundings, as_in, is_same_or_below, json_in
from memsuggest.transcripts.parsing.continuing import Checkpoint, ReadOn
from memsuggest.transcripts.parsing.json_records import fields_of, path_of, text_of
from memsuggest.transcripts.storage.source import Position, Source
from memsuggest.transcripts.storage.virtual_sessions import (
    FileStatus,
    SessionPlace,
    container_of,
    folders_of,
    may_be_stored,
    sessions_at,
    status_of,
)

ENDINGS = {".json", ".jsonl", ".md", ".txt", ".gz", ".zst", ".db", ".vscdb", ".zip"}
"""What transcripts are called in a folder that the person names."""
_SEVERAL = re.compile(r"\.(?:db|vscdb|zip)\Z|\Aconversations[\w-]{0,20}\.json\Z")
"""Names of files that may hold several sessions."""
_PASSED_OVER = {".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"}
_SHOWN = 80  # characters of a path that is no file
_ABSOLUTE = re.compile(r"[/~]|[A-Za-z]:")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTranscript:
    """A transcript that is there, not opened yet."""

    place: str  # its path, as told by the system; many are found at each run, and few are opened
    format: str
    size: int
    mtime_ns: int
    inode: int
    trust: Trust = Trust.TYPED
    is_named: bool = False  # the person named this very file: it is read whatever workspace it is about
    workspace: str | None = None  # the folder that its place says it is about; None where only its records do

    @property
    def path(self) -> Path:
        return Path(self.place)

    @property
    def container(self) -> Path | None:
        """The database or the export that it lies in; None for one that is a file of its own."""
        return container_of(self.path) if may_be_stored(self.place) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTranscripts:
    """The findings of a search."""

    transcripts: tuple[FoundTranscript, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    looked_into: frozenset[str] = frozenset()
    """Folders, there or not, in one of which a new transcript will appear."""


class Memory(Protocol):
    """Remembers which files are about another workspace, so that they are not opened again."""

    def is_elsewhere(self, path: str, status: FileStatus) -> bool | None:
        """Tell whether a file, as it is now, is about another workspace; None: nobody looked yet."""
        ...

    def note_elsewhere(self, found: Iterable[tuple[str, FileStatus]]) -> None: ...


def find_transcripts(
    root: Path,
    *,
    home: Path,
    environ: Mapping[str, str],
    platform: str,
    extra: Sequence[Path] = (),
    memory: Memory | None = None,
) -> FoundTranscripts:
    """Find this workspace's transcripts in every assistant's place, and those of further files and folders.

    With a `memory`, a file that was looked into once is not opened again while it stays as it is.
    """
    around = Surroundings(root=root, home=home, environ=environ, platform=platform)
    found: dict[str, FoundTranscript] = {}
    skipped: list[Skipped] = []
    for name, places in PLACES.items():
        for transcript in _of_workspace(places(around), READER_OF.get(name, name), root=root, memory=memory):
            found[transcript.place] = transcript
    for path in extra:
        try:
            named = find_named([path])
        except TranscriptError as error:
            skipped.append(Skipped(what=str(path), why=error.message))
            continue
        for transcript in named.transcripts:
            if transcript.workspace is None or as_in(transcript.workspace, root) is not None:
                found.setdefault(transcript.place, transcript)
    files = {place: str(transcript.container or place) for place, transcript in found.items()}
    claimed = claimed_among(files.values(), root)
    found |= {place: replace(chat, trust=Trust.CLAIMED) for place, chat in found.items() if files[place] in claimed}
    return FoundTranscripts(
        transcripts=tuple(found.values()), skipped=tuple(skipped), looked_into=frozenset(around.looked_into)
    )


def _of_workspace(
    candidates: Iterable[FileCandidate], name: str, *, root: Path, memory: Memory | None
) -> Iterator[FoundTranscript]:
    """Keep the candidates that are about the workspace; look into those whose place does not say."""
    elsewhere: list[tuple[str, FileStatus]] = []
    for path, status, is_here in candidates:
        known = memory.is_elsewhere(path, status) if memory and is_here is None else None
        if known:
            continue
        is_about = is_here or known is False
        if not is_about:
            folders = _FOLDERS.get(name, named_folders)(path)
            is_about = any(as_in(folder, root) is not None for folder in dict.fromkeys(folders))
        if is_about:
            yield _found(path, name, status, workspace=str(root) if is_here else None)
        else:
            elsewhere.append((path, status))
    if memory and elsewhere:
        memory.note_elsewhere(elsewhere)


def _found(
    place: str, name: str, status: FileStatus, *, workspace: str | None = None, is_named: bool = False
) -> FoundTranscript:
    return FoundTranscript(
        place=place,
        format=name,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        inode=status.st_ino,
        is_named=is_named,
        workspace=workspace,
    )


def find_named(paths: Sequence[Path]) -> FoundTranscripts:
    """Find the transcripts that paths name; raises TranscriptError for a path that is not there or is none.

    What is no transcript in a named folder is passed over, unless there is none at all.
    """
    found: list[FoundTranscript] = []
    skipped: list[Skipped] = []
    hint = "specify a transcript or a folder of transcripts"
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112  (no error for a name that no file can have)
            before = len(found)
            found += _in_folder(path, skipped)
            if len(found) == before:
                raise TranscriptError(f"no transcripts in `{path}`", hint=hint)
            continue
        try:
            found += [_detected(session, is_named=session.path == path) for session in sessions_at(path)]
        except OSError as error:
            name = str(path) if len(str(path)) <= _SHOWN else f"{str(path)[:_SHOWN]}…"
            is_gone = isinstance(error, FileNotFoundError)
            raise TranscriptError(
                f"`{path}` does not exist" if is_gone else f"`{name}`: {error.strerror}", hint=hint
            ) from None
    return FoundTranscripts(transcripts=tuple(found), skipped=tuple(skipped))


def _detected(chat: SessionPlace, *, is_named: bool = False) -> FoundTranscript:
    from memsuggest.transcripts.reading import detect  # slow to load; who only looks for files needs none

    name = detect(Source.at(chat.path)).NAME
    return _found(str(chat.path), name, chat.status, workspace=chat.folder or None, is_named=is_named)


def _in_folder(folder: Path, skipped: list[Skipped]) -> Iterator[FoundTranscript]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _PASSED_OVER)
        for path in (Path(place, name) for name in sorted(names) if Path(name).suffix.lower() in ENDINGS):
            try:
                if path.is_file():
                    several = _SEVERAL.search(path.name)
                    yield from map(_detected, sessions_at(path) if several else [SessionPlace(path, status_of(path))])
            except TranscriptError as error:
                if "known format" not in error.message and "empty" not in error.message:
                    skipped.append(Skipped(what=str(path), why=error.message))
            except OSError:
                continue  # gone since it was listed


def read_found(
    chat: FoundTranscript, root: Path, *, person: str | None = None, checkpoint: Checkpoint | None = None
) -> ReadOn:
    """Read what was found, sealed, from a checkpoint on where that can be.

    Of one that the person did not name, only what was said in the workspace.
    """
    from memsuggest.transcripts.reading import read_on  # (as above)

    source = Source.at(chat.path, person=person, workspace=chat.workspace)
    read = read_on(source, checkpoint, trust=chat.trust)
    return read if chat.is_named else read._replace(transcript=only_workspace(read.transcript, root))


def only_workspace(transcript: Transcript, root: Path) -> Transcript:
    """Leave out the turns that were spoken in another folder, and tell the paths of the others from the root.

    A turn without a folder goes with the one before it.
    """
    from memsuggest.core.redact.redaction_rules import redact  # (as above)

    here, kept = transcript.workspace, []
    prefix = f"{redact(root.as_posix()).text}/"
    for turn in transcript.turns:
        here = turn.cwd or here
        inside = str(root) if here is None else as_in(here, root)
        if inside is not None and turn.cwd:
            kept.append(replace(turn, paths=_from_root(turn.paths, inside, root, prefix), cwd=str(root)))
        elif inside is not None:
            kept.append(turn)
    home = as_in(transcript.workspace, root) if transcript.workspace else str(root)
    written = _from_root(transcript.files_written, home, root, prefix) if home else ()
    return replace(transcript, turns=tuple(kept), files_written=written)


def _from_root(paths: tuple[str, ...], folder: str, root: Path, prefix: str) -> tuple[str, ...]:
    """Tell paths from the root that are told from a folder below it; `prefix` is the root as sealed texts show it."""
    from memsuggest.transcripts.reading import relative  # (as above)

    below = relative(f"{folder}/", str(root)).strip("/")
    is_root = is_same_or_below(str(root), Path(folder))
    return tuple(
        path.removeprefix(prefix) if _ABSOLUTE.match(path) else path if is_root else f"{below}/{path}" for path in paths
    )


_LOOKED_AT = 128 * 1024  # bytes at either end
_STRING = rb'("(?:[^"\\]|\\.){1,4096}+")'
_FOLDER = re.compile(rb'"(?:cwd|gitRoot|directory)"\s*:\s*' + _STRING)
_FILE = re.compile(rb'"(?:fsPath|path|workingDirectory)"\s*:\s*' + _STRING)
_CLINE_FOLDER = re.compile(rb"Current W(?:orking|orkspace) Directory \(((?:[^()\\]|\\.){1,4096}+)\)")


def named_folders(path: str) -> Iterator[str]:
    """Return the folders that the records of a session name near its ends."""
    yield from map(_string, _FOLDER.findall(_ends(path)))


def _cline_folders(path: str) -> Iterator[str]:
    task = Path(path).parent
    for name in ("api_conversation_history.json", "ui_messages.json"):
        # What was shown holds what was sent as JSON inside a string: one more layer of backslashes.
        found = _CLINE_FOLDER.findall(_ends(str(task / name)))
        yield from (_string(b'"' + raw + b'"').replace("\\\\", "\\") for raw in found)
    yield text_of(fields_of(json_in(task / "history_item.json")).get("workspace"))


_FOLDERS: dict[str, Callable[[str], Iterable[str]]] = {
    "cline": _cline_folders,
    "opencode": lambda path: folders_of(Path(path)),
    "vscode-chat": lambda path: (path_of(_string(raw)) for raw in _FILE.findall(_ends(path))),
}
"""How to find the folders of sessions that do not name them as others do."""


def _ends(path: str) -> bytes:
    source = Source.at(Path(path))
    try:
        head = source.head(_LOOKED_AT)
        size = Path(path).stat().st_size
        return head + source.piece(Position(max(size - _LOOKED_AT, _LOOKED_AT)), _LOOKED_AT)
    except (TranscriptError, OSError):
        return b""


def _string(raw: bytes) -> str:
    try:
        return str(json.loads(raw))
    except ValueError:
        return ""


def in_order(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Sort as things were said, so that what was changed later is learned later.

    The most trusted copies of a session come first, and of those assistants' own before copies made by others.
    """
    from memsuggest.transcripts.formats.table import READERS

    trusts, formats = list(Trust), list(READERS)

    def key(found: FoundTranscript) -> tuple[int, float, int, str]:
        time = first_time(found.path)
        started = found.mtime_ns / 1e9 if time is None else time
        place = formats.index(found.format) if found.format in formats else len(formats)
        return trusts.index(found.trust), started // 60, place, found.place

    return sorted(found, key=key)


def last_turn_at(chat: FoundTranscript) -> float:
    """Return when something was said last, in seconds since the epoch, as far as the file tells."""
    return last_time(chat.path, size=chat.size, changed_at=chat.mtime_ns / 1e9)


MANY = 20
"""Chats from which on the newest are read first; fewer are read in a moment, in the order in which they were had."""
WINDOWS = (3, 14, 45)  # days: the chats of the last few come first, then those before them, and so on
_DAY = 86_400 * 10**9
_KNOWN = 30 * 365 * _DAY
"""A time before the year 2000 is none: sessions in exports may have no time, and count as new."""


def recent(found: Iterable[FoundTranscript], *, days: int | None, now: int) -> list[FoundTranscript]:
    """Return the chats of the last days (None: all), and those that were named; `now` is in milliseconds."""
    if days is None:
        return list(found)
    start = now * 10**6 - days * _DAY
    return [transcript for transcript in found if transcript.is_named or not _KNOWN <= transcript.mtime_ns < start]


def newest_first(found: Sequence[FoundTranscript], *, now: int) -> list[FoundTranscript]:
    """Return many chats with the newest first; what belongs to one span of time stays as it was said."""
    if len(found) <= MANY:
        return in_order(found)
    ordered: list[FoundTranscript] = []
    left = list(found)
    for days in WINDOWS:
        start = now * 10**6 - days * _DAY
        ordered += in_order(chat for chat in left if chat.mtime_ns >= start)
        left = [chat for chat in left if chat.mtime_ns < start]
    return [*ordered, *in_order(left)]


_TIME = re.compile(rb"\b(20\d\d-\d\d-\d\d)[T _](\d\d)[:-](\d\d)|\b(1[5-9]\d{11})\b")
_HEAD = 16 * 1024  # bytes in which the first time stands, if any
_TAILS = (4 * 1024, 64 * 1024)  # bytes in which the last time stands, mostly and nearly always
_AHEAD = 60  # seconds by which a time may lie behind the file's own


def first_time(path: Path) -> float | None:
    """Return the first time that a file names, in seconds since the epoch; None without one."""
    try:
        with path.open("rb") as stream:
            found = _TIME.search(stream.read(_HEAD))
    except OSError:
        return None  # it was there a moment ago
    return _seconds(found) if found else None


def last_time(path: Path, *, size: int, changed_at: float) -> float:
    """Return the last time that a file names near its end, in seconds since the epoch; else when it was changed.

    Times that lie behind the file's own are somebody's words, not a turn's.
    """
    try:
        with path.open("rb") as stream:
            for tail in _TAILS:
                stream.seek(max(size - tail, 0))
                found = (_seconds(time) for time in _TIME.finditer(stream.read(tail)))
                latest = max((time for time in found if time and time <= changed_at + _AHEAD), default=None)
                if latest is not None:
                    return latest
    except (OSError, ValueError):
        pass
    return changed_at


def _seconds(time: re.Match[bytes]) -> float | None:
    """Read a time that was found; None where it names a 32nd of May."""
    if time[4]:
        return int(time[4]) / 1000
    try:
        day, hour, minute = (part.decode() for part in time.groups()[:3])
        return datetime.fromisoformat(f"{day}T{hour}:{minute}:00+00:00").timestamp()
    except ValueError:
        return None
