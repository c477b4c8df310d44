"""What a person types into a search, as expressions of SQLite's full-text index that cannot fail."""

from __future__ import annotations

import re

from memsuggest.memory import vocabulary

TERMS_LIMIT = 32

_TERM = re.compile(r"[\w+#]+")
_CHARS_LIMIT = 2_000
_COMMON = vocabulary.EMPTY | vocabulary.SCOPE_ENDS


def match_expressions(query: str) -> tuple[str, ...]:
    """Return what to look for, strictest first: all words, then any of them; nothing for a query without words.

    Every term is quoted, so that no sign in it is an operator, and stands for all words that begin with it.
    """
    text = query[:_CHARS_LIMIT].encode("utf-8", "replace").decode()
    found = list(dict.fromkeys(_TERM.findall(text.casefold())))
    terms = [term for term in found if term not in _COMMON] or found
    quoted = [f'"{term}" *' for term in terms[:TERMS_LIMIT]]
    if not quoted:
        return ()
    every, some = " AND ".join(quoted), " OR ".join(quoted)
    return (every,) if every == some else (every, some)
