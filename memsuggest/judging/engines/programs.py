"""The table of programs: finding one on this machine, looking whether it can be used, asking it."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from memsuggest.core.errors import ModelError
from memsuggest.core.extensions import extensions
from memsuggest.judging.asking.json_object import json_in
from memsuggest.judging.asking.outcomes import Reply, ServiceError, failure
from memsuggest.judging.engines import claude_program, codex_program, copilot_program, running
from memsuggest.judging.engines.running import Asked, Done, Program, ProgramCall, asked_in, empty_folders
from memsuggest.transcripts.own_session_mark import VARIABLE
from memsuggest.transcripts.parsing.json_records import fields_of, items_of

PROGRAMS: dict[str, Program] = {
    claude_program.NAME: claude_program,
    codex_program.NAME: codex_program,
    copilot_program.NAME: copilot_program,
    **{program.NAME: program for program in extensions("engines")},
}
SECONDS = 300.0  # for one question; a long session takes a model a minute or two
_LOOK_SECONDS = 20.0  # for `--version` and `--help`
_VERSION = re.compile(r"\d+\.\d+[\w.-]*\w")
_BATCH = (".bat", ".cmd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The findings of a look at an installed program."""

    path: Path
    version: str
    why_not: str = ""  # why it cannot be used; empty when it can
    catalog: str = ""


def path_of(program: Program, *, environ: Mapping[str, str], root: Path) -> Path | None:
    """Return where a program lies; what the repo itself or a relative entry of PATH brings is not looked at."""
    for place in environ.get("PATH", "").split(os.pathsep):
        found = shutil.which(program.NAME, path=place) if place and Path(place).is_absolute() else None
        if found and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(root)):
            return Path(found)
    return None


def look_at(program: Program, path: Path, *, environ: Mapping[str, str]) -> Seen:
    """Ask an installed program for its version and its flags; nothing is sent anywhere."""
    if path.suffix.lower() in _BATCH:
        why = f"`{path.name}` is a batch file, and passing arguments to it is not safe; install the native program"
        return Seen(path=path, version="", why_not=why)
    try:
        printed = (_run(program, path, words, environ=environ) for words in (("--version",), program.HELP))
        named, flags = (done.out + done.err for done in printed)
    except ModelError as error:
        return Seen(path=path, version="", why_not=error.message)
    words = set(re.findall(r"--[a-z][a-z-]*", flags))
    lacks = tuple(flag for flag in program.FLAGS if flag not in words)
    version = _VERSION.search(named)
    name = version.group() if version else "(unknown version)"
    if lacks:
        return Seen(path=path, version=name, why_not=f"{name} does not support {', '.join(lacks)}")
    try:
        catalog = _run(program, path, program.CATALOG, environ=environ).out if program.CATALOG else ""
        why = _tools_offered(program, path, catalog, environ=environ)
    except ModelError as error:
        catalog, why = "", error.message
    return Seen(path=path, version=name, why_not=why and f"{name} {why}", catalog=catalog)


def _run(program: Program, path: Path, arguments: tuple[str, ...], *, environ: Mapping[str, str]) -> Done:
    environ = environ_for(program, environ)
    with empty_folders() as (work, _):
        return running.run((str(path), *arguments), stdin="", folder=work, environ=environ, seconds=_LOOK_SECONDS)


_TRIAL = Asked(system="This is a trial.", packet="{}", schema={"type": "object", "additionalProperties": False})


def _tools_offered(program: Program, path: Path, catalog: str, *, environ: Mapping[str, str]) -> str:
    """Say which tools a question would hold that nobody offered, as a trial with a listener of ours shows."""
    with listening() as (url, bodies), empty_folders() as (work, files):
        trial = program.trial(url, home=files)
        if trial is None:
            return ""
        call = program.call(_TRIAL, model="", files=files, catalog=catalog)
        _write_files(call, files)
        command = (str(path), *call.arguments[:-1], *trial.arguments, call.arguments[-1])
        environ = environ_for(program, environ) | dict(trial.environ) | {"NO_PROXY": "127.0.0.1", "no_proxy": ""}
        running.run(command, stdin=call.stdin, folder=work, environ=environ, seconds=_LOOK_SECONDS)
        if not bodies:
            return "ignored the test endpoint, so memsuggest cannot check that the program runs without tools"
    tools = dict.fromkeys(name for body in bodies for name in tools_in(body))
    return f"gives its model tools that cannot be turned off: {', '.join(tools)}" if tools else ""


