"""Tags of entries: short words, without what may not be remembered either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.core.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 20
"""Tags of one entry."""
LENGTH = 60
"""Characters of one tag."""


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags, each once and on one line; raises MemsuggestError for what may not be remembered."""
    from memsuggest.core.redact import hidden_characters, redact

    found = tuple(dict.fromkeys(one for tag in tags if (one := " ".join(tag.split()))))
    if len(found) > MOST:
        raise MemsuggestError(f"an entry has at most {MOST} tags, not {len(found)}", hint="keep the telling ones")
    for tag in found:
        if len(tag) > LENGTH:
            raise MemsuggestError(f"a tag has at most {LENGTH} characters, not {len(tag):,}", hint="say it in a word")
        if hidden_characters(tag) or not tag.isprintable():
            raise MemsuggestError("a tag has invisible characters in it", hint="type it anew")
        if redact(tag).found:
            raise MemsuggestError("a tag has a secret or personal data in it", hint="leave it out")
    return found
