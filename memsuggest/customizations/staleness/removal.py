"""The removal of a thing, as git tells it. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The commit that took something away, or gave it another name."""

    commit: str
    """Abbreviated, as git prints it."""
    day: str
    """As 2026-03-01."""
    subject: str = ""
    """Its first line, on one line and without secrets."""
    renamed_to: str = ""
    """What it is called now, as it is to be written in the place of the old name; empty where it is gone."""
    is_doubtful: bool = False
    """Whether git shows some of it under names of which one cannot tell whether they are its own."""
