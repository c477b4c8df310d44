"""Group ids: under which name the server keeps what belongs together; nothing can be read from one. Pure.

The server takes letters, digits, `_` and `-`; anything else kills its worker while it still answers "healthy".
"""

from __future__ import annotations

import hashlib
import re

SESSION, WORKSPACE, USER, TRIAL = "session", "workspace", "user", "trial"
SCOPES = (SESSION, WORKSPACE, USER)
"""What can be recalled from, nearest first. Raw chat never goes to `user`."""
_DIGITS = 32
_TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def session_group(session_id: str) -> str:
    """Return the group of one chat.

    >>> session_group("4f1c")
    'graphiti_session_138023e6a493cfd3cc3b536ac4186969'
    """
    return _group(SESSION, session_id)


def workspace_group(key: str) -> str:
    """Return the group of a repo; `key` is what all clones of it share, or else what this one has."""
    return _group(WORKSPACE, key)


def user_group(key: str) -> str:
    """Return the group of a person."""
    return _group(USER, key)


def trial_group(mark: str) -> str:
    """Return a group that is used once, to try whether the server works, and thrown away."""
    return _group(TRIAL, mark)


def is_group_id(text: str) -> bool:
    """Tell whether the server's worker survives a group id."""
    return _TAKEN.fullmatch(text) is not None


def _group(scope: str, key: str) -> str:
    digest = hashlib.sha256(f"{scope}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"graphiti_{scope}_{digest[:_DIGITS]}"
