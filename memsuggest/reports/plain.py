"""Settings and plain answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.config import Value
    from memsuggest.model import Skipped
    from memsuggest.reports.plain_answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Lines said to a person in a conversation, broken between words where the terminal is narrow."""

    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    """The answer of `config show`."""

    values: Mapping[str, Value]
    ignored: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A plain answer."""

    text: str
    payload: Answer
    """The same for `--format json`."""