def _write_files(call: ProgramCall, files: Path) -> None:
    for name, text in call.files.items():
        (files / name).write_text(text, encoding="utf-8")


def environ_for(program: Program, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the person's environment as a program of ours gets it: marked, plain, without what changes its rules."""
    unset = (*program.UNSET, "OTEL_*")  # by the last, programs send copies of what they are asked to a collector
    kept = {name: value for name, value in environ.items() if not any(fnmatchcase(name, pattern) for pattern in unset)}
    return kept | {VARIABLE: "1", "NO_COLOR": "1", "TERM": "dumb"} | dict(program.ENVIRON)


@dataclass(slots=True, kw_only=True)
class ProgramClient:
    """A program that can be asked; stands where the API's client stands."""

    program: Program
    path: Path
    environ: Mapping[str, str]
    model: str = ""
    catalog: str = ""  # what the program prints of itself that a question needs
    seconds: float = SECONDS

    def send(self, body: Mapping[str, Any]) -> Reply:
        """Ask one question in a run of its own; raises ModelError."""
        if self.environ.get(VARIABLE):
            raise failure("asked-from-within")
        with empty_folders() as (work, files):
            call = self.program.call(asked_in(body), model=self.model, files=files, catalog=self.catalog)
            _write_files(call, files)
            environ = environ_for(self.program, self.environ)
            command = (str(self.path), *call.arguments)
            done = running.run(command, stdin=call.stdin, folder=work, environ=environ, seconds=self.seconds)
            reply = self.program.read(done, files=files)
        try:
            return replace(reply, text=running.as_answered(json_in(reply.text)))
        except ModelError as error:  # a limit or a closed account may come as if it were the answer
            outcome = running.outcome_in(reply.text) if len(reply.text) <= running.SHORT else None
            is_complaint = outcome in {"usage-limit", "not-signed-in"}
            failed = running.complaint(reply.text, program=self.program.NAME) if is_complaint else error
            raise ServiceError(failed, announced=reply.usage) from None

    def count(self, body: Mapping[str, Any]) -> int:
        """Return about how many tokens a question has."""
        return asked_in(body).tokens


def shown_call(program: Program, body: Mapping[str, Any], *, model: str) -> ProgramCall:
    return program.call(asked_in(body), model=model, files=Path("FOLDER"), catalog='{"models": []}')


_LIMIT = 4 * 1024 * 1024
_SAID = {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "{}"}]}
_EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "response.created", "response": {"id": "r"}},
    {"type": "response.output_item.done", "item": _SAID},
    {
        "type": "response.completed",
        "response": {"id": "r", "usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}},
    },
)
"""An answer in the Responses API, so that the program ends at once."""


@contextmanager
def listening() -> Iterator[tuple[str, list[Any]]]:
    """Give an address that answers each question with an empty object, and the questions that came."""
    bodies: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = min(int(self.headers.get("content-length") or 0), _LIMIT)
            try:
                bodies.append(json.loads(self.rfile.read(size)))
            except (ValueError, RecursionError):
                bodies.append(None)  # what is no JSON is no proof of anything
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for event in _EVENTS:
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", bodies
        finally:
            server.shutdown()


def tools_in(body: Any) -> Iterator[str]:
    """Yield the names of tools that a question offers, wherever in it they stand.

    >>> list(tools_in({"input": [{"type": "additional_tools", "tools": [{"name": "exec"}]}], "tools": []}))
    ['exec']
    """
    if not isinstance(body, dict):
        yield "unreadable"
        return
    for fields in (body, *map(fields_of, items_of(body.get("input")))):
        for tool in map(fields_of, items_of(fields.get("tools"))):
            named = items_of(tool.get("tools")) or [tool]
            yield from (str(fields_of(inner).get("name") or fields_of(inner).get("type")) for inner in named)
