"""Fast ways to the few places of a long text that rules should look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def lowered(text: str) -> str:
    """Return the ASCII letters of a text in lower case, position by position; any other letter becomes `?`."""
    return text.encode("ascii", "replace").lower().decode("ascii")


def places(text: str, needle: str) -> Iterable[int]:
    """Tell where `needle` stands in the text; next to nothing where it does not."""
    first = text.find(needle)
    return () if first < 0 else _places(text, needle, first)


def _places(text: str, needle: str, at: int) -> Iterator[int]:
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def words(text: str) -> tuple[str, ...]:
    """Cut a list of words, written as one text, at white space."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Cut a list of words, written as one text, into a set."""
    return frozenset(text.split())
