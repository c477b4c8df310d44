"""Lints of customization files: headers, `applyTo` patterns and names that hosts do not read as they were meant. Pure.

Each has a message in the table below, and a fix where that is safe.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memsuggest.core.errors import EditConflict
from memsuggest.core.model import Edit, Target, TargetType
from memsuggest.customizations.applyto import patterns_of, portable
from memsuggest.customizations.blocks.line_kinds import bare, fence_of, split_lines
from memsuggest.customizations.blocks.scan import BlockKind, blocks
from memsuggest.customizations.frontmatter import (
    FrontMatter,
    header_start,
    is_unopened,
    rename_attribute,
    set_attribute,
)
from memsuggest.customizations.globs import alternatives
from memsuggest.customizations.kinds import header_of, kind_by_name_of_file, place_of


class Finding(NamedTuple):
    """A lint that applies to a file."""

    lint: str
    message: str
    fix: Edit | None = None


_Trouble = tuple[str, str, str | None]
"""A lint, what is to be put into its message, and the whole file with it put right; None where that takes a person."""
MESSAGES = {
    "header-bom": "assistants ignore the front matter because a byte order mark precedes it",
    "header-blank": "assistants ignore the front matter because a blank line precedes it",
    "header-wrapped": "the file is wrapped in a code fence, so its front matter is not read",
    "header-unopened": "without an opening `---`, the front matter is read as text",
    "header-unclosed": "the front matter has no closing `---`, so the whole file is read as front matter",
    "header-misspelt": "unknown key: {}",
    "apply-to-list": "`applyTo` is a list, which VS Code ignores; use one quoted, comma-separated string",
    "apply-to-map": "`applyTo` starts with an unquoted `{`, so it is read as a map and ignored",
    "apply-to-missing": (
        "without `applyTo`, the file is never attached automatically, only offered based on its description"
    ),
    "apply-to-dot": "{} never matches in VS Code, because patterns cannot start with `./` or `../`",
    "apply-to-rooted": "{} starts at the file system root in VS Code",
    "apply-to-negation": "{} excludes nothing, because `!` is an ordinary character in `applyTo`",
    "apply-to-blank-in-braces": "{} contains a space within braces, which is matched literally",
    "apply-to-nested-braces": "{} contains nested braces, which VS Code reads differently",
    "apply-to-backslash": "{} contains a backslash, which is neither a folder separator nor an escape character here",
    "apply-to-separator": "{} is read as a single pattern; separate patterns with commas",
    "apply-to-quotes": "{} contains quotes within the value, which are matched literally",
    "apply-to-folder": "{} names a folder but matches no files in it; add `**`",
    "apply-to-class": "{} contains brackets, which match any one of the characters inside",
    "apply-to-dialect": "{} matches in every folder in VS Code, but only in the root folder on GitHub",
    "skill-name": "the name must match the skill's folder: {}",
    "description-missing": "the description is missing, so {}",
}


def lint(target: Target) -> tuple[Finding, ...]:
    """Look at one file; findings come in the order of the table."""
    place = place_of(target.uri.removeprefix("~/"))
    kind = place.kind if place else kind_by_name_of_file(target.uri)
    if kind.always_on or target.type is TargetType.HOOK:
        return ()
    header = header_of(kind, target.text)
    found = []
    of_files, of_patterns = _of_header(target.text, header), _of_apply_to(target.text, header, kind.name)
    for name, detail, after in (*of_files, *of_patterns, *_of_names(target, header, kind.name)):
        fix = None if after in (None, target.text) else Edit(path=target.uri, before=target.text, after=after)
        found.append(Finding(name, MESSAGES[name].replace("{}", detail), fix))
    return tuple(found)


_KEY_LINE = re.compile(r"(?:['\"]?)([A-Za-z][\w-]*)(?:['\"]?)[ \t]*:")
_RENAMED = {"user-invokable": "user-invocable", "apply-to": "applyTo", "apply_to": "applyTo", "applyto": "applyTo"}
"""Keys that no host knows, and the one that was meant."""


def _of_header(text: str, header: FrontMatter) -> Iterator[_Trouble]:
    lines = split_lines(text)
    plain = [bare(line) for line in lines]
    ending = lines[0][len(plain[0]) :] if lines else ""
    start = header_start(plain)
    before = "".join(lines[:start]) if start else "\ufeff" if text.startswith("\ufeff---") else ""
    if start is not None and before and not header.has_header:
        name = "header-wrapped" if before.strip("\ufeff \t\r\n") else "header-blank"
        kept = [lines[start].removeprefix("\ufeff"), *lines[start + 1 :]]
        marks = (fence_of(bare(line).removeprefix("\ufeff")) for line in lines[:start])
        fence = next(filter(None, marks), None)
        last = next((index for index in range(len(kept) - 1, 0, -1) if kept[index].strip()), 0)
        closing = fence_of(bare(kept[last]))
        if fence and closing and fence.is_closed_by(closing):  # the other end of the fence around the file
            kept = kept[:last]
        yield "header-bom" if before == "\ufeff" else name, "", "".join(kept)
    if lines and is_unopened(plain):
        yield "header-unopened", "", f"---{ending}" + text.removeprefix("\ufeff")
    if header.has_header and not header.is_closed:
        end = 1
        while end < len(lines) and (_KEY_LINE.match(lines[end]) or lines[end][:1] in " \t-") and lines[end].strip():
            end += 1
        is_clear = end > 1 and lines[end - 1].endswith("\n")
        yield "header-unclosed", "", "".join([*lines[:end], f"---{ending}", *lines[end:]]) if is_clear else None
    for entry in header.entries:
        meant = _RENAMED.get(entry.key) or _RENAMED.get(entry.key.lower() if entry.key != "applyTo" else "")
        if meant and header.value(meant) is None:
            yield "header-misspelt", f"`{entry.key}` for `{meant}`", rename_attribute(text, entry.key, meant)


_QUOTES = "'\"`"
_BRACES_WITH_BLANKS = re.compile(r"\{[^{}]*\s[^{}]*\}")
_DYNAMIC_NAME = re.compile(
    r"(?:(?<=/)|^)\[{1,2}(?:\.\.\.)?[A-Za-z][A-Za-z0-9_]+\]{1,2}(?=/|$)"  # a whole folder's name
    r"|(?<=/)\[(?:id|\.\.\.[A-Za-z0-9_]+|[A-Za-z0-9_]{4,})\](?=\.)"  # a file's
)
"""`[id]`, `[[...slug]]`: a folder's literal name in some web frameworks, and a class of characters for the hosts."""


