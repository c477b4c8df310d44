"""Bridges: what makes an assistant read a customization file that it does not read by itself. Pure.

Each assistant's own documented way is used: Claude Code and Gemini CLI take in another file that a `@path` in their own
file names; Claude Code loads `.claude/rules` whose `paths` match; Codex and Cursor read `AGENTS.md`, which points on.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from memsuggest.core.identity import hash_of
from memsuggest.core.model import Cause, Edit, Maintenance, MemorySuggestion, TargetType
from memsuggest.customizations.applyto import is_unconditional, patterns_of
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.frontmatter import parse
from memsuggest.suggestions.ranking.hosts import Host, readers_of

_OWN_FILES = {
    Host.CLAUDE: ("CLAUDE.md", ".claude/CLAUDE.md"),
    Host.GEMINI: ("GEMINI.md",),
    Host.CODEX: ("AGENTS.md",),
    Host.CURSOR: ("AGENTS.md",),
}
"""By assistant, its own files beside another; the first is made where none is there."""
_IMPORTING = (Host.CLAUDE, Host.GEMINI)
_RULES = ".claude/rules"
_WHY = {
    Host.CLAUDE: "Claude Code loads files that its own file imports with `@path`",
    Host.GEMINI: "Gemini CLI loads files that its own file imports with `@path`",
    Host.CODEX: "Codex reads only AGENTS.md, which can point to other files",
    Host.CURSOR: "Cursor reads AGENTS.md, which can point to other files",
}


def bridge_id(host: Host | str, uri: str) -> str:
    return hash_of("care", Cause.UNREAD, str(host), uri)


def bridge(host: Host, uri: str, text_of: Callable[[str], str | None]) -> MemorySuggestion | None:
    """Suggest what makes an assistant read a file of the repo; None where it reads it, or no way is documented.

    `text_of` returns the text of a file of the repo, or None where there is no such file.
    """
    is_read = not readers_of(uri) or host in readers_of(uri)
    if host not in _OWN_FILES or is_read or uri.startswith("~/") or not _holds_instructions(uri):
        return None
    apply_to = parse(text_of(uri) or "").apply_to if uri.endswith(".instructions.md") else None
    is_narrow = bool(apply_to) and not is_unconditional(apply_to)
    if host is Host.CLAUDE and is_narrow and apply_to:
        return _rule_file(host, uri, apply_to, text_of)
    path = _own_file(host, uri, text_of)
    line = _line(host, uri, path, apply_to if is_narrow else None)
    before = text_of(path)
    return _made(host, uri, path, line=line, before=before, after=_with_line(before, line))


def _holds_instructions(uri: str) -> bool:
    name = posixpath.basename(uri)
    is_wide = name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "copilot-instructions.md")
    return is_wide or name.endswith(".instructions.md") or uri.startswith(f"{_RULES}/")


def _own_file(host: Host, uri: str, text_of: Callable[[str], str | None]) -> str:
    folder = posixpath.dirname(uri)
    beside = "" if folder.startswith((".github", ".claude", ".cursor")) else folder
    paths = [posixpath.join(beside, name) for name in _OWN_FILES[host]]
    return next((path for path in paths if text_of(path) is not None), paths[0])


def _line(host: Host, uri: str, path: str, apply_to: str | None) -> str:
    """Return the line of an assistant's own file that leads to another file."""
    way = posixpath.relpath(uri, posixpath.dirname(path) or ".")
    if host in _IMPORTING:
        return f"@{way}" if host is Host.CLAUDE or way.startswith("../") else f"@./{way}"
    when = f"before you change files that match `{apply_to}`" if apply_to else "before you start"
    return f"Read `{way}` {when}: it contains rules for this repository."


def _with_line(before: str | None, line: str) -> str:
    """Return a file with one more line at its end, after an empty one."""
    lines = split_lines(before or "")
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    above = "" if not lines else end if lines[-1] != bare(lines[-1]) else end * 2
    return f"{before or ''}{above}{line}{end}"


def _rule_file(host: Host, uri: str, apply_to: str, text_of: Callable[[str], str | None]) -> MemorySuggestion | None:
    """Suggest a rule of Claude Code's own, for the same files, that takes the instructions in."""
    name = posixpath.basename(uri).removesuffix(".instructions.md")
    path = f"{_RULES}/{name}.md"
    if text_of(path) is not None:
        return None  # a rule of that name is somebody's own
    way = posixpath.relpath(uri, _RULES)
    paths = "".join(f'  - "{pattern}"\n' for pattern in patterns_of(apply_to))
    line = f"@{way}"
    return _made(host, uri, path, line=line, before=None, after=f"---\npaths:\n{paths}---\n\n{line}\n")


def _made(host: Host, uri: str, path: str, *, line: str, before: str | None, after: str) -> MemorySuggestion:
    content = f"Let {host} read `{uri}`"
    return MemorySuggestion(
        id=bridge_id(host, uri),
        maintenance=Maintenance(id=bridge_id(host, uri), cause=Cause.UNREAD, content=content),
        target_type=TargetType.NEW_FILE if before is None else TargetType.INSTRUCTIONS,
        target_uri=None if before is None else path,
        suggested_file_name=path if before is None else None,
        suggested_merge_content=line,
        why=_WHY[host],
        edit=Edit(path=path, before=before, after=after),
    )
