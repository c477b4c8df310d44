"""Finding and opening transcripts, and whose word they are: the person's own, or a claim of whoever put them there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.config import ALL
from memsuggest.core.context import Context
from memsuggest.core.errors import Skipped, StoreError, TranscriptError
from memsuggest.core.git import run_git
from memsuggest.core.model import Transcript, Trust
from memsuggest.core.plain_reports import Text
from memsuggest.core.show_progress import ShowProgress
from memsuggest.core.workspace import is_ci
from memsuggest.files import lock
from memsuggest.files.atomic import UNCHECKED, write_exact
from memsuggest.files.exact import read_exact
from memsuggest.transcripts.discovery import (
    FoundTranscript,
    FoundTranscripts,
    find_named,
    find_transcripts,
    newest_first,
    read_found,
    recent,
)
from memsuggest.transcripts.discovery.ownership import repo_of
from memsuggest.transcripts.discovery.surroundings import Surroundings
from memsuggest.transcripts.parsing.continuing import ReadOn
from memsuggest.transcripts.storage.virtual_sessions import status_of


def find(context: Context, paths: Sequence[Path]) -> FoundTranscripts:
    """Find the transcripts that paths name, or without any, this workspace's in every assistant's place."""
    if not paths:
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
    found = find_named(paths)
    if not is_ci(context.machine.environ):
        return found
    known = (
        replace(chat, trust=Trust.CLAIMED) if Path(os.path.realpath(chat.path)).is_relative_to(context.root) else chat
        for chat in found.transcripts
    )
    return _with_trust(context, replace(found, transcripts=tuple(known)))


def not_too_old(context: Context, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that are not older than the `since` setting wants them."""
    since = context.settings.text("since")
    return recent(found, days=None if since == ALL else int(since.split()[0]), now=context.now())


def surroundings(context: Context) -> Surroundings:
    """Return what the places of transcripts depend on."""
    machine = context.machine
    return Surroundings(
        root=context.root, home=context.folders.home, environ=machine.environ, platform=machine.platform
    )


