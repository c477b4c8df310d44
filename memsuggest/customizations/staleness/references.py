"""References of a line of instructions to its repository: paths, and tasks of its build files. Pure.

Reads code spans and the ends of links; text that is not marked as code is never taken for a reference.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memsuggest.core.text.words import word_set

_CITED = re.compile(r"`([^`\n]{3,200})`|\]\(([^()\s]{3,200})\)")
_PATH = re.compile(r"(?:\./|\.\./)*[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+-]+)*/?")
HAS_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_FILE_NAME = re.compile(r"\.?[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]+)*\.[a-z][a-z0-9]{1,5}")
_LINE_MARK = re.compile(r"(?:#|:\d).*\Z|:\Z")
_PLACEHOLDERS = re.compile(
    r"(?:\b|_)(?:foo|bar|baz|qux|example|my[_-]?\w*|your[_-]?\w*|xxx+|path/to|placeholder)(?:\b|_)"
    r"|(?-i:(?:\b|_)(?:N{3,}|Y{4}|PAGE|NAME|TITLE)(?:\b|_))",
    re.IGNORECASE,
)
_TASK = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_:.@/-]*")
_CHAINED = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*\Z")
_INTERPRETERS = word_set("python python3 py node bash sh zsh pwsh powershell tsx ts-node ruby perl php source")
_WITH_RUN = {
    "uv": "run",
    "poetry": "run",
    "pdm": "run",
    "rye": "run",
    "hatch": "run",
    "npx": "",
    "bunx": "",
    "bun": "",
    "deno": "run",
}
"""Programs that run another one, and the word between the two."""
_OWN_COMMANDS = word_set(
    "add audit bin cache ci config create dedupe deploy dlx docs exec explain fetch global help i import info init"
    " install licenses link list login logout ls node npm outdated pack patch pm prune publish rebuild remove root set"
    " setup store unlink up update upgrade upgrade-interactive version versions view why workspace workspaces x"
)
"""What a package manager does by itself: `pnpm X` may otherwise be a script of `package.json`."""
_VALUED = word_set("--filter -F --prefix -w --workspace --cwd -C -f --dir --package -p --directory --file --justfile")
"""Options that take the next word."""
_PROGRAMS = (
    _INTERPRETERS
    | set(_WITH_RUN)
    | word_set(
        "npm pnpm yarn bun make just task composer poe nox tox mise turbo nx git docker cargo go dotnet mvn gradle rake"
        " bundle mix pip pytest terraform kubectl helm gh az aws cmake bazel swift xcodebuild ./gradlew gradlew ./mvnw"
    )
)


_RUNNERS = {
    "npm": ("npm", "run"),
    "pnpm": ("npm", "run"),
    "yarn": ("npm", "run"),
    "bun": ("npm", "run"),
    "turbo": ("npm", "run"),
    "deno": ("deno", "task"),
    "composer": ("composer", "run"),
}
"""By program: the tool, and the word that stands before a task."""
_TASK_PROGRAMS = frozenset({"make", "just", "task", "poe"})
"""Programs whose first word is a task."""
_SHORT = {"npm": {"test", "start", "stop", "restart"}, "pnpm": None, "yarn": None}
"""What may stand without `run`: these scripts, or any."""


class Reference(NamedTuple):
    """One thing of the repository that a line names."""

    name: str
    """A path as it is written, or the name of a task."""
    written: str
    """The code span or link that names it."""
    tool: str = ""
    """Whose task it is: `npm` for all package managers of JavaScript, `make`, `just` …; of a path, none."""
    is_link: bool = False
    """Whether it is the end of a link, which starts at the folder of its file."""

    @property
    def shown(self) -> str:
        """The name that a person would use: a path, or the command that runs a task."""
        return self.written if self.tool else self.name


def references_in(text: str) -> list[Reference]:
    """Return what a text refers to, in its order.

    >>> [reference.name for reference in references_in("Run `npm run lint` before [the guide](docs/guide.md#top)")]
    ['lint', 'docs/guide.md']
    """
    found: list[Reference] = []
    for match in _CITED.finditer(text):
        span = (match.group(1) or match.group(2)).strip()
        path, is_link = _LINE_MARK.sub("", span), bool(match.group(2))
        if " " in span:
            found += references_in_command(span)
        elif "..." in path or "/." in path.strip("/")[1:].replace("/.github", "") or not _is_path(path):
            continue
        elif "/" in path.strip("/") or _FILE_NAME.fullmatch(path) or (is_link and HAS_ENDING.search(path)):
            found.append(Reference(name=path, written=span, is_link=is_link))
    return found


def _is_path(text: str) -> bool:
    return _PATH.fullmatch(text) is not None and not _PLACEHOLDERS.search(text)


def names_other_commands(text: str, known: list[Reference]) -> bool:
    """Tell whether a text gives a command of which no reference is among the known ones: it is about that, too."""
    written = {reference.written for reference in known}
    spans = (match.group(1) for match in _CITED.finditer(text) if match.group(1))
    return any(" " in span and span.strip() not in written and span.split()[0] in _PROGRAMS for span in spans)


def references_in_command(line: str) -> list[Reference]:
    """Return the tasks and scripts that a command line runs.

    >>> [(found.tool, found.name) for found in references_in_command("cd web && pnpm run e2e; make -C lib all")]
    [('npm', 'e2e'), ('make', 'all')]
    """
    found: list[Reference] = []
    for command in _CHAINED.split(line.strip()):
        words = [word for word in command.split() if not _ASSIGNED.match(word)]
        if not words:
            continue
        program, rest = words[0], list(_plain_words(words[1:]))
        tool, names = _tasks(program, rest)
        for name in names:
            if not _TASK.fullmatch(name) or _PLACEHOLDERS.search(name) or HAS_ENDING.search(name):
                break
            found.append(Reference(name=name, tool=tool, written=line))
        scripts = rest if program in _INTERPRETERS else [program]  # the file that is interpreted, or run itself
        if (between := _WITH_RUN.get(program)) is not None:
            scripts = rest[bool(between) :] if not between or rest[:1] == [between] else []
            scripts = [name for name in scripts if name not in _INTERPRETERS]
        path = scripts[0] if scripts else ""
        if "/" in path.strip("/") and HAS_ENDING.search(path) and _is_path(path):
            found.append(Reference(name=path, written=line))
    return found


def _plain_words(words: list[str]) -> Iterator[str]:
    """Leave out options with their values, and what follows `--`."""
    is_value = False
    for word in words:
        if word in ("--", "<") or word.startswith(("#", ">")):
            return
        if not is_value and not word.startswith("-"):
            yield word
        is_value = not is_value and word in _VALUED


def _tasks(program: str, words: list[str]) -> tuple[str, list[str]]:
    if program in _TASK_PROGRAMS:
        return program, words if program == "make" else words[:1]  # the others are arguments of the task
    if program not in _RUNNERS:
        return "", []
    tool, run = _RUNNERS[program]
    if words[:1] == ["workspace"] and len(words) > 2:  # `yarn workspace web lint`
        words = words[2:]
    if words[:1] in ([run], [f"{run}-script"]):
        return tool, words[1:2]
    short = _SHORT.get(program, set())
    is_short = bool(words) and words[0] not in _OWN_COMMANDS and (short is None or words[0] in short)
    return (tool, words[:1]) if is_short else ("", [])


_GENERIC = word_set(
    "readme index main __init__ mod lib types type utils util constants config setup package agents claude skill app"
    " makefile dockerfile changelog license settings conftest models model test tests helpers common base schema"
)
"""Names of files, without endings, that say nothing: each folder may have one of its own."""
_MOST_NAMESAKES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaths:
    """The paths of a repository."""

    paths: frozenset[str]
    """Every tracked path and every folder above one, in lower case."""
    leaves: Mapping[str, str]
    """The tracked paths themselves (files, links, and repositories within this one), as they are spelled."""
    by_name: Mapping[str, tuple[str, ...]]
    """All paths by their last names."""

    def namesakes(self, path: str) -> tuple[str, ...]:
        return self.by_name.get(path.lower().strip("/").rpartition("/")[2], ())

    def has(self, path: str) -> bool:
        """Tell whether there is such a path, from the root, or from any folder: rules are often a package's."""
        path = path.lower().strip("/")
        return any(namesake == path or namesake.endswith("/" + path) for namesake in self.namesakes(path))

    def is_within_leaf(self, path: str) -> bool:
        """Tell whether a path lies in what git knows as one thing: a repository within this one, or a link."""
        parts = path.lower().strip("/").split("/")
        return any("/".join(parts[:length]) in self.leaves for length in range(1, len(parts)))


