"""A question as one text: taken out of the request that the Messages API would get. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memsuggest.judging.engines.own_session_mark import MARK

_NOTHING_ELSE = (
    "This text comes from the program memsuggest, not from a person. Run nothing, open nothing, use no tool."
    " Answer once, with one JSON object and nothing before or after it."
)
_SHAPE = "The answer is one JSON object of this JSON schema:"
AT, HARMLESS_AT = "@", "＠"
"""Programs put the content of a file in the place of `@path`, wherever it stands and wherever the file lies; with a
full-width sign they do not, and a model reads it all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, without anything that depends on who is asked."""

    system: str
    """What to do."""
    packet: str
    """The data."""
    schema: Mapping[str, Any]
    """The JSON schema of the answer."""

    @property
    def shape(self) -> str:
        """The schema as a text, for minds that take no schema."""
        return f"{_SHAPE}\n{json.dumps(self.schema, ensure_ascii=False, separators=(',', ':'))}\n"


def asked_in(body: Mapping[str, Any]) -> Asked:
    return Asked(
        system="\n\n".join(block["text"] for block in body["system"]),
        packet="\n\n".join(block["text"] for message in body["messages"] for block in message["content"]),
        schema=body["output_config"]["format"]["schema"],
    )


def as_text(*parts: str) -> str:
    """Return what a program reads: our mark, that nothing is to be run, and the parts, in which no file is named."""
    return "\n\n".join((f"{MARK} {_NOTHING_ELSE}", *(part.strip().replace(AT, HARMLESS_AT) for part in parts))) + "\n"


def as_answered(text: str) -> str:
    return text.replace(HARMLESS_AT, AT)
