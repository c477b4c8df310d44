"""Files that records name: in a shell command, in a patch, as one of VS Code's URIs. Pure."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

from memsuggest.transcripts.parsing.json_records import fields_of, text_of

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


_FILE_SCHEMES = frozenset({"", "file", "vscode-remote", "vscode-vfs", "vscode-userdata"})
_DRIVE = re.compile(r"\A/(?=[A-Za-z]:)")


def path_of(value: Any) -> str:
    """Return the path of a URI (components, location with range, or text); empty where it is no file.

    >>> path_of("file:///c%3A/app/a%20b.ts"), path_of({"uri": {"scheme": "file", "path": "/app/a.ts"}})
    ('c:/app/a b.ts', '/app/a.ts')
    """
    if isinstance(value, str):
        return _path_of_text(value)
    fields = fields_of(value)
    if "uri" in fields:
        return path_of(fields["uri"])
    if text_of(fields.get("scheme")) not in _FILE_SCHEMES:
        return ""
    return _DRIVE.sub("", text_of(fields.get("fsPath")) or text_of(fields.get("path")))


def _path_of_text(uri: str) -> str:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if len(parts.scheme) < 2:  # no URI but a path, perhaps with a drive
        return uri
    return _DRIVE.sub("", unquote(parts.path)) if parts.scheme in _FILE_SCHEMES else ""
