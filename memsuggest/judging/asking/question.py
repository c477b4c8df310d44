"""One question to a model: its purpose, prompt, data and the shape of the reply; without secrets, in tokens. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from memsuggest.core.identity import hash_of
from memsuggest.core.redact import redact
from memsuggest.judging.asking.prices import price_of
from memsuggest.judging.asking.prompts import Prompt

# Questions and answers without secrets, whoever made them.


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


# An estimate of a text's tokens, without asking anybody; errs on the high side

BYTES_PER_TOKEN = 3.2
"""English prose has about 4 with the newest tokenizer, code and JSON about 3; others come close by their bytes."""


def estimate(text: str) -> int:
    """Return about how many tokens a text has.

    >>> estimate("Use pnpm, not npm.")
    6
    """
    return -int(-len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN // 1)


class Purpose(StrEnum):
    """The purpose of a question."""

    EXTRACTION = "extraction"
    NOTES = "notes"
    VERDICTS = "verdicts"
    APP_MEMORY = "app-memory"
    APP_COMPACTION = "app-compaction"


LOW_PRIORITY = frozenset(Purpose) - {Purpose.EXTRACTION}  # what can wait: it stops first when a budget runs low


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All of a request but the model's name."""

    purpose: Purpose
    prompt: Prompt
    about: str = ""
    known: str = ""
    """Data that many questions share; it stands first, so that it can be cached."""
    data: str
    schema: Mapping[str, object]
    max_tokens: int = 8_000
    token_usage: Mapping[str, int] = field(default_factory=dict)
    """Tokens that the assistants themselves used in the sessions it is about, by their digests, as far as known."""
    parts: tuple[str, ...] = ()
    """Keys of the questions in whose place it is asked; none where it is one by itself."""

    @property
    def key(self) -> str:
        """Identity of what is asked by this version of the prompt, whatever else is known by then."""
        return hash_of("question", self.purpose, self.prompt.name, str(self.prompt.version), self.data)

    @property
    def tokens(self) -> int:
        return (
            estimate(self.prompt.text) + estimate(self.known) + estimate(self.data) + estimate(json.dumps(self.schema))
        )

    def packet(self) -> str:
        """Return what stands beside the prompt: what is known, then the data."""
        return "\n\n".join(text for text in (self.known, self.fenced()) if text)

    def fenced(self) -> str:
        """Return the data as it is told: between two marks."""
        return fence(self.data)


def fence(text: str) -> str:
    """Return a text between two marks that cannot stand in it, since they are made of its digest."""
    mark = hash_of("fence", text)
    return f'<data id="{mark}">\n{text}\n</data id="{mark}">'


_CACHED = {"cache_control": {"type": "ephemeral"}}


def body_of(question: Question, *, model: str) -> dict[str, Any]:
    price = price_of(model)
    content: list[dict[str, Any]] = []
    if question.known:
        is_cached = estimate(question.prompt.text + question.known) >= price.cached_from
        content.append({"type": "text", "text": question.known, **(_CACHED if is_cached else {})})
    content.append({"type": "text", "text": question.fenced()})
    is_worth_caching = estimate(question.prompt.text) >= price.cached_from
    config: dict[str, Any] = {"format": {"type": "json_schema", "schema": dict(question.schema)}}
    if price.has_effort:
        config["effort"] = "low"
    return {
        "model": model,
        "max_tokens": question.max_tokens,
        "system": [{"type": "text", "text": question.prompt.text, **(_CACHED if is_worth_caching else {})}],
        "messages": [{"role": "user", "content": content}],
        "output_config": config,
    }
