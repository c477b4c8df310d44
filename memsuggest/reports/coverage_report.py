"""The report of `coverage`: what people keep saying, the file that says it, and files that no chat used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Citation, Scope, Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Covering:
    """A line of a file that says something already."""

    uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One thing that was said in several chats, or by several people."""

    fact_ids: tuple[str, ...]
    """The facts about it, the one with the most evidence first."""
    content: str
    """The words of that one."""
    scope: Scope
    times: int
    """How often it was said."""
    chats: int
    """In how many chats."""
    others: int = 0
    """How many of those are chats of other people, as the team's file tells."""
    first: int | None = None
    """When it was said first, in milliseconds since the epoch."""
    last: int | None = None
    covered_by: tuple[Covering, ...] = ()
    """Empty: a gap."""
    suggestion_id: str = ""
    """What waits to put it into a file; empty for nothing."""
    citations: tuple[Citation, ...] = ()
    """The person's own words, oldest first."""

    @property
    def price(self) -> int:
        """The price of no file saying it: times said × chats."""
        return self.times * self.chats


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """A customization file, what it costs, and in how many of the last chats it was of use."""

    uri: str
    tokens: int
    """What it costs whenever it is loaded."""
    rules: int
    loaded: int
    """Of the last chats, those whose assistant loaded it."""
    touched: int
    """Of the last chats, those that read or changed it."""
    last_used: int | None = None
    """When the last chat of all began that loaded or touched it, in milliseconds since the epoch; None: none did."""
    why: str = ""
    """Why none of the last chats loaded it."""
    is_known: bool = True
    """False where the chats do not tell whether it was used: skills, agents and prompts of most assistants."""

    @property
    def is_idle(self) -> bool:
        """Tell whether none of the last chats used it, as far as they tell."""
        return self.is_known and not self.loaded and not self.touched


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """The answer of `coverage`."""

    matters: tuple[Matter, ...]
    """What was said in two chats and more, or by several people: the dearest first."""
    files: tuple[FileUse, ...]
    """All customization files of the repo: those that nothing used first, the dearest first."""
    chats: int
    """Chats that were looked at."""
    last: int
    """How many of them, the newest, count for the use of files."""
    unlearned: int = 0
    """Chats that nothing was learned from yet, so that nothing in them counts as said."""
    skipped: tuple[Skipped, ...] = ()

    @property
    def gaps(self) -> tuple[Matter, ...]:
        """The matters that no file says, the dearest first."""
        return tuple(one for one in self.matters if not one.covered_by)

    @property
    def covered(self) -> tuple[Matter, ...]:
        """The matters that a file says."""
        return tuple(one for one in self.matters if one.covered_by)

    @property
    def idle(self) -> tuple[FileUse, ...]:
        """The files that nothing used."""
        return tuple(one for one in self.files if one.is_idle)

    @property
    def idle_tokens(self) -> int:
        """The cost of those together."""
        return sum(one.tokens for one in self.idle)