def _of_apply_to(text: str, header: FrontMatter, kind: str) -> Iterator[_Trouble]:
    value, values = header.value("applyTo"), header.strings("applyTo") or []
    if value is None:
        if kind == "instructions" and (header.description or "").strip():
            yield "apply-to-missing", "", None
        return
    if value.kind == "map":
        start = header.header_start + value.start
        written = text[start:].split("\n", 1)[0].rstrip("\r")
        meant = _repaired(patterns_of(written))
        yield "apply-to-map", "", text[:start] + f'"{meant}"' + text[start + len(written) :] if meant else None
        return
    patterns = patterns_of(values[0]) if value.kind == "scalar" and values else values
    meant = _repaired(patterns)
    after = None if meant is None or meant == header.apply_to else _with(text, "applyTo", meant)
    if value.kind == "sequence":
        yield "apply-to-list", "", after
    for name, is_wrong in _WRONG.items():
        if wrong := [pattern for pattern in patterns if is_wrong(pattern)]:
            yield name, ", ".join(f"`{pattern}`" for pattern in wrong[:3]), after


def _with(text: str, key: str, value: str) -> str | None:
    try:
        return set_attribute(text, key, value)
    except EditConflict:
        return None


def _repaired(patterns: list[str]) -> str | None:
    """Write patterns as they were meant, so that every host reads them; None where that is not clear."""
    parts = [part for pattern in patterns for part in re.split(r"[;|]", pattern.strip(_QUOTES + " []"))]
    meant: list[str] = []
    for part in parts:
        spaced = re.sub(r"\s*([{},])\s*", r"\1", part.strip(_QUOTES + " \t"))
        for way in alternatives(_DYNAMIC_NAME.sub("*", spaced).replace("\\", "/")):
            meant += [way] if way else []
    try:
        return portable(meant) or None
    except ValueError:
        return None


_WRONG: dict[str, Callable[[str], object]] = {
    "apply-to-dot": lambda pattern: pattern.startswith(("./", "../")),
    "apply-to-rooted": lambda pattern: pattern.startswith("/") and not pattern.startswith("/**/"),
    "apply-to-negation": lambda pattern: pattern.lstrip(_QUOTES).startswith("!"),
    "apply-to-blank-in-braces": _BRACES_WITH_BLANKS.search,
    "apply-to-nested-braces": re.compile(r"\{[^}]*\{").search,
    "apply-to-backslash": lambda pattern: "\\" in pattern,
    "apply-to-separator": lambda pattern: set(";|") & set(pattern),
    "apply-to-quotes": lambda pattern: set(_QUOTES) & set(pattern),
    "apply-to-folder": lambda pattern: pattern.endswith("/"),
    "apply-to-class": _DYNAMIC_NAME.search,
    "apply-to-dialect": lambda pattern: (
        pattern == "*" or ("/" not in pattern and pattern != "**" and not set("!\\;|'\"").intersection(pattern))
    ),
}
"""What a pattern looks like that does not do what it says."""
_SKILL_NAME = re.compile(r"[a-z0-9-]{1,64}")
_USELESS = {
    "skills": "the skill is never offered to models",
    "agents": "the agent is never selected automatically",
    "instructions": "the file is neither attached nor offered",
}
"""What a file without a description is, by its kind."""


def _of_names(target: Target, header: FrontMatter, kind: str) -> Iterator[_Trouble]:
    name, folder = header.name, posixpath.basename(target.folder)
    if kind == "skills" and name is not None and name != folder and _SKILL_NAME.fullmatch(folder):
        yield "skill-name", f"`{name}` instead of `{folder}`", _with(target.text, "name", folder)
    if (header.description or "").strip() or (header.errors and not header.entries):
        return
    if kind in _USELESS and (kind != "instructions" or header.value("applyTo") is None):
        is_placed = header_start([bare(line) for line in split_lines(target.text)]) is not None
        is_read = header.is_closed and (header.has_header or not is_placed)
        title = " ".join(re.split(r"[\s_-]+", target.title)).strip()
        purpose = f"Use when the task is about {title}"  # to be looked at
        for block in blocks(target.text):
            if block.kind is BlockKind.PARAGRAPH and not _ODD.search(block.text):
                sentence = _MARKUP.sub("", _SENTENCE_END.split(block.text, maxsplit=1)[0]).strip()
                if _SHORTEST <= len(sentence) <= _LONGEST:
                    purpose = sentence
                    break
        yield "description-missing", _USELESS[kind], _with(target.text, "description", purpose) if is_read else None


_SHORTEST, _LONGEST = 20, 300  # characters of a description; hosts cut longer ones, and models read many
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])|(?<=[。！？])")
_MARKUP = re.compile(r"\*\*|__|`|\[(?=[^\[\]\n]{1,200}\]\()|\]\([^()\s]{0,400}\)")
_ODD = re.compile(r"[<>{}|]|\$\(|:$|^[\w-]{1,30}:\s")
