"""The scope of a query: whether it is about the person, about the project, or about both. Pure."""

from __future__ import annotations

import re
from enum import StrEnum


class RecallScope(StrEnum):
    """The scope of a search."""

    AUTO = "auto"
    """By the words of the query; both where they do not tell."""
    ALL = "all"
    WORKSPACE = "workspace"
    USER = "user"


_PERSONAL = re.compile(
    r"\b(?:i|i'm|i've|me|my|mine|myself|ich|mir|mich|mein\w{0,2}|je|j'ai|moi|mon|ma|mes|yo|mi|mis)\b"
    r"|我",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?:we|our|us|here|this (?:project|repo\w*|code ?base|app|service)|the (?:project|repo\w*|code ?base)|team"
    r"|wir|uns\w{0,4}|hier|(?:diese\w?|das|im) (?:projekt|repo\w*)|nous|notre|nos|ici|nuestr\w+|aquí)\b"
    r"|(?<![\w-])[\w-]{1,100}/[\w./-]|(?<![\w-])[\w-]{1,100}\.[a-z]{1,4}\b|`|我们|项目",
    re.IGNORECASE,
)


def scope_of(query: str) -> RecallScope:
    """Return whose entries a query is about.

    >>> scope_of("what is my timezone"), scope_of("how do we deploy src/api"), scope_of("tests")
    (<RecallScope.USER: 'user'>, <RecallScope.WORKSPACE: 'workspace'>, <RecallScope.ALL: 'all'>)
    """
    personal, project = bool(_PERSONAL.search(query)), bool(_PROJECT.search(query))
    if personal == project:
        return RecallScope.ALL
    return RecallScope.USER if personal else RecallScope.WORKSPACE
