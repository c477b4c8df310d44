"""Suggestions for files that the assistant does not read that was told, so that a list can say so."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, OutsideWorkspace
from memsuggest.core.model import MemorySuggestion, SuggestionStatus
from memsuggest.facts.stores import all_decisions
from memsuggest.files import read_exact
from memsuggest.judging.engines.fields import mapping_of
from memsuggest.suggestions.bridges import bridge_id
from memsuggest.suggestions.decision_reports import Readers
from memsuggest.suggestions.pending import pending_maintenance
from memsuggest.suggestions.ranking.hosts import Host, readers_of, unread_by
from memsuggest.suggestions.target_paths import path_of

_TAKING_IN: Mapping[Host, tuple[str, ...]] = {
    Host.CLAUDE: ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"),
    Host.GEMINI: ("GEMINI.md",),
}
"""Files of an assistant's own that may be a link to another file, or take it in with `@path`."""
_POINTED = (Host.CODEX, Host.CURSOR)
"""Assistants that read AGENTS.md, which may send them to another file."""
_IMPORT = re.compile(r"(?<!\S)@([^\s`]+)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"`[^`]*`")
_HOPS = 5
"""Imports of imports that Claude Code follows."""
_GEMINI_SETTINGS = ".gemini/settings.json"


def unread(context: Context, suggestions: Iterable[MemorySuggestion]) -> dict[str, str]:
    """Return by the ids of suggestions the assistant that was told and does not read the file, where that is so.

    Nothing is said where the person does not want the assistant to read it.
    """
    found, taken = {}, {}
    silenced = {
        decision.fact_id for decision in all_decisions(context) if decision.status is SuggestionStatus.DISMISSED
    }
    for suggestion in suggestions:
        host = unread_by(suggestion.edit.path, suggestion.fact) if suggestion.fact else None
        if host is None or bridge_id(host, suggestion.edit.path) in silenced:
            continue
        key = host, suggestion.edit.path
        if key not in taken:
            taken[key] = is_taken_in(context, *key)
        if not taken[key]:
            found[suggestion.id] = str(host)
    return found


def is_taken_in(context: Context, host: Host, uri: str) -> bool:
    """Tell whether an assistant's own file beside another is a link to it or takes it in, or its settings name it."""
    folder, _, name = uri.rpartition("/")
    own = [posixpath.join(folder, one) for one in _TAKING_IN.get(host, ())]
    if folder.startswith(".github"):
        own += [*_TAKING_IN.get(host, ()), *(_rules(context) if host is Host.CLAUDE else ())]
    if host in _POINTED and uri in _text_within(context, "AGENTS.md"):
        return True
    if any(_is_same(context, one, uri) for one in own) or uri in _imported(context, own):
        return True
    return host is Host.GEMINI and name in _names_for_gemini(context)


def _rules(context: Context) -> list[str]:
    folder = context.root / ".claude" / "rules"
    return [path.relative_to(context.root).as_posix() for path in sorted(folder.glob("*.md"))]


def _is_same(context: Context, one: str, other: str) -> bool:
    with suppress(OutsideWorkspace, FileError, OSError):
        return path_of(context, one).samefile(path_of(context, other))
    return False


def _imported(context: Context, files: Iterable[str]) -> set[str]:
    """Return what some files take in, and what that takes in; each path is seen from the file that names it."""
    found: set[str] = set()
    new = set(files)
    for _ in range(_HOPS):
        new = {path for file in new for path in _imports_of(context, file)} - found
        found |= new
    return found


def _imports_of(context: Context, uri: str) -> list[str]:
    named = (one.rstrip(".,;:!?)") for one in _IMPORT.findall(without_code(_text_within(context, uri))))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(uri), one)) for one in named if one[:1] not in "~/"]


def without_code(text: str) -> str:
    """Return the lines of a text outside of fences, without code spans: in code, `@path` is only mentioned."""
    kept, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            kept.append(_CODE_SPAN.sub(" ", line))
    return "\n".join(kept)


def _names_for_gemini(context: Context) -> list[str]:
    found: object = None
    with suppress(ValueError, RecursionError):
        settings = mapping_of(jsonc.loads(_text_within(context, _GEMINI_SETTINGS) or "{}"))
        found = mapping_of(settings.get("context")).get("fileName", settings.get("contextFileName"))
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)]


def _text_within(context: Context, name: str) -> str:
    """Return the text of any file below the root; empty where there is none, or a link leads out."""
    with suppress(FileError, OSError, ValueError):
        path = Path(os.path.realpath(context.root / name))
        if path.is_relative_to(os.path.realpath(context.root)) and path.is_file():
            return read_exact(path).text
    return ""


PROGRAMS = {
    "VS Code": Host.COPILOT,
    "Copilot CLI": Host.COPILOT,
    "Claude Code": Host.CLAUDE,
    "Codex": Host.CODEX,
    "Cursor": Host.CURSOR,
    "Gemini CLI": Host.GEMINI,
}
"""The assistants of which it is said, and whose rules for files they follow."""
_PROMPTS = ".prompt.md"
"""How files end that are typed as a `/command`, which the command line of Copilot has not."""


def readers(context: Context, uri: str) -> Readers:
    """Return who reads a file and who does not; nobody, where it is not known of any.

    Claude Code reads AGENTS.md, too, where its own file beside it is a link to it, or takes it in.
    """
    hosts = readers_of(uri)
    if not hosts:
        return Readers()
    reading = [name for name, host in PROGRAMS.items() if host in hosts or is_taken_in(context, host, uri)]
    if uri.endswith(_PROMPTS) and "Copilot CLI" in reading:
        reading.remove("Copilot CLI")
    others = tuple(name for name in PROGRAMS if name not in reading)
    offered = {suggestion.id for suggestion in pending_maintenance(context)} if others else set()
    ids = {name: bridge_id(PROGRAMS[name], uri) for name in others}
    return Readers(
        reading=tuple(reading),
        others=others,
        bridges=tuple((name, one) for name, one in ids.items() if one in offered),
    )
