"""Questions and answers without secrets, whoever made them. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.core.redact import redact

if TYPE_CHECKING:
    from memsuggest.judging.asking.question import Question


def as_sent(question: Question) -> Question:
    """Return a question as it may leave: redacted once more, whoever made it."""
    return replace(
        question,
        about=redact(question.about).text,
        known=redact(question.known).text,
        data=redact(question.data).text,
    )


def as_heard(text: str) -> str:
    """Return an answer as it may be read, kept and recorded: without secrets, however its JSON spells them."""
    try:
        return json.dumps(_without_secrets(json.loads(text)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return redact(text).text


def _without_secrets(value: object) -> object:
    match value:
        case str():
            return redact(value.encode("utf-8", "replace").decode()).text
        case list():
            return [_without_secrets(item) for item in value]
        case dict():
            return {str(_without_secrets(name)): _without_secrets(item) for name, item in value.items()}
    return value
