"""Lines of build files that declare a task, as they stand in a patch. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

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
_HUNK = re.compile(r"^@@ .*$", re.MULTILINE)


def pattern_of(tool: str, names: Collection[str]) -> str:
    """Return the pattern for `git log -G` that finds the commits which touch these tasks."""
    listed = "|".join(re.sub(r"\.", "[.]", name) for name in sorted(names))
    return f"^({_KEY[tool].replace('{}', listed)})"


def removed_tasks(tool: str, names: Collection[str], patch: str) -> dict[str, str]:
    """Return which of some tasks a patch takes away, each with the name that it gives them; empty where it gives none.

    >>> removed_tasks("npm", ["fix"], '@@ -3 +3 @@\\n-    "fix": "eslint --fix",\\n+    "format": "eslint --fix",\\n')
    {'fix': 'format'}
    """
    found: dict[str, str] = {}
    added_anywhere: set[str] = set()
    for hunk in _HUNK.split(patch)[1:]:
        gone, come = dict(_declared(tool, hunk, "-")), dict(_declared(tool, hunk, "+"))
        added_anywhere |= come.keys()
        for name, does in gone.items():
            if name in names:
                same = [other for other, done in come.items() if done == does and other not in gone]
                found[name] = same[0] if len(same) == 1 and does.strip(" ,:") else ""
    return {name: new for name, new in found.items() if name not in added_anywhere}


def _declared(tool: str, hunk: str, sign: str) -> Iterator[tuple[str, str]]:
    """Yield the tasks on the added or removed lines of a hunk, each with the rest of its line: what it does."""
    key = re.compile(_KEY[tool].replace("[[:space:]]", r"\s").replace("{}", _NAME))
    for line in hunk.split("\n"):
        match = key.match(line, 1) if line.startswith(sign) else None
        if match:
            name = next(group for group in match.groups() if group)
            yield name, line[match.end() :].strip().rstrip(",")
