"""The report of `doctor`: what is found, what is installed, what is off and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from memsuggest.core.json_shape import Key
from memsuggest.core.render.page import BAD, FAINT, GOOD, HEAD, WARN, Page
from memsuggest.core.render.safe_output import one_line


class Health(StrEnum):
    """The health of one thing."""

    OK = "ok"
    OFF = "off"  # not there or not wanted, which may be as it should be
    LOOK = "look"  # it works, and there is something to look at
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result."""

    area: Annotated[str, "`workspace`, `chats`, `files`, `memory`, `model`, `graphiti` or `installed`."]
    name: str
    health: Annotated[Health, "`off`: not installed or switched off; `look`: works, but needs attention."]
    text: str
    hint: Annotated[str, "What to do about the problem; empty if nothing needs to be done."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The report of `doctor`: what is found, what is installed, what is off and why."""

    version: Annotated[str, "The memsuggest version, for example `0.2.0`.", Key("programVersion")]
    checks: tuple[Check, ...]

    @property
    def is_well(self) -> bool:
        return not any(check.health is Health.BAD for check in self.checks)

    def show(self, page: Page) -> None:
        area = ""
        for check in self.checks:
            if check.area != area:
                page.line((check.area.capitalize(), HEAD))
                area = check.area
            hint = (f"  {check.hint}", FAINT) if check.hint else ""
            health = (f"{check.health:<5}", _MARKS[check.health])
            page.line("  ", health, f"{check.name:<16} ", one_line(check.text), hint)


_MARKS = {"ok": GOOD, "off": FAINT, "look": WARN, "bad": BAD}
