"""The state of the tool, and its settings, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from memsuggest.render.as_json.filling import From
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.reports.doctor_report import Health


class CheckJson(TypedDict):
    """One thing that was looked at."""

    area: Annotated[str, "`workspace`, `chats`, `files`, `memory`, `model`, `graphiti` or `installed`."]
    name: str
    health: Annotated[Health, "`off`: not there or not wanted; `look`: it works, and there is something to look at."]
    text: str
    hint: Annotated[str, "What to do about it, if anything; else empty."]


class ExaminedJson(TypedDict):
    """The report of `doctor`: what is found, what is installed, what is off and why."""

    programVersion: Annotated[str, "Of memsuggest, as `0.2.0`.", From("version")]
    checks: list[CheckJson]


class ValueJson(TypedDict):
    """A setting's value."""

    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    source: Annotated[str, "Where the value came from."]


class SettingsJson(TypedDict):
    """Every setting."""

    settings: Annotated[dict[str, ValueJson], "By the setting's name.", From("values")]
    ignored: Annotated[list[SkippedJson], "What a repo brought that it may not set."]
