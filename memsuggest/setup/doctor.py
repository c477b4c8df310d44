"""`doctor`: looks at everything and changes nothing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from memsuggest import __version__
from memsuggest.assistants.install_hooks import files_with_hooks
from memsuggest.core.config import HAIKU, MODEL_ENGINES, OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConsentError, MemsuggestError
from memsuggest.core.render.page import count
from memsuggest.facts.branch_merge import is_driver_installed
from memsuggest.facts.check_facts import check_facts
from memsuggest.facts.profile_rows import damage_of
from memsuggest.facts.pruning import own_unapplied
from memsuggest.graphiti.switches import look_at_server
from memsuggest.judging.asking.endpoint import find_key
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.usage_ledger import day_of
from memsuggest.judging.engine_choice import (
    chosen_engine,
    find_local,
    grant_command,
    program_of,
    program_path,
    receiver_of,
    require_consent,
    require_ready,
)
from memsuggest.judging.engines.programs import look_at
from memsuggest.judging.engines.receiver import LOCAL
from memsuggest.judging.model_access import open_ledger
from memsuggest.memory.entry_store import REPAIR
from memsuggest.memory.meaning import embedder_of
from memsuggest.setup.doctor_report import Check, Examined, Health
from memsuggest.suggestions.marker_files import watcher_of
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.rank_places import list_targets
from memsuggest.transcripts.look_at_transcripts import list_transcripts


def look_at_engines(context: Context) -> Iterator[Check]:
    """Look at the engine that judges, and at each other that is here; with `--offline`, at none."""
    engine = chosen_engine(context)
    if engine == OFFLINE:
        yield Check("model", "engine", Health.OFF, f"offline rules: {_why_offline(context)}")
    elif why := _why_not(context, engine):
        hint = "use `--offline` to evaluate chats with the offline rules"
        yield Check("model", "engine", Health.BAD, f"{engine} is not available: {why}", hint)
    else:
        model = receiver_of(context, engine).model or "its default model"
        yield Check("model", "engine", Health.OK, f"{engine}: {model}; `memsuggest usage` shows the cost")
    if context.settings.engine == OFFLINE:
        return
    with ExitStack() as opened:
        last = open_ledger(context, opened).last_uses()
    missing = []
    for engine in MODEL_ENGINES:
        used = f"last used on {day_of(last[engine])}" if engine in last else "never used"
        try:
            check = _look_at(context, engine, used=used)
        except MemsuggestError as error:
            check = Check("model", f"engine {engine}", Health.BAD, error.message, error.hint or "")
        if check:
            yield check
        else:
            missing.append(f"`{engine}`")
    if missing:
        yield Check("model", "others", Health.OFF, f"not installed: {', '.join(missing)}")


def _why_offline(context: Context) -> str:
    if context.settings.engine == OFFLINE:
        return "chosen by the `engine` setting"
    if find_key(context.machine.environ) is not None:
        return _why_not(context, HAIKU)
    for engine in context.settings.texts("engineOrder"):
        program = program_of(engine) if engine != LOCAL else None
        if program is not None and program_path(context, program) is not None:
            return _why_not(context, engine)
    return failure("no-key").message


def _why_not(context: Context, engine: str) -> str:
    try:
        require_ready(context, engine)
        require_consent(context, engine)
    except MemsuggestError as error:
        return error.message
    return ""


def _look_at(context: Context, engine: str, *, used: str) -> Check | None:
    """Look at one engine; None for one that is not on this machine."""
    name, environ = f"engine {engine}", context.machine.environ
    if engine == LOCAL:  # a server that nobody named is looked for when it is named
        if not context.settings.text("localEndpoint") and context.settings.engine != LOCAL:
            hint = "run `memsuggest config set engine local` to find a local server"
            return Check("model", name, Health.OFF, "no local server is configured", hint)
        server, model = find_local(context)
        text = f"{server.name} at {server.endpoint}, {model}, needs no consent, {used}"
        return Check("model", name, Health.OK, text)
    if program := program_of(engine):
        path = program_path(context, program)
        if not path:
            return None
        seen = look_at(program, path, environ=environ)
        if seen.why_not:
            return Check("model", name, Health.LOOK, f"{path} is not usable: {seen.why_not}", program.INSTALL)
        signed_in = program.is_signed_in(environ=environ, home=context.folders.home)
        words = {True: "signed in", False: "not signed in", None: "sign-in status unknown"}[signed_in]
        where, missing = f"{seen.version}, {path}, {words}", program.SIGN_IN if signed_in is False else ""
    else:
        receiver, key = receiver_of(context, HAIKU), find_key(environ)
        where = f"{receiver.model} at {receiver.address}, {'a key is set' if key else 'no key'}"
        missing = "" if key else "set ANTHROPIC_API_KEY in your environment"
    try:
        require_consent(context, engine)
        consent, hint = "consent given", missing
    except ConsentError:
        consent, hint = "no consent", missing or f"`{grant_command(engine)}`"
    return Check("model", name, Health.OFF if hint else Health.OK, f"{where}, {consent}, {used}", hint)


MENTIONS = {".pre-commit-config.yaml": "pre-commit hooks", ".github/workflows": "GitHub Action"}
"""Where others' configuration would name memsuggest, and for what."""


