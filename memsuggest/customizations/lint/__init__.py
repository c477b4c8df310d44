"""Lints of customization files, and what a lint finds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.frontmatter import FrontMatter

if TYPE_CHECKING:
    from memsuggest.core.model import Edit, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A file to look at, read once for all lints."""

    target: Target
    header: FrontMatter
    kind: str
    """Name of its kind, as in `kinds`."""

    def line_of(self, key: str) -> int:
        """Return the index of the line of an attribute; 0 where it is missing."""
        entry = next((entry for entry in self.header.entries if entry.key == key), None)
        return self.target.text.count("\n", 0, self.header.header_start + entry.start) if entry else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One place where a lint applies."""

    line: int = 0
    """Index of the line in the file, from 0."""
    detail: str = ""
    """What is to be put into the lint's message."""
    after: str | None = None
    """The whole file with this put right; None where that takes a person."""
    rename_to: str | None = None
    """The path that the file should have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """Something that is wrong in a way that a host does not tell."""

    id: str
    message: str
    """With `{}` for the detail."""
    find: Callable[[Subject], Iterable[Trouble]]


def lints(*rows: tuple[str, str, Callable[[Subject], Iterable[Trouble]]]) -> tuple[Lint, ...]:
    return tuple(Lint(id=name, message=message, find=find) for name, message, find in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A lint that applies to a file."""

    lint: str
    uri: str
    line: int
    message: str
    fix: Edit | None = None
    rename_to: str | None = None
