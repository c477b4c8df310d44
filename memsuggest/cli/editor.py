"""The person's editor on a text of ours. Only their own environment names it, never a repo."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from memsuggest.errors import MemsuggestError

_SET = "set EDITOR to an editor that is there, as in `export EDITOR=vi`"


def edited_text(text: str, *, suffix: str) -> str:
    """Return the text as the person leaves it in `$VISUAL` or `$EDITOR`."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not command and not sys.stdin.isatty():
        raise MemsuggestError("there is no terminal to edit on", hint=_SET)
    command = command or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory(prefix="memsuggest-") as folder:
        path = Path(folder) / f"text{suffix}"
        path.write_bytes(text.encode())
        try:
            code = subprocess.run([*shlex.split(command), str(path)], check=False).returncode
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise MemsuggestError(f"the editor `{command}` cannot be started: {why}", hint=_SET) from None
        if code:
            raise MemsuggestError(f"the editor `{command}` ended with {code}; nothing was changed", hint=_SET)
        try:
            return path.read_bytes().decode()  # newlines as they are
        except (OSError, UnicodeDecodeError) as error:
            raise MemsuggestError(
                f"what the editor left is not readable: {error}", hint="save it as UTF-8, under the same name"
            ) from None
