"""Marks of what an assistant was given just now.

The same hook may stand in the person's file, in the repo's and in one that another assistant reads, too: the assistant
starts each of them for one event. What the first of them has said, the others do not say again.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.workspace import find_folders

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.integrations.payloads import Payload
    from memsuggest.workspace import Machine

FOLDER = "given-once"
SECONDS = 5.0
"""How long after one another the hooks of one event are started; who asks the same later, asks again."""


def is_first(payload: Payload, part: str, machine: Machine) -> bool:
    """Mark a part of the answer to an event as given, and tell whether nobody gave it just before."""
    key = "\0".join((part, payload.event, payload.session, payload.cwd, payload.source, payload.prompt))
    folder = find_folders(machine.environ).state / FOLDER
    mark = folder / hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget_old(folder)
        mark.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        return False
    except OSError:  # better twice than never
        return True
    return True


def _forget_old(folder: Path) -> None:
    for mark in folder.iterdir():
        with suppress(OSError):  # another hook was quicker
            if time.time() - mark.stat().st_mtime > SECONDS:
                mark.unlink()
