"""The report of `doctor`: what is found, what is installed, what is off and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from memsuggest.json_shape import Key


class Health(StrEnum):
    """The health of one thing."""

    OK = "ok"
    OFF = "off"
    """Not there or not wanted, which may be as it should be."""
    LOOK = "look"
    """It works, and there is something to look at."""
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    area: Annotated[str, "`workspace`, `chats`, `files`, `memory`, `model`, `graphiti` or `installed`."]
    name: str
    health: Annotated[Health, "`off`: not there or not wanted; `look`: it works, and there is something to look at."]
    text: str
    hint: Annotated[str, "What to do about it, if anything; else empty."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The report of `doctor`: what is found, what is installed, what is off and why."""

    version: Annotated[str, "Of memsuggest, as `0.2.0`.", Key("programVersion")]
    checks: tuple[Check, ...]

    @property
    def is_well(self) -> bool:
        """Tell whether nothing is bad."""
        return not any(check.health is Health.BAD for check in self.checks)
