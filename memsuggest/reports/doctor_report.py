"""The report of `doctor`: what is found, what is installed, what is off and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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

    area: str
    """`workspace`, `chats`, `files`, `memory`, `model`, `graphiti` or `installed`."""
    name: str
    health: Health
    text: str
    hint: str = ""
    """What to do about it, if anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The answer of `doctor`."""

    version: str
    checks: tuple[Check, ...]

    @property
    def is_well(self) -> bool:
        """Tell whether nothing is bad."""
        return not any(check.health is Health.BAD for check in self.checks)
