"""Lints of customization files: headers, `applyTo` patterns and names that hosts do not read as they were meant. Pure.

Each is a row of the table below, with a fix where that is safe.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memsuggest.core.errors import EditConflict
from memsuggest.core.model import Edit, Target, TargetType
from memsuggest.customizations.applyto import patterns_of, portable
from memsuggest.customizations.blocks.line_kinds import bare, fence_of, split_lines
from memsuggest.customizations.blocks.scan import BlockKind, blocks
from memsuggest.customizations.frontmatter import FrontMatter, rename_attribute, set_attribute
from memsuggest.customizations.frontmatter.header_place import header_start, is_unopened
from memsuggest.customizations.globs import alternatives
from memsuggest.customizations.kinds import header_of, kind_by_name_of_file, place_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A file to look at, read once for all lints."""

    target: Target
    header: FrontMatter
    kind: str
    """Name of its kind, as in `kinds`."""

    def line_of(self, key: str) -> int:
        """Return the index of the line of an attribute; 0 where it is missing."""
        entry = next((entry for entry in self.header.entries if entry.key == key), None)
        return self.target.text.count("\n", 0, self.header.header_start + entry.start) if entry else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One place where a lint applies."""

    line: int = 0
    """Index of the line in the file, from 0."""
    detail: str = ""
    """What is to be put into the lint's message."""
    after: str | None = None
    """The whole file with this put right; None where that takes a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """Something that is wrong in a way that a host does not tell."""

    id: str
    message: str
    """With `{}` for the detail."""
    find: Callable[[Subject], Iterable[Trouble]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A lint that applies to a file."""

    lint: str
    uri: str
    line: int
    message: str
    fix: Edit | None = None


_KEY_LINE = re.compile(r"(?:['\"]?)([A-Za-z][\w-]*)(?:['\"]?)[ \t]*:")
_RENAMED = {"user-invokable": "user-invocable", "apply-to": "applyTo", "apply_to": "applyTo", "applyto": "applyTo"}
"""Keys that no host knows, and the one that was meant."""


def _before_header(is_wrong: Callable[[str], bool]) -> Callable[[Subject], Iterator[Trouble]]:
    """Look for a header that stands behind something; what stands before it is taken away."""

    def find(subject: Subject) -> Iterator[Trouble]:
        text = subject.target.text
        lines = split_lines(text)
        start = header_start([bare(line) for line in lines])
        before = "".join(lines[: start or 0]) if start else "\ufeff" if text.startswith("\ufeff---") else ""
        if start is not None and not subject.header.has_header and is_wrong(before):
            yield Trouble(after=_unwrapped(lines[start:], before))

    return find


def _unwrapped(lines: list[str], before: str) -> str:
    """Take away what stands before the header, and the fence's other end if that was a fence."""
    lines = [lines[0].removeprefix("\ufeff"), *lines[1:]]
    fence = next(filter(None, (fence_of(bare(line).removeprefix("\ufeff")) for line in split_lines(before))), None)
    last = next((index for index in range(len(lines) - 1, 0, -1) if lines[index].strip()), 0)
    closing = fence_of(bare(lines[last]))
    if fence and closing and fence.is_closed_by(closing):
        lines = lines[:last]
    return "".join(lines)


def _unopened(subject: Subject) -> Iterator[Trouble]:
    lines = split_lines(subject.target.text)
    if lines and is_unopened([bare(line) for line in lines]):
        ending = lines[0][len(bare(lines[0])) :]
        yield Trouble(after=f"---{ending}" + subject.target.text.removeprefix("\ufeff"))


def _unclosed(subject: Subject) -> Iterator[Trouble]:
    if not subject.header.has_header or subject.header.is_closed:
        return
    lines = split_lines(subject.target.text)
    end = 1
    while end < len(lines) and (_KEY_LINE.match(lines[end]) or lines[end][:1] in " \t-") and lines[end].strip():
        end += 1
    ending = lines[0][len(bare(lines[0])) :]
    after = "".join([*lines[:end], f"---{ending}", *lines[end:]]) if end > 1 and lines[end - 1].endswith("\n") else None
    yield Trouble(after=after)


