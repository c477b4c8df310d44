"""The engines in `doctor`: which one judges, and how each stands. Nobody is asked anything."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.asking.endpoint import find_key
from memsuggest.asking.outcomes import failure
from memsuggest.asking.usage_ledger import day_of
from memsuggest.config import MINDS, OFFLINE
from memsuggest.engines.receiver import API, LOCAL
from memsuggest.errors import ConsentError, MemsuggestError
from memsuggest.reports.doctor_report import Check, Health
from memsuggest.workflows.ask.engine_choice import (
    chosen_engine,
    grant_command,
    program_of,
    program_path,
    receiver_of,
    require_consent,
    require_ready,
)
from memsuggest.workflows.ask.model_access import open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memsuggest.engines.running import Program
    from memsuggest.workflows.context import Context

AREA = "model"


def look_at_engines(context: Context) -> Iterator[Check]:
    """Look at the engine that judges, and at each other that is here; with `--offline`, at none."""
    yield _judge(context)
    if context.settings.engine == OFFLINE:
        return
    with ExitStack() as opened:
        last = open_ledger(context, opened).last_uses()
    missing = []
    for engine in MINDS:
        used = f"last asked on {day_of(last[engine])}" if engine in last else "never asked"
        try:
            check = _look_at(context, engine, used=used)
        except MemsuggestError as error:
            check = _check(engine, Health.BAD, error.message, error.hint or "")
        if check:
            yield check
        else:
            missing.append(f"`{engine}`")
    if missing:
        yield Check(area=AREA, name="others", health=Health.OFF, text=f"not here: {', '.join(missing)}")


def _judge(context: Context) -> Check:
    """Say which engine judges what is read now, and why no other does."""
    engine = chosen_engine(context)
    why = _why_offline(context) if engine == OFFLINE else _why_not(context, engine)
    if engine == OFFLINE:
        return Check(area=AREA, name="engine", health=Health.OFF, text=f"offline rules: {why}")
    if why:
        text = f"{engine}, which cannot be asked: {why}"
        return Check(area=AREA, name="engine", health=Health.BAD, text=text, hint="`--offline` takes our own rules")
    receiver = receiver_of(context, engine)
    text = f"{engine}: {receiver.model or 'a model of its own choice'}; `memsuggest usage`"
    return Check(area=AREA, name="engine", health=Health.OK, text=text)


def _why_offline(context: Context) -> str:
    if context.settings.engine == OFFLINE:
        return "the setting `engine` says so"
    if find_key(context.machine.environ) is not None:
        return _why_not(context, API)
    here = [engine for engine in context.settings.texts("engineOrder") if engine != LOCAL and _is_here(context, engine)]
    return _why_not(context, here[0]) if here else failure("no-key").message


def _is_here(context: Context, engine: str) -> bool:
    program = program_of(engine)
    return program is not None and program_path(context, program) is not None


def _why_not(context: Context, engine: str) -> str:
    """Say why an engine may not be asked, as far as can be told; nothing when it may."""
    try:
        require_ready(context, engine)
        require_consent(context, engine)
    except MemsuggestError as error:
        return error.message
    return ""


def _look_at(context: Context, engine: str, *, used: str) -> Check | None:
    """Look at one engine; None for one that is not on this machine."""
    if engine == LOCAL:
        return _local(context, used)
    program = program_of(engine)
    if program is None:
        return _api(context, used)
    path = program_path(context, program)
    return _program(context, program, path, used) if path else None


def _api(context: Context, used: str) -> Check:
    receiver = receiver_of(context, API)
    key = "a key is set" if find_key(context.machine.environ) else "no key"
    consent, hint = _consent(context, API)
    hint = hint if find_key(context.machine.environ) else "set ANTHROPIC_API_KEY in your environment"
    health = Health.OFF if hint else Health.OK
    return _check(API, health, f"{receiver.model} at {receiver.address}, {key}, {consent}, {used}", hint)


def _program(context: Context, program: Program, path: Path, used: str) -> Check:
    from memsuggest.engines.programs import look_at  # noqa: PLC0415  (runs the program: only here and before asking)

    seen = look_at(program, path, environ=context.machine.environ)
    if seen.why_not:
        return _check(program.NAME, Health.LOOK, f"{path}, cannot be used: {seen.why_not}", program.INSTALL)
    signed_in = program.is_signed_in(environ=context.machine.environ, home=context.folders.home)
    words = {True: "signed in", False: "not signed in", None: "whether signed in cannot be told"}[signed_in]
    consent, hint = _consent(context, program.NAME)
    hint = program.SIGN_IN if signed_in is False else hint
    health = Health.OFF if hint else Health.OK
    return _check(program.NAME, health, f"{seen.version}, {path}, {words}, {consent}, {used}", hint)


def _local(context: Context, used: str) -> Check:
    """Look at the server that was named; an unnamed one is looked for when it is named."""
    named = context.settings.text("localEndpoint")
    if not named and context.settings.engine != LOCAL:
        return _check(LOCAL, Health.OFF, "no server named", "`memsuggest config set engine local` looks for one")
    from memsuggest.workflows.ask.local_models import find_local  # noqa: PLC0415  (loads the API's client)

    server, model = find_local(context)
    return _check(LOCAL, Health.OK, f"{server.name} at {server.endpoint}, {model}, needs no consent, {used}")


def _consent(context: Context, engine: str) -> tuple[str, str]:
    """Return how things stand with consent, and what to do about it."""
    try:
        require_consent(context, engine)
    except ConsentError:
        return "no consent", f"`{grant_command(engine)}`"
    return "consent given", ""


def _check(engine: str, health: Health, text: str, hint: str = "") -> Check:
    return Check(area=AREA, name=f"engine {engine}", health=health, text=text, hint=hint)
