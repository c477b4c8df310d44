"""The seam to an assistant's program, running it to its end or to ours, and its complaints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.outcomes import Reply, failure
from memsuggest.judging.asking.question import estimate
from memsuggest.transcripts.own_session_mark import MARK
from memsuggest.transcripts.parsing.json_records import fields_of

# A question as one text: taken out of the request that the Messages API would get.

_NOTHING_ELSE = (
    "This text comes from the program memsuggest, not from a person. Run nothing, open nothing, use no tool."
    " Answer once, with one JSON object and nothing before or after it."
)
_SHAPE = "The answer is one JSON object of this JSON schema:"
AT, HARMLESS_AT = "@", "＠"
"""Programs put the content of a file in the place of `@path`, wherever it stands and wherever the file lies; with a
full-width sign they do not, and a model reads it all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, without anything that depends on who is asked."""

    system: str
    packet: str
    schema: Mapping[str, Any]

    @property
    def shape(self) -> str:
        """The schema as a text, for models that take no schema."""
        return f"{_SHAPE}\n{json.dumps(self.schema, ensure_ascii=False, separators=(',', ':'))}\n"

    @property
    def tokens(self) -> int:
        """About how many there are in all of it."""
        return sum(map(estimate, (self.system, self.packet, self.shape)))


def asked_in(body: Mapping[str, Any]) -> Asked:
    return Asked(
        system="\n\n".join(block["text"] for block in body["system"]),
        packet="\n\n".join(block["text"] for message in body["messages"] for block in message["content"]),
        schema=body["output_config"]["format"]["schema"],
    )


def as_text(*parts: str) -> str:
    """Return what a program reads: our mark, that nothing is to be run, and the parts, in which no file is named."""
    return "\n\n".join((f"{MARK} {_NOTHING_ELSE}", *(part.strip().replace(AT, HARMLESS_AT) for part in parts))) + "\n"


def as_answered(text: str) -> str:
    return text.replace(HARMLESS_AT, AT)


OUTPUT_LIMIT = 2 * 1024 * 1024  # bytes of either stream; the longest honest answer has a tenth of that
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
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=out,  # not a pipe, which whatever it leaves behind would keep open
                stderr=err,
                cwd=folder,
                env=dict(environ),
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise failure("program-failed", f"{Path(command[0]).name}: {error.strerror}") from None
        try:
            assert process.stdin
            threading.Thread(target=_tell, args=(process.stdin, stdin), daemon=True).start()
            ends = time.monotonic() + seconds
            while process.poll() is None and max(map(_size, (out, err))) <= OUTPUT_LIMIT:
                if time.monotonic() > ends:
                    raise failure("program-hangs", f"{seconds:.0f} seconds")
                time.sleep(_TICK)
        finally:
            _end_group(process)
        if max(map(_size, (out, err))) > OUTPUT_LIMIT:
            raise failure("too-long")
        if process.returncode < 0:
            number = -process.returncode
            known = {found.value: found.name for found in signal.Signals}
            raise failure("program-killed", known.get(number, f"signal {number}"))
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read(OUTPUT_LIMIT).decode("utf-8", "replace"))
        return Done(code=process.returncode, out=texts[0], err=texts[1])


def _size(stream: IO[bytes]) -> int:
    return os.fstat(stream.fileno()).st_size


def _tell(stream: IO[bytes], text: str) -> None:
    with suppress(OSError, ValueError), stream:  # a program may end before it has read everything
        stream.write(text.encode("utf-8", "replace"))


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if IS_WINDOWS:
        if process.poll() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
            process.wait(timeout=_GRACE)
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):  # nobody is left in the group
            break
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE)
    process.poll()


_WORDS: Mapping[str, tuple[str, ...]] = {
    "usage-limit": (
        "usage limit", "rate limit", "rate_limit", "limit reached", "hit your limit", "hit your session limit",
        "hit your weekly limit", "limit will reset", "quota", "premium request", "too many requests",
        "out of extra usage", "credit balance", "out of credits", "insufficient_quota", "upgrade your plan",
        "status 429", " 429 ",
    ),
    "not-signed-in": (
        "not logged in", "not signed in", "please run /login", "run '/login'", "no authentication information",
        "authentication_error", "invalid api key", "invalid x-api-key", "unauthorized", "oauth token",
        "codex login", "copilot login", "log in again", "sign in again", "status 401", " 401 ",
    ),
    "wrong-shape": ("structured output", "structured_output"),
    "unknown-model": (
        "model_not_found", "model not found", "unknown model", "may not exist", "model is not supported",
        "model is not available", "not_found_error",
    ),
    "no-connection": (
        "econnrefused", "enotfound", "etimedout", "unable to connect", "failed to lookup", "connection error",
        "connection refused", "waiting for network", "stream disconnected", "fetch failed", "error sending request",
        "network error", "could not connect",
    ),
}  # fmt: skip
"""The first that fits counts: a limit is the one thing after which nothing more may be asked."""
SHORT = 600  # characters up to which a text without JSON may be a program's complaint rather than a model's prose


def outcome_in(text: str) -> str | None:
    """Return the outcome that a program's words tell of.

    >>> outcome_in("Claude AI usage limit reached|1763850000")
    'usage-limit'
    """
    said = f" {text.casefold()} "
    return next((name for name, words in _WORDS.items() if any(word in said for word in words)), None)


def complaint(text: str, *, program: str) -> ModelError:
    said = " ".join(text.split())
    if outcome := outcome_in(text):
        return failure(outcome, f"{program} says: {said}")
    return failure("program-failed", f"{program}: {said or 'no output'}")


_LIMIT = 32 * 1024 * 1024


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects among printed lines; a hook or an update may print lines of its own between them."""
    for line in text.splitlines():
        with suppress(ValueError, RecursionError):
            if isinstance(found := json.loads(line), dict):
                yield found


