"""How it all stands, and its settings, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from memsuggest.render.as_json.noun_shapes import SkippedJson, skips
from memsuggest.reports.doctor_report import Health

if TYPE_CHECKING:
    from memsuggest.reports import doctor_report, plain


class CheckJson(TypedDict):
    """One thing that was looked at."""

    area: Annotated[str, "`workspace`, `chats`, `files`, `memory`, `model` or `installed`."]
    name: str
    health: Annotated[Health, "`off`: not there or not wanted; `look`: it works, and there is something to look at."]
    text: str
    hint: Annotated[str, "What to do about it, if anything; else empty."]


class ExaminedJson(TypedDict):
    """What is found, what is installed, what is off and why."""

    programVersion: Annotated[str, "Of memsuggest, as `0.1.0`."]
    checks: list[CheckJson]


class ValueJson(TypedDict):
    """A setting's value."""

    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    source: Annotated[str, "Where the value came from."]


class SettingsJson(TypedDict):
    """Every setting."""

    settings: Annotated[dict[str, ValueJson], "By the setting's name."]
    ignored: Annotated[list[SkippedJson], "What a repo brought that it may not set."]


def examined_json(report: doctor_report.Examined) -> ExaminedJson:
    """Return what was found."""
    return {"programVersion": report.version, "checks": [_check(check) for check in report.checks]}


def _check(check: doctor_report.Check) -> CheckJson:
    return {"area": check.area, "name": check.name, "health": check.health, "text": check.text, "hint": check.hint}


def settings_json(report: plain.SettingsShown) -> SettingsJson:
    """Return every setting."""
    return {
        "settings": {name: {"value": value.value, "source": value.source} for name, value in report.values.items()},
        "ignored": skips(report.ignored),
    }
