"""`doctor`: looks at everything and changes nothing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from memsuggest import __version__
from memsuggest.core.config import MINDS, OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConsentError, MemsuggestError
from memsuggest.core.model import Scope
from memsuggest.facts.branch_merge import is_driver_installed
from memsuggest.facts.facts_by_hand import own_unapplied
from memsuggest.facts.profile_rows import damage_of
from memsuggest.graphiti.switches import look_at_server
from memsuggest.judging.asking.endpoint import find_key
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.usage_ledger import day_of
from memsuggest.judging.engine_choice import (
    chosen_engine,
    grant_command,
    program_of,
    program_path,
    receiver_of,
    require_consent,
    require_ready,
)
from memsuggest.judging.engines.receiver import API, LOCAL
from memsuggest.judging.engines.running import Program
from memsuggest.judging.model_access import open_ledger
from memsuggest.memory.entry_rows import REPAIR
from memsuggest.setup.doctor_report import Check, Examined, Health
from memsuggest.suggestions.inspect import list_targets
from memsuggest.suggestions.marker_files import watcher_of
from memsuggest.suggestions.pending import load
from memsuggest.transcripts.look_at_transcripts import list_transcripts

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
            check = _engine_check(engine, Health.BAD, error.message, error.hint or "")
        if check:
            yield check
        else:
            missing.append(f"`{engine}`")
    if missing:
        yield Check(area=AREA, name="others", health=Health.OFF, text=f"not installed: {', '.join(missing)}")


def _judge(context: Context) -> Check:
    """Say which engine judges what is read now, and why no other does."""
    engine = chosen_engine(context)
    why = _why_offline(context) if engine == OFFLINE else _why_not(context, engine)
    if engine == OFFLINE:
        return Check(area=AREA, name="engine", health=Health.OFF, text=f"offline rules: {why}")
    if why:
        text = f"{engine}, not available: {why}"
        return Check(
            area=AREA, name="engine", health=Health.BAD, text=text, hint="use `--offline` for the offline rules"
        )
    receiver = receiver_of(context, engine)
    text = f"{engine}: {receiver.model or 'its default model'}; `memsuggest usage`"
    return Check(area=AREA, name="engine", health=Health.OK, text=text)


def _why_offline(context: Context) -> str:
    if context.settings.engine == OFFLINE:
        return "set by `engine`"
    if find_key(context.machine.environ) is not None:
        return _why_not(context, API)
    here = [engine for engine in context.settings.texts("engineOrder") if engine != LOCAL and _is_here(context, engine)]
    return _why_not(context, here[0]) if here else failure("no-key").message


def _is_here(context: Context, engine: str) -> bool:
    program = program_of(engine)
    return program is not None and program_path(context, program) is not None


def _why_not(context: Context, engine: str) -> str:
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
    return _engine_check(API, health, f"{receiver.model} at {receiver.address}, {key}, {consent}, {used}", hint)


def _program(context: Context, program: Program, path: Path, used: str) -> Check:
    from memsuggest.judging.engines.programs import look_at

    seen = look_at(program, path, environ=context.machine.environ)
    if seen.why_not:
        return _engine_check(program.NAME, Health.LOOK, f"{path}, not usable: {seen.why_not}", program.INSTALL)
    signed_in = program.is_signed_in(environ=context.machine.environ, home=context.folders.home)
    words = {True: "signed in", False: "not signed in", None: "sign-in status unknown"}[signed_in]
    consent, hint = _consent(context, program.NAME)
    hint = program.SIGN_IN if signed_in is False else hint
    health = Health.OFF if hint else Health.OK
    return _engine_check(program.NAME, health, f"{seen.version}, {path}, {words}, {consent}, {used}", hint)


def _local(context: Context, used: str) -> Check:
    """Look at the server that was named; an unnamed one is looked for when it is named."""
    named = context.settings.text("localEndpoint")
    if not named and context.settings.engine != LOCAL:
        return _engine_check(
            LOCAL, Health.OFF, "no server configured", "run `memsuggest config set engine local` to find one"
        )
    from memsuggest.judging.engine_choice import find_local

    server, model = find_local(context)
    return _engine_check(LOCAL, Health.OK, f"{server.name} at {server.endpoint}, {model}, needs no consent, {used}")


def _consent(context: Context, engine: str) -> tuple[str, str]:
    try:
        require_consent(context, engine)
    except ConsentError:
        return "no consent", f"`{grant_command(engine)}`"
    return "consent given", ""


def _engine_check(engine: str, health: Health, text: str, hint: str = "") -> Check:
    return _check(AREA, f"engine {engine}", health, text, hint)


MENTIONS: Mapping[str, str] = {
    ".pre-commit-config.yaml": "pre-commit hooks",
    ".github/workflows": "GitHub Action",
}
"""Where others' configuration would name memsuggest, and for what."""

