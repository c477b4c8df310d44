"""Finding one thing by the beginning of its id, as git does: at least four characters, and only one has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from memsuggest.core.errors import UnknownId

LEAST = 4
"""Characters of an id that are enough, if no other begins with them; git takes no fewer either."""
_NAMED = 5
"""Ids that a message names."""


class HasId(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> str:
        """The whole id."""
        ...


Named = TypeVar("Named", bound=HasId)


def beginning(word: str, things: Iterable[HasId], *, shown_by: str) -> str:
    """Return a word as ids are written; raises UnknownId for one too short, unless it is a whole id of the things.

    `shown_by` is the command that shows the ids there are.
    """
    wanted = word.strip().lower()
    if len(wanted) < LEAST and not any(thing.id == wanted for thing in things):
        raise UnknownId(
            f"the id `{word}` is too short",
            hint=f"enter at least {LEAST} characters of the id; {shown_by} lists the ids",
        )
    return wanted


def only_one(found: Sequence[Named], word: str, *, called: str) -> Named | None:
    """Return the only thing found, None where there is none; raises UnknownId for several, which are `called` so."""
    if len(found) > 1:
        ids = ", ".join(f"`{named.id[:12]}`" for named in found[:_NAMED])
        raise UnknownId(f"`{word}` matches several {called}: {ids}", hint="enter more characters of the id")
    return found[0] if found else None
