"""Words that a person gives to a fact by hand."""

from __future__ import annotations

from memsuggest.errors import MemsuggestError
from memsuggest.redact import clean, hidden_characters, redact


def checked_words(text: str) -> str:
    """Return the words as one clean line without secrets; raises MemsuggestError for what may not be remembered."""
    if hidden_characters(text):
        raise MemsuggestError("the text has invisible characters in it", hint="type it anew")
    content = " ".join(clean(redact(text).text).split())
    if not content:
        raise MemsuggestError("there are no words in it", hint="say what to remember: `memsuggest remember 'use pnpm'`")
    return content