def known_paths(tracked: Iterable[str]) -> KnownPaths:
    """Take in the paths of a repository, once for all its files."""
    known: set[str] = set()
    leaves = {path.lower(): path for path in tracked}
    for leaf in leaves:
        path = leaf
        while path and path not in known:
            known.add(path)
            path = path.rpartition("/")[0]
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return KnownPaths(
        paths=frozenset(known), leaves=leaves, by_name={name: tuple(paths) for name, paths in by_name.items()}
    )


def may_be_elsewhere(known: KnownPaths, reference: Reference, folder: str) -> bool:
    """Tell whether a path may only have moved: a file of its telling name is there, or a folder took its place."""
    if reference.tool:
        return False
    place, _, ending = reference.name.rpartition(".")
    if ending and "/" not in ending and "/" in place:  # `src/api/` instead of `src/api.ts`
        here = (posixpath.normpath(place).lower(), posixpath.normpath(posixpath.join(folder, place)).lower())
        if any(path in known.paths and path not in known.leaves for path in here):
            return True
    stem = reference.name.strip("/").rpartition("/")[2].lstrip(".").partition(".")[0]
    return 0 < len(known.namesakes(reference.name)) <= _MOST_NAMESAKES and stem.lower() not in _GENERIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The commit that took something away."""

    commit: str
    """Abbreviated, as git prints it."""
    day: str
    """As 2026-03-01."""
    subject: str = ""
    """Its first line, on one line and without secrets."""
