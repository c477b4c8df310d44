"""Settings and plain answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from memsuggest.config import Value
from memsuggest.json_shape import Key
from memsuggest.model import Skipped
from memsuggest.reports.plain_answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Lines said to a person in a conversation, broken between words where the terminal is narrow."""

    rows: tuple[str, ...]


class ValueJson(TypedDict):
    """A setting's value."""

    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    source: Annotated[str, "Where the value came from."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    """Every setting."""

    JSON_NAME = "Settings"
    values: Annotated[Mapping[str, Annotated[Value, ValueJson]], "By the setting's name.", Key("settings")]
    ignored: Annotated[tuple[Skipped, ...], "What a repo brought that it may not set."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A plain answer."""

    text: str
    payload: Answer
    """The same for `--format json`."""

    def json_keys(self) -> Mapping[str, Any]:
        """Return the payload as it is."""
        return self.payload
