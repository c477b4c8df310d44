"""Words that a person gives to a fact by hand."""

from __future__ import annotations

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.redact import clean, hidden_characters, redact, without_redacted


def checked_words(text: str) -> str:
    """Return the words as one clean line, without clauses that hold a secret.

    Raises MemsuggestError for what may not be remembered.
    """
    if hidden_characters(text):
        raise MemsuggestError("the text contains invisible characters", hint="retype it")
    content = " ".join(clean(redact(text).text).split())
    if not content:
        raise MemsuggestError("the text contains no words", hint="enter a rule such as `use pnpm, not npm`")
    remains = without_redacted(content)
    if not remains:
        raise MemsuggestError(
            f"nothing is left after redacting secrets and personal data: {content}",
            hint="rephrase it without them, or mention the variable or file that contains them",
        )
    return remains