_READ_LIMIT = 256 * 1024  # bytes of a configuration that is searched for our name


def examine(context: Context) -> Examined:
    """Look at every area; what fails in one is told there and hides nothing of the others."""
    quiet = context.dry()
    checks = [check for area, look in AREAS.items() for check in _guarded(quiet, area, look)]
    return Examined(version=__version__, checks=tuple(checks))


def _guarded(context: Context, area: str, look: Callable[[Context], Iterator[Check]]) -> Iterator[Check]:
    try:
        yield from look(context)
    except MemsuggestError as error:
        yield Check(area=area, name=area, health=Health.BAD, text=error.message, hint=error.hint or "")


def _workspace(context: Context) -> Iterator[Check]:
    yield _check("workspace", "program", Health.OK, f"{__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    git = "in git" if context.place.git_folder else "not in git: no one but you can review or revert applied changes"
    yield _check("workspace", "root", Health.OK if context.place.git_folder else Health.LOOK, f"{context.root}, {git}")
    mode = context.settings.values["mode"]
    health = Health.OFF if context.settings.mode is Mode.OFF else Health.OK
    hint = "`memsuggest config set mode occasional`" if health is Health.OFF else ""
    yield _check("workspace", "mode", health, f"{context.settings.mode}, from {mode.source}", hint)
    for skip in context.settings.ignored:
        yield _check("workspace", "setting", Health.LOOK, f"{skip.what} is ignored: {skip.why}")


def _chats(context: Context) -> Iterator[Check]:
    if context.settings.mode is Mode.OFF:
        yield _check("chats", "chats", Health.OFF, "not searched, because the mode is off")
        return
    listed = list_transcripts(context, paths=[])
    if not listed.rows:
        hint = "run `memsuggest reconcile PATH`, or add the folder to the setting `transcripts`"
        yield _check("chats", "chats", Health.OFF, "no chats of this workspace found", hint)
    by_format: dict[str, Counter[str]] = {}
    for row in listed.rows:
        by_format.setdefault(row.format, Counter())[row.state] += 1
    for name, states in sorted(by_format.items()):
        text = ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
        is_bad = any(state in {"failed", "postponed"} for state in states)
        hint = "run `memsuggest transcripts` to see why" if is_bad else ""
        yield _check("chats", name, Health.LOOK if is_bad else Health.OK, text, hint)
    for skip in listed.skipped:
        yield _check("chats", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _files(context: Context) -> Iterator[Check]:
    listed = list_targets(context, source_file=None)
    kinds = Counter(str(row.type) for row in listed.rows)
    text = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    hint = "" if kinds else "the first suggestion will create one"
    yield _check("files", "targets", Health.OK if kinds else Health.OFF, text or "no customization files", hint)
    warned = sum(bool(row.warnings) for row in listed.rows)
    if warned:
        yield _check("files", "warnings", Health.LOOK, f"in {warned} of them", "`memsuggest targets` lists them")
    for skip in listed.skipped:
        yield _check("files", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _memory(context: Context) -> Iterator[Check]:
    from memsuggest.facts.branch_merge import check_facts

    damage = damage_of(context.profile.entries.connection)
    text, hint = ("sound", "") if not damage else (f"damaged: {damage}", REPAIR)
    yield _check("memory", "profile", Health.BAD if damage else Health.OK, text, hint)
    team = check_facts(context)
    hint = "`memsuggest memory clean --check` lists them" if team.problems else ""
    health = Health.BAD if team.problems else Health.OK
    yield _check("memory", "facts.json", health, f"{team.facts} shared, {len(team.problems)} problems", hint)
    for scope, (held, limit) in own_unapplied(context).items():
        yield _limits(scope, held, limit)
    waiting = len(load(context))
    yield _check("memory", "pending", Health.OK, f"{waiting} suggestions", "`memsuggest list`" if waiting else "")
    if context.settings.text("meaning") != "off":
        yield _meaning(context)
    if context.journal.unfinished():
        text = "an apply was interrupted; the next command that writes completes or reverts it"
        yield _check("memory", "journal", Health.LOOK, text)


def _meaning(context: Context) -> Check:
    """Say whether what turns chats into vectors is there."""
    from memsuggest.memory.meaning import embedder_of

    try:
        embedder = embedder_of(context.settings)
        assert embedder
        embedder.query("check that it is running")
    except MemsuggestError as error:
        return _check("memory", "meaning", Health.BAD, error.message, error.hint or "")
    return _check("memory", "meaning", Health.OK, f"`recall` also searches by meaning, with {embedder.name}")


def _limits(scope: Scope, held: int, limit: int) -> Check:
    hint = "run `memsuggest memory clean --dry-run` to see which would be removed" if held > limit else ""
    health = Health.LOOK if held > limit else Health.OK
    return _check("memory", f"{scope} facts", health, f"{held} of at most {limit} unapplied", hint)


def _installed(context: Context) -> Iterator[Check]:
    from memsuggest.assistants.install_hooks import files_with_hooks

    hooks = files_with_hooks(context)
    hint = "" if hooks else "`memsuggest hooks install --for claude-code` (or vscode, copilot-cli)"
    yield _there("assistant hooks", ", ".join(hooks), hint)
    owner = watcher_of(context)
    yield _there("watcher", f"process {owner.pid}" if owner else "", "`memsuggest watch`")
    is_driver = context.place.git_folder is not None and is_driver_installed(context)
    yield _there(
        "merge driver", "git merges facts.json" if is_driver else "", "`memsuggest memory merge-driver install`"
    )
    for path, name in MENTIONS.items():
        yield _there(name, f"in {path}" if _is_named(context, path) else "", "see docs/teams.md")


def _there(name: str, text: str, hint: str) -> Check:
    if text:
        return _check("installed", name, Health.OK, text)
    return _check("installed", name, Health.OFF, "not installed", hint)


def _is_named(context: Context, path: str) -> bool:
    """Tell whether git's or the folder's files at a path mention memsuggest."""
    place = context.root / path
    files = sorted(place.glob("*.y*ml")) if place.is_dir() else [place]
    for file in files:
        try:
            with file.open("rb") as stream:
                if b"memsuggest" in stream.read(_READ_LIMIT):
                    return True
        except OSError:
            continue
    return False


def _check(area: str, name: str, health: Health, text: str, hint: str = "") -> Check:
    return Check(area=area, name=name, health=health, text=text, hint=hint)


AREAS: Mapping[str, Callable[[Context], Iterator[Check]]] = {
    "workspace": _workspace,
    "chats": _chats,
    "files": _files,
    "memory": _memory,
    "model": look_at_engines,
    "graphiti": look_at_server,
    "installed": _installed,
}
"""What is looked at, in the order in which it is told."""
