"""Settings and plain answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from memsuggest.config import SETTINGS, Value
from memsuggest.json_shape import Key
from memsuggest.model import Skipped
from memsuggest.render.page import FAINT, WARN, Page
from memsuggest.reports.plain_answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Lines said to a person in a conversation, broken between words where the terminal is narrow."""

    rows: tuple[str, ...]

    def show(self, page: Page) -> None:
        """Print what is said, each line as far to the right as it begins."""
        for row in self.rows:
            page.line(row, hang=3)


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

    def show(self, page: Page) -> None:
        """Print the settings and where they came from."""
        for name, value in self.values.items():
            shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
            shown = " ".join(filter(None, (shown, SETTINGS[name].unit)))
            page.line(f"{name:<20} {shown or '(none)':<18} ", (value.source, FAINT))
        for skip in self.ignored:
            page.line((f"ignored  {skip.what}: {skip.why}", WARN))


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A plain answer."""

    text: str
    payload: Answer
    """The same for `--format json`."""

    def json_keys(self) -> Mapping[str, Any]:
        """Return the payload as it is."""
        return self.payload

    def show(self, page: Page) -> None:
        """Print a plain answer."""
        page.block(self.text)
