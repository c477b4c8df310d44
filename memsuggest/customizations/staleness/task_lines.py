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


def pattern_of(tool: str, names: Collection[str]) -> str:
    """Return the pattern for `git log -G` that finds the commits which touch these tasks."""
    listed = "|".join(re.sub(r"\.", "[.]", name) for name in sorted(names))
    return f"^({_KEY[tool].replace('{}', listed)})"


def removed_tasks(tool: str, names: Collection[str], patch: str) -> set[str]:
    """Return which of some tasks a patch takes away; not those that do the same under another name.

    >>> removed_tasks("npm", ["fix"], '@@ -3 +3 @@\\n-    "fix": "eslint --fix",\\n+    "format": "eslint --fix",\\n')
    set()
    """
    gone = [one for one in _declared(tool, patch, "-") if one[0] in names]
    come = list(_declared(tool, patch, "+"))
    return {name for name, does in gone if not any(name == other or (does and does == done) for other, done in come)}


def _declared(tool: str, patch: str, sign: str) -> Iterator[tuple[str, str]]:
    """Yield the tasks on the added or removed lines of a patch, each with the rest of its line: what it does."""
    key = re.compile(_KEY[tool].replace("[[:space:]]", r"\s").replace("{}", _NAME))
    for line in patch.split("\n"):
        match = key.match(line, 1) if line.startswith(sign) else None
        if match:
            name = next(group for group in match.groups() if group)
            yield name, line[match.end() :].strip(" ,:")
