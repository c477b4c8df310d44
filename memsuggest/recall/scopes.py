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


_PAST = re.compile(
    r"""\b(?:
        did | was | were | decided? | agreed | done | tried | had[ ]we | have[ ]we | happened | earlier | before | ago
      | last[ ](?:time|week|month|session|year|\w+day) | yesterday | history | why[ ](?:are|do)[ ]we[ ](?:still|not)
      | left[ ](?:open|to[ ]do) | still[ ]open | remember[ ]when | since[ ]when
      | haben[ ]wir | hatten[ ]wir | hast[ ]du | wurde\w? | war | waren | gestern | letzte\w? | damals | neulich | offen
      | avons[ -]nous | avait | hier | dernière? | décidé | hicimos | fue | ayer | última? | decidimos
    )\b | 上次 | 昨天 | 之前 | 前回 | 昨日""",
    re.IGNORECASE | re.VERBOSE,
)


def asks_of_past(query: str) -> bool:
    """Tell whether a query asks what was done, which the archive knows.

    >>> asks_of_past("how did we fix the login last week?"), asks_of_past("fix the login")
    (True, False)
    """
    return _PAST.search(query) is not None


def scope_of(query: str) -> RecallScope:
    """Return whose entries a query is about.

    >>> scope_of("what is my timezone"), scope_of("how do we deploy src/api"), scope_of("tests")
    (<RecallScope.USER: 'user'>, <RecallScope.WORKSPACE: 'workspace'>, <RecallScope.ALL: 'all'>)
    """
    personal, project = bool(_PERSONAL.search(query)), bool(_PROJECT.search(query))
    if personal == project:
        return RecallScope.ALL
    return RecallScope.USER if personal else RecallScope.WORKSPACE
