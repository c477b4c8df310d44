"""The readers of a file, and bridges: what makes an assistant read a file that it does not read by itself.

Each assistant's own documented way is used: Claude Code and Gemini CLI take in another file that a `@path` in their own
file names; Claude Code loads `.claude/rules` whose `paths` match; Codex and Cursor read `AGENTS.md`, which points on.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, OutsideWorkspace
from memsuggest.core.model import Cause, Edit, Maintenance, MemorySuggestion, SuggestionStatus, TargetType
from memsuggest.customizations.applyto import is_unconditional, patterns_of
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.frontmatter import parse
from memsuggest.facts.stores import all_decisions
from memsuggest.files import read_exact
from memsuggest.suggestions.pending import pending_maintenance
from memsuggest.suggestions.ranking.hosts import Host, Readers, bridge_id, readers_of, unread_by
from memsuggest.suggestions.target_paths import path_of
from memsuggest.transcripts.parsing.json_records import fields_of

_OWN_FILES = {
    Host.CLAUDE: ("CLAUDE.md", ".claude/CLAUDE.md"),
    Host.GEMINI: ("GEMINI.md",),
    Host.CODEX: ("AGENTS.md",),
    Host.CURSOR: ("AGENTS.md",),
}
"""By assistant, its own files beside another; the first is made where none is there."""
_IMPORTING = (Host.CLAUDE, Host.GEMINI)
_RULES = ".claude/rules"
_INSTRUCTIONS = re.compile(
    r"^(?!~/)(?:.*/)?(?:AGENTS\.md|CLAUDE\.md|GEMINI\.md|copilot-instructions\.md|.*\.instructions\.md)$|^\.claude/rules/"
)
"""Files of the repo that hold instructions."""
_WHY = {
    Host.CLAUDE: "Claude Code loads files that CLAUDE.md imports with `@path`",
    Host.GEMINI: "Gemini CLI loads files that GEMINI.md imports with `@path`",
    Host.CODEX: "Codex reads only AGENTS.md, which can point to other files",
    Host.CURSOR: "Cursor reads AGENTS.md, which can point to other files",
}


def bridge(host: Host, uri: str, text_of: Callable[[str], str | None]) -> MemorySuggestion | None:
    """Suggest what makes an assistant read a file of the repo; None where it reads it, or no way is documented.

    `text_of` returns the text of a file of the repo, or None where there is no such file.
    """
    is_read = not readers_of(uri) or host in readers_of(uri)
    if host not in _OWN_FILES or is_read or not _INSTRUCTIONS.search(uri):
        return None
    apply_to = parse(text_of(uri) or "").apply_to if uri.endswith(".instructions.md") else None
    narrow = apply_to if apply_to and not is_unconditional(apply_to) else None
    if host is Host.CLAUDE and narrow:  # a rule of its own, for the same files
        path = f"{_RULES}/{posixpath.basename(uri).removesuffix('.instructions.md')}.md"
        if text_of(path) is not None:
            return None  # a rule of that name is somebody's own
        line, before = f"@{posixpath.relpath(uri, _RULES)}", None
        patterns = "".join(f'  - "{pattern}"\n' for pattern in patterns_of(narrow))
        after = f"---\npaths:\n{patterns}---\n\n{line}\n"
    else:
        folder = posixpath.dirname(uri)
        beside = "" if folder.startswith((".github", ".claude", ".cursor")) else folder
        paths = [posixpath.join(beside, name) for name in _OWN_FILES[host]]
        path = next((path for path in paths if text_of(path) is not None), paths[0])
        before, way = text_of(path), posixpath.relpath(uri, posixpath.dirname(path) or ".")
        when = f"before you change files that match `{narrow}`" if narrow else "before you start"
        line = f"Read `{way}` {when}: it contains rules for this repository."
        if host in _IMPORTING:
            line = f"@{way}" if host is Host.CLAUDE or way.startswith("../") else f"@./{way}"
        lines = split_lines(before or "")
        end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        above = "" if not lines else end if lines[-1] != bare(lines[-1]) else end * 2  # below an empty line
        after = f"{before or ''}{above}{line}{end}"
    return MemorySuggestion(
        id=bridge_id(host, uri),
        maintenance=Maintenance(id=bridge_id(host, uri), cause=Cause.UNREAD, content=f"Make {host} read `{uri}`"),
        target_type=TargetType.NEW_FILE if before is None else TargetType.INSTRUCTIONS,
        target_uri=None if before is None else path,
        suggested_file_name=path if before is None else None,
        suggested_merge_content=line,
        why=_WHY[host],
        edit=Edit(path=path, before=before, after=after),
    )


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
    """Return by the ids of suggestions the assistant of their chat, where that does not read their file.

    Nothing is said where the user does not want the assistant to read it.
    """
    decided = (decision for decision in all_decisions(context) if decision.status is SuggestionStatus.DISMISSED)
    taken = {decision.fact_id: True for decision in decided}
    found = {}
    for suggestion in suggestions:
        path = suggestion.edit.path
        if suggestion.fact and (host := unread_by(path, suggestion.fact)):
            key = bridge_id(host, path)
            if key not in taken:
                taken[key] = is_taken_in(context, host, path)
            if not taken[key]:
                found[suggestion.id] = str(host)
    return found


def is_taken_in(context: Context, host: Host, uri: str) -> bool:
    """Tell whether an assistant's own file beside another is a link to it or takes it in, or its settings name it."""
    folder, _, name = uri.rpartition("/")
    own = [posixpath.join(folder, name) for name in _TAKING_IN.get(host, ())]
    if folder.startswith(".github"):
        own += _TAKING_IN.get(host, ())
        rules = sorted((context.root / _RULES).glob("*.md")) if host is Host.CLAUDE else []
        own += [path.relative_to(context.root).as_posix() for path in rules]
    if host in _POINTED and uri in _text_within(context, "AGENTS.md"):
        return True
    for other in own:
        with suppress(OutsideWorkspace, FileError, OSError):
            if path_of(context, other).samefile(path_of(context, uri)):
                return True
    if uri in _imported(context, own):
        return True
    names: object = None
    if host is Host.GEMINI:
        with suppress(ValueError, RecursionError):
            settings = fields_of(jsonc.loads(_text_within(context, _GEMINI_SETTINGS) or "{}"))
            names = fields_of(settings.get("context")).get("fileName", settings.get("contextFileName"))
    return name in (names if isinstance(names, list) else [names])


def _imported(context: Context, files: Iterable[str]) -> set[str]:
    """Return what some files take in, and what that takes in; each path is seen from the file that names it."""
    found: set[str] = set()
    new = set(files)
    for _ in range(_HOPS):
        new = {
            posixpath.normpath(posixpath.join(posixpath.dirname(file), name.rstrip(".,;:!?)")))
            for file in new
            for name in _IMPORT.findall(_without_code(_text_within(context, file)))
            if name[:1] not in "~/"
        } - found
        found |= new
    return found


def _without_code(text: str) -> str:
    """Return the lines of a text outside of fences, without code spans: in code, `@path` is only mentioned."""
    kept, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            kept.append(_CODE_SPAN.sub(" ", line))
    return "\n".join(kept)


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
    ids = [(name, bridge_id(PROGRAMS[name], uri)) for name in others]
    bridges = tuple((name, bridge) for name, bridge in ids if bridge in offered)
    return Readers(reading=tuple(reading), others=others, bridges=bridges)
