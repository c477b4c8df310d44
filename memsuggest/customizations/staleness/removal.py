"""The removal of a thing, as git tells it. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The commit that took something away."""

    commit: str
    """Abbreviated, as git prints it."""
    day: str
    """As 2026-03-01."""
    subject: str = ""
    """Its first line, on one line and without secrets."""
