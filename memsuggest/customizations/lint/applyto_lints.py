"""Lints of `applyTo`: patterns that look right and match nothing, or something else. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import patterns_of
from memsuggest.customizations.applyto.glob_pieces import alternatives
from memsuggest.customizations.applyto.portable_patterns import portable
from memsuggest.customizations.frontmatter import set_attribute
from memsuggest.customizations.lint import Lint, Subject, Trouble
from memsuggest.errors import EditConflict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_QUOTES = "'\"`"
_BRACES_WITH_BLANKS = re.compile(r"\{[^{}]*\s[^{}]*\}")
_DYNAMIC_NAME = re.compile(
    r"(?:(?<=/)|^)\[{1,2}(?:\.\.\.)?[A-Za-z][A-Za-z0-9_]+\]{1,2}(?=/|$)"  # a whole folder's name
    r"|(?<=/)\[(?:id|\.\.\.[A-Za-z0-9_]+|[A-Za-z0-9_]{4,})\](?=\.)"  # a file's
)
"""`[id]`, `[[...slug]]`: a folder's literal name in some web frameworks, and a class of characters for the hosts."""


def _written(subject: Subject) -> list[str]:
    """Return the patterns as they are written, in a list or not."""
    values = subject.header.strings("applyTo")
    if values is None:
        return []
    value = subject.header.value("applyTo")
    return patterns_of(values[0]) if value and value.kind == "scalar" and values else list(values)


def repaired(patterns: list[str]) -> str | None:
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


def _with_repair(subject: Subject) -> str | None:
    patterns = repaired(_written(subject))
    if patterns is None or patterns == subject.header.apply_to:
        return None
    try:
        return set_attribute(subject.target.text, "applyTo", patterns)
    except EditConflict:
        return None


def _of_patterns(is_wrong: Callable[[str], bool]) -> Callable[[Subject], Iterator[Trouble]]:
    """Look for patterns of which this holds."""

    def find(subject: Subject) -> Iterator[Trouble]:
        wrong = [pattern for pattern in _written(subject) if is_wrong(pattern)]
        if wrong:
            detail = ", ".join(f"`{pattern}`" for pattern in wrong[:3])
            yield Trouble(line=subject.line_of("applyTo"), detail=detail, after=_with_repair(subject))

    return find


def _lists(subject: Subject) -> Iterator[Trouble]:
    value = subject.header.value("applyTo")
    if value and value.kind == "sequence":
        yield Trouble(line=subject.line_of("applyTo"), after=_with_repair(subject))


def _maps(subject: Subject) -> Iterator[Trouble]:
    value = subject.header.value("applyTo")
    if value is None or value.kind != "map":
        return
    start = subject.header.header_start + value.start
    written = subject.target.text[start:].split("\n", 1)[0].rstrip("\r")
    patterns = repaired(patterns_of(written))
    after = subject.target.text[:start] + f'"{patterns}"' + subject.target.text[start + len(written) :]
    yield Trouble(line=subject.line_of("applyTo"), after=after if patterns else None)


def _missing(subject: Subject) -> Iterator[Trouble]:
    is_offered = bool((subject.header.description or "").strip())
    if subject.kind == "instructions" and is_offered and subject.header.value("applyTo") is None:
        yield Trouble()


def _has_nested_braces(pattern: str) -> bool:
    depth = deepest = 0
    for char in pattern:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return deepest > 1


def _is_bare(pattern: str) -> bool:
    return pattern == "*" or ("/" not in pattern and pattern != "**" and not set("!\\;|'\"").intersection(pattern))


LINTS = (
    Lint(
        id="apply-to-list",
        message="`applyTo` is a list, which VS Code ignores: write one quoted string with commas",
        find=_lists,
    ),
    Lint(
        id="apply-to-map",
        message="`applyTo` begins with an unquoted `{`, so that it is read as a map and ignored",
        find=_maps,
    ),
    Lint(
        id="apply-to-missing",
        message="without `applyTo` the file is never attached by itself, only offered by its description",
        find=_missing,
    ),
    Lint(
        id="apply-to-dot",
        message="{} never matches in VS Code: patterns do not begin with `./` or `../`",
        find=_of_patterns(lambda pattern: pattern.startswith(("./", "../"))),
    ),
    Lint(
        id="apply-to-rooted",
        message="{} begins at the root of the file system in VS Code",
        find=_of_patterns(lambda pattern: pattern.startswith("/") and not pattern.startswith("/**/")),
    ),
    Lint(
        id="apply-to-negation",
        message="{} excludes nothing: `!` is an ordinary character in `applyTo`",
        find=_of_patterns(lambda pattern: pattern.lstrip(_QUOTES).startswith("!")),
    ),
    Lint(
        id="apply-to-blank-in-braces",
        message="{} has a blank within braces, which is part of the name that it looks for",
        find=_of_patterns(lambda pattern: _BRACES_WITH_BLANKS.search(pattern) is not None),
    ),
    Lint(
        id="apply-to-nested-braces",
        message="{} has braces within braces, which VS Code reads as something else",
        find=_of_patterns(_has_nested_braces),
    ),
    Lint(
        id="apply-to-backslash",
        message="{} has a backslash, which neither separates folders nor escapes anything",
        find=_of_patterns(lambda pattern: "\\" in pattern),
    ),
    Lint(
        id="apply-to-separator",
        message="{} is one pattern: only commas separate",
        find=_of_patterns(lambda pattern: any(sign in pattern for sign in ";|")),
    ),
    Lint(
        id="apply-to-quotes",
        message="{} has quotes within the value, which are part of the name that it looks for",
        find=_of_patterns(lambda pattern: any(quote in pattern for quote in _QUOTES)),
    ),
    Lint(
        id="apply-to-folder",
        message="{} names a folder, and matches no file in it: add `**`",
        find=_of_patterns(lambda pattern: pattern.endswith("/")),
    ),
    Lint(
        id="apply-to-class",
        message="{} has brackets, which stand for one character out of those within",
        find=_of_patterns(lambda pattern: _DYNAMIC_NAME.search(pattern) is not None),
    ),
    Lint(
        id="apply-to-dialect",
        message="{} means every folder for VS Code, and the root folder alone for GitHub",
        find=_of_patterns(_is_bare),
    ),
)
