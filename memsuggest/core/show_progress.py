"""The seam through which long work says how far it is; what shows it stands in `cli/progress_line`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from memsuggest.core.model import MemoryFact

READING = "reading"
LOOKING = "looking for chats"
JUDGING = "asking the model"
PLACING = "placing rules"
CHECKING = "checking files"
KEEPING = "saving chats for recall"


class ShowProgress(Protocol):
    """Shows how far long work is."""

    def __call__(self, done: int, total: int, name: str, /, *, phase: str = READING) -> None:
        """Say how many are done, how many there are (0: nobody knows), the name of the next, and the phase."""
        ...


FirstRules: TypeAlias = "Callable[[Sequence[MemoryFact], Callable[[MemoryFact], str]], None]"
"""Is told the rules that were found while there is more to read, and what says where one of them belongs."""


def show_none(_rules: Sequence[MemoryFact], _place: Callable[[MemoryFact], str]) -> None:
    """Show none of the rules before the end."""


def no_progress(_done: int, _total: int, _name: str, /, *, phase: str = READING) -> None:
    """Show nothing."""