def _misspelt(subject: Subject) -> Iterator[Trouble]:
    for entry in subject.header.entries:
        meant = _RENAMED.get(entry.key) or _RENAMED.get(entry.key.lower() if entry.key != "applyTo" else "")
        if meant and subject.header.value(meant) is None:
            after = rename_attribute(subject.target.text, entry.key, meant)
            yield Trouble(line=subject.line_of(entry.key), detail=f"`{entry.key}` for `{meant}`", after=after)


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


_SKILL_NAME = re.compile(r"[a-z0-9-]{1,64}")


def _name_not_folder(subject: Subject) -> Iterator[Trouble]:
    name, folder = subject.header.name, posixpath.basename(subject.target.folder)
    if subject.kind == "skills" and name is not None and name != folder and _SKILL_NAME.fullmatch(folder):
        try:
            after = set_attribute(subject.target.text, "name", folder)
        except EditConflict:
            after = None
        yield Trouble(line=subject.line_of("name"), detail=f"`{name}` instead of `{folder}`", after=after)


def _no_description(subject: Subject) -> Iterator[Trouble]:
    if (subject.header.description or "").strip() or (subject.header.errors and not subject.header.entries):
        return
    if subject.kind == "skills":
        yield Trouble(detail="models are never offered the skill", after=_with_description(subject))
    elif subject.kind == "agents":
        yield Trouble(detail="the agent is never chosen by itself", after=_with_description(subject))
    elif subject.kind == "instructions" and subject.header.value("applyTo") is None:
        yield Trouble(detail="the file is neither attached nor offered", after=_with_description(subject))


def _with_description(subject: Subject) -> str | None:
    """Give a file its first sentence as its description, or its title, to be looked at."""
    is_read = subject.header.has_header or header_start([bare(line) for line in _lines_of(subject)]) is None
    if not is_read or not subject.header.is_closed:
        return None
    title = " ".join(re.split(r"[\s_-]+", subject.target.title)).strip()
    try:
        return set_attribute(
            subject.target.text, "description", _purpose(subject.target) or f"Use when the task is about {title}"
        )
    except EditConflict:
        return None


def _lines_of(subject: Subject) -> list[str]:
    return split_lines(subject.target.text)