def examine(context: Context) -> Examined:
    """Look at every area; a failure in one is reported there and hides nothing of the others."""
    quiet = context.dry()
    checks: list[Check] = []
    for area, look in AREAS.items():
        try:
            checks.extend(look(quiet))
        except MemsuggestError as error:
            checks.append(Check(area, area, Health.BAD, error.message, error.hint or ""))
    return Examined(version=__version__, checks=tuple(checks))


def _workspace(context: Context) -> Iterator[Check]:
    yield Check("workspace", "program", Health.OK, f"{__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    git = "in git" if context.place.git_folder else "not in git: no one but you can review or revert applied changes"
    yield Check("workspace", "root", Health.OK if context.place.git_folder else Health.LOOK, f"{context.root}, {git}")
    mode, is_off = context.settings.values["mode"], context.settings.mode is Mode.OFF
    hint = "`memsuggest config set mode occasional`" if is_off else ""
    health = Health.OFF if is_off else Health.OK
    yield Check("workspace", "mode", health, f"{context.settings.mode}, from {mode.source}", hint)
    for skip in context.settings.ignored:
        yield Check("workspace", "setting", Health.LOOK, f"{skip.what} is ignored: {skip.why}")


def _chats(context: Context) -> Iterator[Check]:
    if context.settings.mode is Mode.OFF:
        yield Check("chats", "chats", Health.OFF, "chats are not searched in `off` mode")
        return
    listed = list_transcripts(context, paths=[])
    if not listed.rows:
        hint = "run `memsuggest reconcile PATH`, or add the folder to the `transcripts` setting"
        yield Check("chats", "chats", Health.OFF, "no chats found for this workspace", hint)
    by_format: dict[str, Counter[str]] = {}
    for row in listed.rows:
        by_format.setdefault(row.format, Counter())[row.state] += 1
    for name, states in sorted(by_format.items()):
        text = ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
        hint = "run `memsuggest transcripts` to see why" if states.keys() & {"failed", "postponed"} else ""
        yield Check("chats", name, Health.LOOK if hint else Health.OK, text, hint)
    for skip in listed.skipped:
        yield Check("chats", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _files(context: Context) -> Iterator[Check]:
    listed = list_targets(context, source_file=None)
    kinds = Counter(str(row.type) for row in listed.rows)
    text = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    hint = "" if kinds else "the first suggestion you apply will create a file"
    yield Check("files", "targets", Health.OK if kinds else Health.OFF, text or "no customization files", hint)
    if warned := sum(bool(row.warnings) for row in listed.rows):
        text = f"in {count(warned, 'file', 'files')}"
        yield Check("files", "warnings", Health.LOOK, text, "`memsuggest targets` lists the warnings")
    for skip in listed.skipped:
        yield Check("files", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _memory(context: Context) -> Iterator[Check]:
    damage = damage_of(context.profile.entries.connection)
    text, hint = (f"damaged: {damage}", REPAIR) if damage else ("no damage found", "")
    yield Check("memory", "profile", Health.BAD if damage else Health.OK, text, hint)
    team = check_facts(context)
    hint = "`memsuggest memory clean --check` lists the problems" if team.problems else ""
    text = f"{team.facts} shared, {count(len(team.problems), 'problem', 'problems')}"
    yield Check("memory", "facts.json", Health.BAD if team.problems else Health.OK, text, hint)
    for scope, (kept, limit) in own_unapplied(context).items():
        hint = "run `memsuggest memory clean --dry-run` to see which facts would be removed" if kept > limit else ""
        text = f"{kept} unapplied; the limit is {limit}"
        yield Check("memory", f"{scope} facts", Health.LOOK if hint else Health.OK, text, hint)
    pending, hint = len(load(context)), "`memsuggest list`"
    yield Check("memory", "pending", Health.OK, count(pending, "suggestion", "suggestions"), hint if pending else "")
    if context.settings.text("meaning") != "off":
        try:
            embedder = embedder_of(context.settings)
            assert embedder
            embedder.query("check that it is running")
        except MemsuggestError as error:
            yield Check("memory", "meaning", Health.BAD, error.message, error.hint or "")
        else:
            yield Check("memory", "meaning", Health.OK, f"`recall` also searches by meaning, with {embedder.name}")
    if context.journal.unfinished():
        text = "the next command that writes data will complete or revert the change"
        yield Check("memory", "journal", Health.LOOK, f"`memsuggest apply` was interrupted; {text}")


def _installed(context: Context) -> Iterator[Check]:
    owner = watcher_of(context)
    is_driver = context.place.git_folder is not None and is_driver_installed(context)
    hooks = "`memsuggest hooks install --for claude-code` (or vscode, copilot-cli)"
    driver = "git uses the merge driver for facts.json" if is_driver else ""
    rows = [
        ("assistant hooks", ", ".join(files_with_hooks(context)), hooks),
        ("watcher", f"process {owner.pid}" if owner else "", "`memsuggest watch`"),
        ("merge driver", driver, "`memsuggest memory merge-driver install`"),
    ]
    for path, name in MENTIONS.items():
        rows.append((name, f"in {path}" if _is_named(context.root / path) else "", "see docs/teams.md"))
    for name, text, hint in rows:
        if text:
            yield Check("installed", name, Health.OK, text)
        else:
            yield Check("installed", name, Health.OFF, "not running" if name == "watcher" else "not installed", hint)


def _is_named(place: Path) -> bool:
    for file in sorted(place.glob("*.y*ml")) if place.is_dir() else [place]:
        with suppress(OSError), file.open("rb") as stream:
            if b"memsuggest" in stream.read(256 * 1024):
                return True
    return False


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
