"""Words that a person gives to a fact by hand."""

from __future__ import annotations

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.redact import clean, hidden_characters, redact, without_redacted


def checked_words(text: str) -> str:
    """Return the words as one clean line, without clauses that hold a secret.

    Raises MemsuggestError for what may not be remembered.
    """
    if hidden_characters(text):
        raise MemsuggestError("the text has invisible characters in it", hint="type it anew")
    content = " ".join(clean(redact(text).text).split())
    if not content:
        raise MemsuggestError("there are no words in it", hint="say what to remember, as in `use pnpm, not npm`")
    remains = without_redacted(content)
    if not remains:
        raise MemsuggestError(
            f"without what is secret or personal it says nothing: {content}",
            hint="say it without that, or name the variable or place where it is",
        )
    return remains
