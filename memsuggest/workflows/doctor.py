"""`doctor`: looks at everything and changes nothing."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.config import Mode
from memsuggest.errors import MemsuggestError
from memsuggest.memory.profile_repair import damage_of
from memsuggest.recall.entry_rows import REPAIR
from memsuggest.reports.doctor_report import Check, Examined, Health
from memsuggest.workflows.doctor_engines import look_at_engines
from memsuggest.workflows.facts.merge_driver import is_driver_installed
from memsuggest.workflows.facts.prune_facts import own_unapplied
from memsuggest.workflows.graphiti.switches import look_at_server
from memsuggest.workflows.inspect import list_targets
from memsuggest.workflows.marker_files import watcher_of
from memsuggest.workflows.suggest.pending import load
from memsuggest.workflows.transcripts import list_transcripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memsuggest.model import Scope
    from memsuggest.workflows.context import Context

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
    git = "in git" if context.place.git_folder else "not in git: nobody can review or take back what is applied but you"
    yield _check("workspace", "root", Health.OK if context.place.git_folder else Health.LOOK, f"{context.root}, {git}")
    mode = context.settings.values["mode"]
    health = Health.OFF if context.settings.mode is Mode.OFF else Health.OK
    hint = "`memsuggest config set mode occasional`" if health is Health.OFF else ""
    yield _check("workspace", "mode", health, f"{context.settings.mode}, from {mode.source}", hint)
    for skip in context.settings.ignored:
        yield _check("workspace", "setting", Health.LOOK, f"{skip.what} is ignored: {skip.why}")


def _chats(context: Context) -> Iterator[Check]:
    if context.settings.mode is Mode.OFF:
        yield _check("chats", "chats", Health.OFF, "not looked for, because the mode is off")
        return
    listed = list_transcripts(context, paths=[])
    if not listed.rows:
        hint = "name a file with `memsuggest reconcile PATH`, or its folder in the setting `transcripts`"
        yield _check("chats", "chats", Health.OFF, "none of this workspace in any assistant's place", hint)
    by_format: dict[str, Counter[str]] = {}
    for row in listed.rows:
        by_format.setdefault(row.format, Counter())[row.state] += 1
    for name, states in sorted(by_format.items()):
        text = ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
        is_bad = any(state in {"failed", "postponed"} for state in states)
        hint = "`memsuggest transcripts` says why" if is_bad else ""
        yield _check("chats", name, Health.LOOK if is_bad else Health.OK, text, hint)
    for skip in listed.skipped:
        yield _check("chats", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _files(context: Context) -> Iterator[Check]:
    listed = list_targets(context, source_file=None)
    kinds = Counter(str(row.type) for row in listed.rows)
    text = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    hint = "" if kinds else "the first suggestion will propose one"
    yield _check("files", "targets", Health.OK if kinds else Health.OFF, text or "no customization files", hint)
    warned = sum(bool(row.warnings) for row in listed.rows)
    if warned:
        yield _check("files", "warnings", Health.LOOK, f"in {warned} of them", "`memsuggest targets` lists them")
    for skip in listed.skipped:
        yield _check("files", "skipped", Health.LOOK, f"{skip.what}: {skip.why}")


def _memory(context: Context) -> Iterator[Check]:
    from memsuggest.workflows.facts.check_facts import check_facts  # noqa: PLC0415  (the slowest to load, and may fail by itself)

    damage = damage_of(context.profile.entries.connection)
    text, hint = ("sound", "") if not damage else (f"damaged: {damage}", REPAIR)
    yield _check("memory", "profile", Health.BAD if damage else Health.OK, text, hint)
    team = check_facts(context)
    hint = "`memsuggest facts check` lists them" if team.problems else ""
    health = Health.BAD if team.problems else Health.OK
    yield _check("memory", "facts.json", health, f"{team.facts} shared, {len(team.problems)} problems", hint)
    for scope, (held, limit) in own_unapplied(context).items():
        yield _limits(scope, held, limit)
    waiting = len(load(context))
    yield _check("memory", "pending", Health.OK, f"{waiting} suggestions", "`memsuggest list`" if waiting else "")
    if context.journal.unfinished():
        text = "an apply was interrupted; the next command that writes finishes it or takes it back"
        yield _check("memory", "journal", Health.LOOK, text)


def _limits(scope: Scope, held: int, limit: int) -> Check:
    hint = "`memsuggest facts prune --dry-run` shows which would go" if held > limit else ""
    health = Health.LOOK if held > limit else Health.OK
    return _check("memory", f"{scope} facts", health, f"{held} of at most {limit} unapplied", hint)


def _installed(context: Context) -> Iterator[Check]:
    from memsuggest.workflows.assistants.install_hooks import files_with_hooks  # noqa: PLC0415

    hooks = files_with_hooks(context)
    hint = "" if hooks else "`memsuggest hooks install --for claude-code` (or vscode, copilot-cli)"
    yield _there("assistant hooks", ", ".join(hooks), hint)
    owner = watcher_of(context)
    yield _there("watcher", f"process {owner.pid}" if owner else "", "`memsuggest watch`")
    is_driver = context.place.git_folder is not None and is_driver_installed(context)
    yield _there(
        "merge driver", "git merges facts.json" if is_driver else "", "`memsuggest facts merge-driver install`"
    )
    for path, name in MENTIONS.items():
        yield _there(name, f"in {path}" if _is_named(context, path) else "", "see docs/teams.md")
    has_library = importlib.util.find_spec("desktop_notifier") is not None
    yield _there("desktop notices", "`watch --desktop`" if has_library else "", "the extra `desktop` brings them")


def _there(name: str, text: str, hint: str) -> Check:
    if text:
        return _check("installed", name, Health.OK, text)
    return _check("installed", name, Health.OFF, "not there", hint)


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