def found_again(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return transcripts as they are now; those that are gone are left out."""
    there = []
    for transcript in found:
        try:
            status = status_of(transcript.path)
        except OSError:
            continue
        there.append(replace(transcript, size=status.st_size, mtime_ns=status.st_mtime_ns, inode=status.st_ino))
    return there


def _with_trust(context: Context, found: FoundTranscripts) -> FoundTranscripts:
    """Let what the person trusts count as theirs, and say how many transcripts are only claims."""
    if all(transcript.trust is not Trust.CLAIMED for transcript in found.transcripts):
        return found
    pins, known, claimed = trusted_files(context), [], []
    for transcript in found.transcripts:
        trusted = transcript
        if transcript.trust is Trust.CLAIMED:
            container = transcript.container
            path = container or transcript.path
            size = container.stat().st_size if container else transcript.size
            if is_pinned(path, size, pins) or (container is None and _is_grown_here(path, size, pins)):
                trusted = replace(transcript, trust=Trust.TYPED)
            else:
                claimed.append(transcript)
        known.append(trusted)
    if not claimed:
        return replace(found, transcripts=tuple(known))
    folders = set()
    for path in (transcript.path for transcript in claimed):
        inside = (place for place in (path, Path(os.path.realpath(path))) if place.is_relative_to(context.root))
        folders.add(next((place.relative_to(context.root).parts[0] for place in inside), str(path.parent)))
    why = "committed" if (context.root / ".git").exists() else "in a folder without git"
    repo = repo_of(os.path.realpath(context.root))
    parents = [str(transcript.path.parent) for transcript in claimed]
    if any(parent != (real := os.path.realpath(parent)) or repo_of(real) != repo for parent in parents):
        why += ", linked or in a separate repo"
    note = Skipped(
        what=f"{len(claimed)} transcript{'s' if len(claimed) > 1 else ''} in {', '.join(sorted(folders))}",
        why=f"{why}, so the author is unverified; if you are the author, run `memsuggest trust PATH`",
    )
    return replace(found, transcripts=tuple(known), skipped=(*found.skipped, note))


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


VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedFile:
    """One trusted transcript."""

    digest: str
    size: int
    path: str  # where it lay when it was trusted; said to the person, never compared


def trusted_file_of(path: Path) -> TrustedFile:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return TrustedFile(digest=digest, size=stream.tell(), path=str(path))


def is_pinned(path: Path, size: int, trusted_files: Iterable[TrustedFile]) -> bool:
    """Tell whether a file is, byte for byte, one that the person trusts; only files of a pinned size are read."""
    digests = {pin.digest for pin in trusted_files if pin.size == size}
    try:
        return bool(digests) and trusted_file_of(path).digest in digests
    except OSError:
        return False


def grown_trusted_file(path: Path, size: int, trusted_files: Iterable[TrustedFile]) -> TrustedFile | None:
    """Return the pin of what a file began as, if it only has grown since; none where a file was changed."""
    for trusted_file in trusted_files:
        if 0 < trusted_file.size < size:
            try:
                with path.open("rb") as stream:
                    begins = hashlib.sha256(stream.read(trusted_file.size)).hexdigest()
            except OSError:
                return None
            if begins == trusted_file.digest:
                return trusted_file
    return None


def read_trusted_files(text: str, *, where: str) -> tuple[TrustedFile, ...]:
    if not text.strip():
        return ()
    try:
        parsed = json.loads(text)
        if parsed["version"] > VERSION:
            raise StoreError(
                f"{where} was written by a newer version of memsuggest",
                hint="update memsuggest; the file was not changed",
            )
        return tuple(
            TrustedFile(digest=str(pin["digest"]), size=int(pin["size"]), path=str(pin["path"]))
            for pin in parsed["pins"]
        )
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"{where} is damaged: {error}", hint="move the file elsewhere, then run `memsuggest trust PATH` again"
        ) from None


def written(trusted_files: Iterable[TrustedFile]) -> str:
    rows = [asdict(pin) for pin in sorted(trusted_files, key=lambda pin: (pin.path, pin.digest))]
    return json.dumps({"version": VERSION, "pins": rows}, indent=2) + "\n"


FILE = "trusted.json"
_PATIENCE = 10.0  # seconds


def list_trusted(context: Context) -> Text:
    pins = trusted_files(context)
    none = "no trusted transcripts; to trust a transcript, run `memsuggest trust PATH`"
    return _listing("\n".join(pin.path for pin in pins) or none, pins)


def trust(context: Context, paths: Sequence[Path]) -> Text:
    """Trust transcripts as they are now: what is typed in them counts as typed by this person."""
    files = dict.fromkeys(transcript.container or transcript.path for transcript in find_named(paths).transcripts)
    found = [trusted_file_of(Path(os.path.realpath(path))) for path in files]
    digests = {trusted_file.digest for trusted_file in found}
    with _changed(context) as pins:
        pins[:] = [*(pin for pin in pins if pin.digest not in digests), *found]
    count = "1 transcript is" if len(found) == 1 else f"{len(found)} transcripts are"
    return _listing(f"{count} now trusted; next, run `memsuggest reconcile`", found)


def revoke(context: Context, paths: Sequence[Path]) -> Text:
    """Take trust back; what was learned already stays until it is forgotten. Raises TranscriptError."""
    named = [os.path.realpath(path) for path in paths]
    below = tuple(f"{path}{separator}" for path in named for separator in "/\\")
    with _changed(context) as pins:
        gone = [pin for pin in pins if pin.path in named or pin.path.startswith(below)]
        if not gone:
            raise TranscriptError(
                "none of these transcripts is trusted", hint="run `memsuggest trust --list` to see trusted transcripts"
            )
        pins[:] = [pin for pin in pins if pin not in gone]
    return _listing(
        "no longer trusted, but earlier facts are kept; to list facts, run `memsuggest memory list --facts`", gone
    )


def _listing(text: str, pins: Iterable[TrustedFile]) -> Text:
    return Text(text=text, payload={"transcripts": [{"path": pin.path, "digest": pin.digest} for pin in pins]})


def trusted_files(context: Context) -> tuple[TrustedFile, ...]:
    path = context.folders.data / FILE
    return read_trusted_files(read_exact(path).text, where=str(path)) if path.exists() else ()


@contextmanager
def _changed(context: Context) -> Iterator[list[TrustedFile]]:
    path = context.folders.data / FILE
    with lock(path.with_suffix(".lock"), wait_seconds=_PATIENCE):
        pins = list(trusted_files(context))
        yield pins
        write_exact(path, written(pins), expected_digest=UNCHECKED, mode=0o600)


class OpenedChat(NamedTuple):
    """A chat that was read, and is to be learned from."""

    found: FoundTranscript
    read: ReadOn
    is_again: bool = False  # whether all of it was learned from before

    @property
    def session(self) -> str:
        return self.read.transcript.session_id

    @property
    def name(self) -> str:
        return chat_name(self.found)

    def has_news(self, context: Context) -> bool:
        return context.progress.has_news(self.read.transcript, after=self.read.after)

    def news(self, context: Context) -> Transcript | None:
        """Return it without what was learned from copies; None where nothing is left."""
        if not self.is_again and not self.has_news(context):
            return None
        return context.progress.only_news(self.found, self.read.transcript, after=self.read.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueChats:
    """The transcripts of a workspace, and those of them that a run reads."""

    due: Sequence[FoundTranscript]
    again: Collection[str]  # places of those that were learned from before as they are now
    within: Sequence[FoundTranscript]  # all that are not too old to be read
    older: int  # transcripts that were never read, since they are too old
    skipped: Sequence[Skipped]


def due_chats(context: Context, paths: Sequence[Path], *, is_again: bool) -> DueChats:
    """Find what is new or changed, or with `is_again` all; what paths name is never too old."""
    found = find(context, paths)
    within = list(found.transcripts) if paths else not_too_old(context, found.transcripts)
    news, places = context.progress.changed(within), {chat.place for chat in within}
    return DueChats(
        due=within if is_again else news,
        again=places - {chat.place for chat in news} if is_again else set(),
        within=within,
        older=len(context.progress.changed(chat for chat in found.transcripts if chat.place not in places)),
        skipped=found.skipped,
    )


def opened(
    context: Context,
    chats: Sequence[FoundTranscript],
    *,
    person: str | None,
    again: Collection[str],
    goes_on: bool,
    progress: ShowProgress,
) -> Iterator[OpenedChat | Skipped]:
    """Read transcripts one by one, the newest first; one that cannot be read is marked so.

    `goes_on`: from where it was read to, as our own rules do; a model's answers are held against the whole session.
    """
    for number, chat in enumerate(newest_first(chats, now=context.now())):
        progress(number, len(chats), chat_name(chat))
        is_again = chat.place in again
        checkpoint = context.progress.checkpoint(chat) if goes_on and not is_again else None
        try:
            yield OpenedChat(chat, read_found(chat, context.root, person=person, checkpoint=checkpoint), is_again)
        except TranscriptError as error:
            context.progress.fail(chat, why=error.message, now=context.now())
            yield Skipped(what=chat.place, why=error.message)


def chat_name(found: FoundTranscript) -> str:
    day = datetime.fromtimestamp(found.mtime_ns / 1e9, UTC).astimezone()
    return f"{found.format.replace('-', ' ')}, {day:%d %b %Y}"
