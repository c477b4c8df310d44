"""Files that a shell command or a patch names; pure."""

from __future__ import annotations

import re

_LOOKED_AT = 400  # characters of a command
_READING = frozenset({"cat", "head", "tail", "less", "bat", "nl", "sed", "wc", "grep", "rg"})
_STEP = re.compile(r"[|;&\n]+")
_FILE = re.compile(r"(?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,9}")
_PATCHED = re.compile(r"\n\*\*\* (?:Add File|Update File|Delete File|Move to): ([^\n]{1,400})")


def files_read(command: str) -> tuple[str, ...]:
    """Name the files that a command looks into.

    >>> files_read("cd app && cat src/main.py | head -5; npm test")
    ('src/main.py',)
    """
    found: dict[str, None] = {}
    for step in _STEP.split(command[:_LOOKED_AT]):
        words = step.split()
        if words and words[0] in _READING:
            for word in words[1:]:
                name = word.strip("'\"()")
                if "." in name and _FILE.fullmatch(name):
                    found[name] = None
    return tuple(found)


def files_patched(patch: str) -> tuple[str, ...]:
    """Name the files that a patch in the `*** Begin Patch` form touches.

    >>> files_patched("*** Begin Patch\\n*** Update File: a.py\\n@@\\n-x\\n+y\\n*** End Patch")
    ('a.py',)
    """
    return tuple(dict.fromkeys(path.strip() for path in _PATCHED.findall(patch)))