_SHORTEST, _LONGEST = 20, 300
"""Characters of a description; hosts cut longer ones, and models read many."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])|(?<=[。！？])")
_MARKUP = re.compile(r"\*\*|__|`|\[(?=[^\[\]\n]{1,200}\]\()|\]\([^()\s]{0,400}\)")
_ODD = re.compile(r"[<>{}|]|\$\(|:$|^[\w-]{1,30}:\s")


def _purpose(target: Target) -> str:
    """Return the first sentence of a file that says what it is for; empty where none does."""
    for block in blocks(target.text):
        if block.kind is BlockKind.PARAGRAPH and not _ODD.search(block.text):
            sentence = _MARKUP.sub("", _SENTENCE_END.split(block.text, maxsplit=1)[0]).strip()
            if _SHORTEST <= len(sentence) <= _LONGEST:
                return sentence
    return ""


LINTS = tuple(
    Lint(id=name, message=message, find=find)
    for name, message, find in (
        (
            "header-bom",
            "a byte order mark precedes the front matter, so it is not read",
            _before_header(lambda before: before == "\ufeff"),
        ),
        (
            "header-blank",
            "a blank line precedes the front matter, so it is not read",
            _before_header(lambda before: bool(before) and before != "\ufeff" and not before.strip("\ufeff \t\r\n")),
        ),
        (
            "header-wrapped",
            "the file is wrapped in a code fence, so its front matter is not read",
            _before_header(lambda before: bool(before.strip("\ufeff \t\r\n"))),
        ),
        ("header-unopened", "the front matter has no opening `---`, so it is read as text", _unopened),
        (
            "header-unclosed",
            "the front matter has no closing `---`, so the whole file is read as front matter",
            _unclosed,
        ),
        ("header-misspelt", "unknown key: {}", _misspelt),
        ("apply-to-list", "`applyTo` is a list, which VS Code ignores: write one quoted string with commas", _lists),
        ("apply-to-map", "`applyTo` starts with an unquoted `{`, so it is read as a map and ignored", _maps),
        (
            "apply-to-missing",
            "without `applyTo`, the file is never attached automatically, only offered by its description",
            _missing,
        ),
        (
            "apply-to-dot",
            "{} never matches in VS Code: patterns cannot start with `./` or `../`",
            _of_patterns(lambda pattern: pattern.startswith(("./", "../"))),
        ),
        (
            "apply-to-rooted",
            "{} starts at the file system root in VS Code",
            _of_patterns(lambda pattern: pattern.startswith("/") and not pattern.startswith("/**/")),
        ),
        (
            "apply-to-negation",
            "{} excludes nothing: `!` is an ordinary character in `applyTo`",
            _of_patterns(lambda pattern: pattern.lstrip(_QUOTES).startswith("!")),
        ),
        (
            "apply-to-blank-in-braces",
            "{} has a space within braces, which is matched literally",
            _of_patterns(lambda pattern: _BRACES_WITH_BLANKS.search(pattern) is not None),
        ),
        (
            "apply-to-nested-braces",
            "{} has nested braces, which VS Code reads differently",
            _of_patterns(_has_nested_braces),
        ),
        (
            "apply-to-backslash",
            "{} has a backslash, which is neither a folder separator nor an escape character",
            _of_patterns(lambda pattern: "\\" in pattern),
        ),
        (
            "apply-to-separator",
            "{} is a single pattern: separate patterns with commas",
            _of_patterns(lambda pattern: any(sign in pattern for sign in ";|")),
        ),
        (
            "apply-to-quotes",
            "{} has quotes within the value, which are matched literally",
            _of_patterns(lambda pattern: any(quote in pattern for quote in _QUOTES)),
        ),
        (
            "apply-to-folder",
            "{} names a folder but matches no file in it: add `**`",
            _of_patterns(lambda pattern: pattern.endswith("/")),
        ),
        (
            "apply-to-class",
            "{} has brackets, which match any one of the characters inside",
            _of_patterns(lambda pattern: _DYNAMIC_NAME.search(pattern) is not None),
        ),
        (
            "apply-to-dialect",
            "{} matches in every folder in VS Code, but only in the root folder on GitHub",
            _of_patterns(_is_bare),
        ),
        ("skill-name", "the name must be that of the skill's folder: {}", _name_not_folder),
        ("description-missing", "there is no description, so {}", _no_description),
    )
)


def lint(target: Target) -> tuple[Finding, ...]:
    """Look at one file; findings come in the order of the table."""
    place = place_of(target.uri.removeprefix("~/"))
    kind = place.kind if place else kind_by_name_of_file(target.uri)
    if kind.always_on or target.type is TargetType.HOOK:
        return ()
    subject = Subject(target=target, header=header_of(kind, target.text), kind=kind.name)
    return tuple(_finding(rule, subject, trouble) for rule in LINTS for trouble in rule.find(subject))


def _finding(rule: Lint, subject: Subject, trouble: Trouble) -> Finding:
    target = subject.target
    is_fixed = trouble.after is not None and trouble.after != target.text
    return Finding(
        lint=rule.id,
        uri=target.uri,
        line=trouble.line,
        message=rule.message.replace("{}", trouble.detail),
        fix=Edit(path=target.uri, before=target.text, after=trouble.after) if is_fixed else None,
    )
