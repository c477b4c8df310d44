"""Running a program to its end, or to ours: an empty folder, no terminal, bounded output, bounded time.

The program gets a process group of its own. Whatever ends the wait (its end, the time limit, too much output, Ctrl-C),
the whole group is ended, so that nothing it started goes on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from memsuggest.asking.outcomes import failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OUTPUT_LIMIT = 2 * 1024 * 1024
"""Bytes of either stream; the longest honest answer has a tenth of that."""
_TICK = 0.05  # seconds between two looks at the program
_GRACE = 1.0  # seconds from a polite end to a hard one
IS_WINDOWS = sys.platform == "win32"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A program that ended by itself."""

    code: int
    out: str
    err: str


@contextmanager
def empty_folders() -> Iterator[tuple[Path, Path]]:
    """Give an empty folder to run in, and one beside it for files that the program is told of."""
    with tempfile.TemporaryDirectory(prefix="memsuggest-", ignore_cleanup_errors=True) as made:
        work, files = Path(made, "empty"), Path(made, "files")
        work.mkdir()
        files.mkdir()
        yield work, files


def run(command: Sequence[str], *, stdin: str, folder: Path, environ: Mapping[str, str], seconds: float) -> Done:
    """Run a program to its end; ModelError when it cannot start, hangs, floods or was killed."""
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise failure("program-failed", f"{Path(command[0]).name}: {error.strerror}") from None
    try:
        return _watched(process, stdin.encode("utf-8", "replace"), seconds=seconds)
    finally:
        _end_group(process)


def _watched(process: subprocess.Popen[bytes], stdin: bytes, *, seconds: float) -> Done:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    out, err = _Received(process.stdout), _Received(process.stderr)
    threading.Thread(target=_tell, args=(process.stdin, stdin), daemon=True).start()
    ends = time.monotonic() + seconds
    while process.poll() is None:
        if out.is_too_long or err.is_too_long:
            raise failure("too-long")
        if time.monotonic() > ends:
            raise failure("program-hangs", f"{seconds:.0f} seconds")
        time.sleep(_TICK)
    _end_group(process)  # what it left behind would keep its output open
    out.wait()
    err.wait()
    if out.is_too_long or err.is_too_long:
        raise failure("too-long")
    if process.returncode < 0:
        raise failure("program-killed", _signal_name(-process.returncode))
    return Done(code=process.returncode, out=out.text, err=err.text)


def _tell(stream: IO[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError), stream:  # a program may end before it has read everything
        stream.write(data)


@dataclass(slots=True)
class _Received:
    """A stream's bytes, read beside the program so that it never waits for us."""

    stream: IO[bytes]
    _pieces: list[bytes] = field(default_factory=list, init=False)
    _size: int = field(default=0, init=False)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def is_too_long(self) -> bool:
        """Tell whether more came than may be kept."""
        return self._size > OUTPUT_LIMIT

    @property
    def text(self) -> str:
        """The bytes that came, as text."""
        return b"".join(self._pieces).decode("utf-8", "replace")

    def wait(self) -> None:
        """Wait until nothing more comes."""
        self._thread.join(timeout=_GRACE)

    def _read(self) -> None:
        with suppress(OSError, ValueError), self.stream:
            while self._size <= OUTPUT_LIMIT and (piece := os.read(self.stream.fileno(), 65536)):
                self._size += len(piece)
                self._pieces.append(piece)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started, politely first."""
    if IS_WINDOWS:
        _end_tree(process)
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):  # nobody is left in the group
            break
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE)
    process.poll()


def _end_tree(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        process.wait(timeout=_GRACE)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
