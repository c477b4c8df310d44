"""Every expected failure, and the skip, which is none.

The person sees `error: MESSAGE`, a blank line and `hint: HINT`, with exit code 1. Anything else is a bug and keeps its
traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple, Protocol, TypeVar


class Skipped(NamedTuple):
    """A skipped item."""

    what: Annotated[str, "The skipped file, entry or sentence."]
    why: str


class MemsuggestError(Exception):
    """An expected failure: what went wrong and, in `hint`, what to do next."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(MemsuggestError):
    """A setting has a value that is not allowed."""


class WorkspaceError(MemsuggestError):
    """The place to work in is missing or cannot be used."""


class TranscriptError(MemsuggestError):
    """A file is no transcript of a known format, or cannot be read as one."""


class StoreError(MemsuggestError):
    """A store is damaged, newer than this program, or cannot be written; it was left as it was."""


class UnknownId(MemsuggestError):
    """An id prefix fits nothing, or more than one thing."""


class EditConflict(MemsuggestError):
    """A file changed so that what was shown can no longer be written exactly."""


class FileError(MemsuggestError):
    """A file cannot be read or written byte for byte."""


class ConsentError(MemsuggestError):
    """Something would leave this machine without the person's consent."""


class ModelError(MemsuggestError):
    """A model could not be asked, or its reply is of no use; nothing was learned from it."""

    def __init__(self, message: str, *, outcome: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.outcome = outcome
        """The name of what happened: `overloaded`, `refusal`, …"""


class RemoteError(MemsuggestError):
    """Another machine refused what was asked, answered with something else, or cannot be reached."""


class OutsideWorkspace(MemsuggestError):
    """A path leaves the root, or names something that may never be a target."""


# Finding one thing by the beginning of its id, as git does: at least four characters, and only one has them

LEAST = 4
"""Characters of an id that are enough, if no other begins with them; git takes no fewer either."""
_NAMED = 5


class HasId(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> str: ...


Named = TypeVar("Named", bound=HasId)


def beginning(word: str, things: Iterable[HasId], *, shown_by: str) -> str:
    """Return a word as ids are written; raises UnknownId for one too short, unless it is a whole id of the things.

    `shown_by` is the command that shows the ids there are.
    """
    wanted = word.strip().lower()
    if len(wanted) < LEAST and not any(thing.id == wanted for thing in things):
        raise UnknownId(
            f"the ID `{word}` is too short",
            hint=f"enter at least {LEAST} characters; {shown_by} lists the IDs",
        )
    return wanted


def only_one(found: Sequence[Named], word: str, *, called: str) -> Named | None:
    """Return the only thing found, None where there is none; raises UnknownId for several, which are `called` so."""
    if len(found) > 1:
        ids = ", ".join(f"`{named.id[:12]}`" for named in found[:_NAMED])
        raise UnknownId(f"`{word}` matches several {called}: {ids}", hint="enter more characters of the ID")
    return found[0] if found else None
