"""The tasks that a repository's build files declare: scripts, targets, recipes. Pure.

Reads only what is needed to say that a name is not among them. A file that takes tasks from elsewhere, or makes them by
rule, leaves the tool open: of an open tool no task is ever called missing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from memsuggest.core import json_edit as jsonc
from memsuggest.core.identity import hash_of

if TYPE_CHECKING:
    _Reader = Callable[[str], Iterable[str | None]]

_RULE = re.compile(r"^(?P<names>[^\s#:=][^:=#\n]*?)[ \t]*::?(?!=)", re.MULTILINE)
_MADE_BY_RULE = re.compile(
    r"^[-s]?include\s(?!\s*[\w./-]+\.mk\s*$)|\$\((?:eval|foreach|call)\b|^[^\s#:=]*[%$][^:=\n]*:(?!=)", re.MULTILINE
)
_DEFAULT = r"""[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\([^)\n]*\)|[^\s:"'`(]+)"""
_RECIPE = re.compile(
    rf"^(?:alias\s+)?@?(?P<name>[A-Za-z_][\w-]*)(?:[ \t]+[*+$]*[A-Za-z_][\w-]*(?:{_DEFAULT})?)*[ \t]*(?::(?!=)|:=)",
    re.MULTILINE,
)
_TAKES_RECIPES = re.compile(r"^(?:import|mod)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DeclaredTasks:
    """The tasks of a repository, by tool."""

    names: Mapping[str, frozenset[str]] = field(default_factory=dict)
    open_tools: frozenset[str] = frozenset()
    """Tools of which some tasks may not be known."""
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The build files of each tool, nearest to the root first."""

    def has(self, tool: str, name: str) -> bool | None:
        """Tell whether there is such a task; None where that cannot be told."""
        names = self.names.get(tool) or None  # files that declare nothing tell nothing
        if names is not None and name in names:
            return True
        return None if names is None or tool in self.open_tools else False

    @property
    def digest(self) -> str:
        """Their identity: the same tasks are the same answers."""
        names = (f"{tool} {sorted(found)}" for tool, found in sorted(self.names.items()))
        return hash_of(*names, *sorted(self.open_tools))

    @staticmethod
    def usual_files(tool: str) -> list[str]:
        """Return the names of a tool's build files, as they are usual at the root."""
        usual = {"makefile": "Makefile", "gnumakefile": "GNUmakefile"}
        names = (usual.get(name, name) for name, (of, _) in _READERS.items() if of == tool)
        return [name.replace("taskfile.y", "Taskfile.y") for name in names]


NO_TASKS = DeclaredTasks()


def tools_of(path: str) -> frozenset[str]:
    """Return the tools whose tasks a file may declare, by its name."""
    found = _reader_of(path)
    return frozenset({found[0]}) if found else frozenset()


def _reader_of(path: str) -> tuple[str, _Reader] | None:
    name = path.rpartition("/")[2].lower()
    if name.endswith(".mk"):
        return "make", _make
    return ("just", _just) if name.endswith(".just") else _READERS.get(name)


def declared_tasks(files: Iterable[tuple[str, str | None]]) -> DeclaredTasks:
    """Read build files, given as paths with their texts; None for one that cannot be read.

    >>> declared_tasks([("package.json", '{"scripts": {"lint": "eslint ."}}')]).has("npm", "format")
    False
    """
    names: dict[str, set[str]] = {}
    places: dict[str, list[str]] = {}
    open_tools: set[str] = set()
    for path, text in files:
        tool, read = _reader_of(path) or ("", _opens)
        if not tool:
            continue
        places.setdefault(tool, []).append(path)
        try:
            found = [None] if text is None else list(read(text))
        except (ValueError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
            found = [None]  # what cannot be read may declare anything
        names.setdefault(tool, set()).update(name for name in found if name is not None)
        if None in found:
            open_tools.add(tool)
    if "deno" in names:  # `deno task` runs the scripts of package.json as well
        names["deno"] |= names.get("npm", set())
    return DeclaredTasks(
        names={tool: frozenset(found) for tool, found in names.items()},
        open_tools=frozenset(open_tools),
        files={tool: tuple(sorted(found, key=lambda path: path.count("/"))) for tool, found in places.items()},
    )


def _keys(found: object, *path: str) -> Iterator[str]:
    for key in path:
        found = found.get(key, {}) if isinstance(found, dict) else {}
    if isinstance(found, dict):
        yield from map(str, found)


def _json(key: str) -> _Reader:
    return lambda text: _keys(jsonc.loads(text), key)


def _opens(_text: str) -> Iterator[str | None]:
    yield None


def _make(text: str) -> Iterator[str | None]:
    text = text.replace("\\\n", " ")
    for found in _RULE.finditer(text):
        yield from found["names"].split()
    for line in re.findall(r"^\.PHONY\s*:(.*)$", text, re.MULTILINE):
        yield from line.split()
    if _MADE_BY_RULE.search(text):
        yield None


def _just(text: str) -> Iterator[str | None]:
    for found in _RECIPE.finditer(text):
        yield found["name"]
    if _TAKES_RECIPES.search(text):
        yield None


def _taskfile(text: str) -> Iterator[str | None]:
    found = yaml.safe_load(text)
    yield from _keys(found, "tasks")
    tasks = found.get("tasks") if isinstance(found, dict) else None
    for task in tasks.values() if isinstance(tasks, dict) else ():
        aliases = task.get("aliases") if isinstance(task, dict) else None
        yield from map(str, aliases if isinstance(aliases, list) else ())
    if isinstance(found, dict) and found.get("includes"):
        yield None


def _poe(text: str) -> Iterator[str | None]:
    found = tomllib.loads(text)
    yield from _keys(found, "tool", "poe", "tasks")
    if "include" in _keys(found, "tool", "poe"):
        yield None


_READERS: dict[str, tuple[str, _Reader]] = {
    name: (tool, read)
    for names, tool, read in (
        ("package.json", "npm", _json("scripts")),
        ("package.json5 package.yaml", "npm", _opens),
        ("deno.json deno.jsonc", "deno", _json("tasks")),
        ("composer.json", "composer", _json("scripts")),
        ("makefile gnumakefile", "make", _make),
        ("justfile .justfile", "just", _just),
        ("cmakelists.txt makefile.am makefile.in configure.ac", "make", _opens),
        ("taskfile.yml taskfile.dist.yml taskfile.dist.yaml taskfile.yaml", "task", _taskfile),
        ("pyproject.toml", "poe", _poe),
    )
    for name in names.split()
}
"""By the name of a file, in lower case, its tool and what reads the names of tasks; None stands for more."""


_KEY = {
    "npm": r'[[:space:]]*"({})"[[:space:]]*:',
    "deno": r'[[:space:]]*"({})"[[:space:]]*:',
    "composer": r'[[:space:]]*"({})"[[:space:]]*:',
    "make": r"({})[[:space:]]*:([^=]|$)",
    "just": r"""@?({})([[:space:]]([^:="']|="[^"]*"|='[^']*'|=[^ :"']+)*)?:""",
    "task": r"[[:space:]]+({}):",
    "poe": r"({})[[:space:]]*=|\[tool\.poe\.tasks\.({})\]",
}
"""By tool, the beginning of a line that declares a task, as git and Python both read it (once `[[:space:]]` is put)."""
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_:.@/-]*"


def pattern_of(tool: str, names: Collection[str]) -> str:
    """Return the pattern for `git log -G` that finds the commits which touch these tasks."""
    listed = "|".join(re.sub(r"\.", "[.]", name) for name in sorted(names))
    return f"^({_KEY[tool].replace('{}', listed)})"


def removed_tasks(tool: str, names: Collection[str], patch: str) -> set[str]:
    """Return which of some tasks a patch takes away; not those that do the same under another name.

    >>> removed_tasks("npm", ["fix"], '@@ -3 +3 @@\\n-    "fix": "eslint --fix",\\n+    "format": "eslint --fix",\\n')
    set()
    """
    key = re.compile(_KEY[tool].replace("[[:space:]]", r"\s").replace("{}", _NAME))
    declared: dict[str, list[tuple[str, str]]] = {"-": [], "+": []}
    for line in patch.split("\n"):
        if line[:1] in declared and (match := key.match(line, 1)):
            name = next(group for group in match.groups() if group)
            declared[line[0]].append((name, line[match.end() :].strip(" ,:")))
    come, done = {name for name, _ in declared["+"]}, {does for _, does in declared["+"] if does}
    return {name for name, does in declared["-"] if name in names and name not in come and does not in done}
