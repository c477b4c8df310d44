"""What `doctor` says of the engines: which one judges, and how each that is here stands. Nobody is asked anything."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.config import MINDS, OFFLINE
from memsuggest.errors import ConsentError, MemsuggestError
from memsuggest.haiku.endpoint import find_key
from memsuggest.haiku.ledger import day_of
from memsuggest.haiku.outcomes import failure
from memsuggest.minds.receiver import API, LOCAL
from memsuggest.reports.doctor import Check, Health
from memsuggest.workflows.engines import (
    chosen_engine,
    grant_command,
    program_of,
    program_path,
    receiver_of,
    require_consent,
    require_ready,
)
from memsuggest.workflows.model import open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memsuggest.minds.program import Program
    from memsuggest.workflows.desk import Desk

AREA = "model"


def look_at_engines(desk: Desk) -> Iterator[Check]:
    """Look at the engine that judges, and at each other that is here; with `--offline`, at none."""
    yield _judge(desk)
    if desk.settings.engine == OFFLINE:
        return
    with ExitStack() as opened:
        last = open_ledger(desk, opened).last_uses()
    missing = []
    for engine in MINDS:
        used = f"last asked on {day_of(last[engine])}" if engine in last else "never asked"
        try:
            check = _look_at(desk, engine, used=used)
        except MemsuggestError as error:
            check = _check(engine, Health.BAD, error.message, error.hint or "")
        if check:
            yield check
        else:
            missing.append(f"`{engine}`")
    if missing:
        yield Check(area=AREA, name="others", health=Health.OFF, text=f"not here: {', '.join(missing)}")


def _judge(desk: Desk) -> Check:
    """Say which engine judges what is read now, and why no other does."""
    engine = chosen_engine(desk)
    why = _why_offline(desk) if engine == OFFLINE else _why_not(desk, engine)
    if engine == OFFLINE:
        return Check(area=AREA, name="engine", health=Health.OFF, text=f"offline rules: {why}")
    if why:
        text = f"{engine}, which cannot be asked: {why}"
        return Check(area=AREA, name="engine", health=Health.BAD, text=text, hint="`--offline` takes our own rules")
    receiver = receiver_of(desk, engine)
    text = f"{engine}: {receiver.model or 'a model of its own choice'}; `memsuggest usage`"
    return Check(area=AREA, name="engine", health=Health.OK, text=text)


def _why_offline(desk: Desk) -> str:
    if desk.settings.engine == OFFLINE:
        return "the setting `engine` says so"
    if find_key(desk.machine.environ) is not None:
        return _why_not(desk, API)
    here = [engine for engine in desk.settings.texts("engineOrder") if engine != LOCAL and _is_here(desk, engine)]
    return _why_not(desk, here[0]) if here else failure("no-key").message


def _is_here(desk: Desk, engine: str) -> bool:
    program = program_of(engine)
    return program is not None and program_path(desk, program) is not None


def _why_not(desk: Desk, engine: str) -> str:
    """Say why an engine may not be asked, as far as can be told; nothing when it may."""
    try:
        require_ready(desk, engine)
        require_consent(desk, engine)
    except MemsuggestError as error:
        return error.message
    return ""


def _look_at(desk: Desk, engine: str, *, used: str) -> Check | None:
    """Look at one engine; None for one that is not on this machine."""
    if engine == LOCAL:
        return _local(desk, used)
    program = program_of(engine)
    if program is None:
        return _api(desk, used)
    path = program_path(desk, program)
    return _program(desk, program, path, used) if path else None


def _api(desk: Desk, used: str) -> Check:
    receiver = receiver_of(desk, API)
    key = "a key is set" if find_key(desk.machine.environ) else "no key"
    consent, hint = _consent(desk, API)
    hint = hint if find_key(desk.machine.environ) else "set ANTHROPIC_API_KEY in your environment"
    health = Health.OFF if hint else Health.OK
    return _check(API, health, f"{receiver.model} at {receiver.address}, {key}, {consent}, {used}", hint)


def _program(desk: Desk, program: Program, path: Path, used: str) -> Check:
    from memsuggest.minds.programs import look_at  # noqa: PLC0415  (runs the program: only here and before asking)

    seen = look_at(program, path, environ=desk.machine.environ)
    if seen.why_not:
        return _check(program.NAME, Health.LOOK, f"{path}, cannot be used: {seen.why_not}", program.INSTALL)
    signed_in = program.is_signed_in(environ=desk.machine.environ, home=desk.folders.home)
    words = {True: "signed in", False: "not signed in", None: "whether signed in cannot be told"}[signed_in]
    consent, hint = _consent(desk, program.NAME)
    hint = program.SIGN_IN if signed_in is False else hint
    health = Health.OFF if hint else Health.OK
    return _check(program.NAME, health, f"{seen.version}, {path}, {words}, {consent}, {used}", hint)


def _local(desk: Desk, used: str) -> Check:
    """Look at the server that was named; an unnamed one is looked for when it is named."""
    named = desk.settings.text("localEndpoint")
    if not named and desk.settings.engine != LOCAL:
        return _check(LOCAL, Health.OFF, "no server named", "`memsuggest config set engine local` looks for one")
    from memsuggest.workflows.local_models import find_local  # noqa: PLC0415  (loads the API's client)

    server, model = find_local(desk)
    return _check(LOCAL, Health.OK, f"{server.name} at {server.endpoint}, {model}, needs no consent, {used}")


def _consent(desk: Desk, engine: str) -> tuple[str, str]:
    """Return how things stand with consent, and what to do about it."""
    try:
        require_consent(desk, engine)
    except ConsentError:
        return "no consent", f"`{grant_command(engine)}`"
    return "consent given", ""


def _check(engine: str, health: Health, text: str, hint: str = "") -> Check:
    return Check(area=AREA, name=f"engine {engine}", health=health, text=text, hint=hint)
