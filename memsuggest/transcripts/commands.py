"""Files that a shell command or a patch names; pure."""

from __future__ import annotations

import re

_LOOKED_AT = 4_000  # characters of a command
_READING = re.compile(r"(?:^|[|;&(\n]|&&)\s*(?:cat|head|tail|less|bat|nl|sed|wc|grep|rg)\s+([^|;&\n<>]{1,400})")
_FILE = re.compile(r"""(?:^|(?<=[\s'"]))((?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,9})(?=$|[\s'"])""")
_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): ([^\n]{1,400})$", re.MULTILINE)


def files_read(command: str) -> tuple[str, ...]:
    """Name the files that a command looks into.

    >>> files_read("cd app && cat src/main.py | head -5; npm test")
    ('src/main.py',)
    """
    words = (arguments for arguments in _READING.findall(command[:_LOOKED_AT]))
    return tuple(dict.fromkeys(file for each in words for file in _FILE.findall(each)))


def files_patched(patch: str) -> tuple[str, ...]:
    """Name the files that a patch in the `*** Begin Patch` form touches.

    >>> files_patched("*** Begin Patch\\n*** Update File: a.py\\n@@\\n-x\\n+y\\n*** End Patch")
    ('a.py',)
    """
    return tuple(dict.fromkeys(path.strip() for path in _PATCHED.findall(patch)))
