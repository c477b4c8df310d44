"""VS Code's ways of writing where a file is, as plain paths."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

from memsuggest.transcripts.parsing.json_records import fields_of, text_of

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