def json_file(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file of another program; an empty one where there is none."""
    try:
        return {} if path.stat().st_size > _LIMIT else fields_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramCall:
    """One run of a program: its arguments, never a shell's line, and what it reads."""

    arguments: tuple[str, ...]
    stdin: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts by the names of the files that the arguments tell of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTrial:
    """A trial in the place of a question: it goes to a listener of ours, without the person's account."""

    arguments: tuple[str, ...]  # stand before the last argument of the question
    environ: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """The one who gets what a program is asked, as far as the program obeys what is set on this machine."""

    who: str
    through: str = ""
    """What sends it there instead of to the program's own service; consent is bound to it, too."""


class Program(Protocol):
    """Knows one program; modules implement it."""

    NAME: str
    """What it is called on the command line, and as an engine."""
    INSTALL: str
    SIGN_IN: str
    HELP: tuple[str, ...]
    """Arguments with which it prints its flags."""
    FLAGS: tuple[str, ...]
    """Flags that a run needs; a program that lacks one is not used."""
    CATALOG: tuple[str, ...]
    """Arguments with which it prints, without a request, what `call` has to know of it; empty where that is nothing."""
    UNSET: tuple[str, ...]
    """Environment variables that a run must not inherit; `*` at the end stands for anything."""
    ENVIRON: Mapping[str, str]
    """Environment variables that a run gets beside the person's own."""

    def call(self, asked: Asked, *, model: str, files: Path, catalog: str = "") -> ProgramCall:
        """Return the run that asks a question; `files` is the folder in which its files will lie."""
        ...

    def read(self, done: Done, *, files: Path) -> Reply:
        """Return the answer of a run that ended; raises ModelError."""
        ...

    def recipient(self, *, environ: Mapping[str, str], home: Path) -> Recipient:
        """Tell who gets what it is asked; raises ConfigError for an address that may get nothing."""
        ...

    def trial(self, url: str, *, home: Path) -> ProgramTrial | None:
        """Return what sends one question to a listener of ours at `url`, to see that it holds no tools.

        None for a program whose flags alone are proof enough.
        """
        ...

    def is_signed_in(self, *, environ: Mapping[str, str], home: Path) -> bool | None:
        """Tell without a request whether a person is signed in; None where that cannot be told."""
        ...
