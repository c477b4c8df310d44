"""The report of `coverage`: what people keep saying, the file that says it, and files that no chat used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.json_shape import Also, Hidden, Key, or_null
from memsuggest.model import Citation, Scope, Skipped
from memsuggest.text.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Covering:
    """A line of a file that says something already."""

    uri: str
    line: Annotated[int, "From 1."]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One thing that was said in several chats, or by several people."""

    fact_ids: Annotated[tuple[str, ...], "The facts about it, the one with the most evidence first."]
    content: Annotated[str, "The words of that one."]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    times: Annotated[int, "How often it was said."]
    chats: Annotated[int, "In how many chats."]
    others: Annotated[int, "How many of those are chats of other people."] = 0
    _price: ClassVar = Also("price", int, "Times said × chats.")
    first: Annotated[int | None, "When it was said first, as ISO 8601.", iso] = None
    last: Annotated[int | None, iso] = None
    covered_by: Annotated[tuple[Covering, ...], "The lines that say it; empty: a gap."] = ()
    suggestion_id: Annotated[str, "What waits to put it into a file.", or_null] = ""
    citations: Annotated[tuple[Citation, ...], "The person's own words, oldest first."] = ()

    @property
    def price(self) -> int:
        """The price of no file saying it: times said × chats."""
        return self.times * self.chats


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """A customization file, and whether chats used it."""

    uri: str
    tokens: Annotated[int, "What it costs whenever it is loaded."]
    rules: int
    loaded: Annotated[int, "Of the last chats, those whose assistant loaded it."]
    touched: Annotated[int, "Of the last chats, those that read or changed it."]
    last_used: Annotated[int | None, "When the last chat began that used it, as ISO 8601; null: none.", iso] = None
    idle: ClassVar = Also("is_idle", bool, "Whether none of the last chats used it.")
    is_known: Annotated[bool, "Whether chats tell if it was used.", Key("known")] = True
    why: Annotated[str, "Why none of the last chats loaded it; else empty."] = ""

    @property
    def is_idle(self) -> bool:
        """Tell whether none of the last chats used it, as far as they tell."""
        return self.is_known and not self.loaded and not self.touched


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """Coverage: what people keep saying, the file that says it, and files that nothing uses."""

    JSON_NAME = "Coverage"
    chats: Annotated[int, "Chats that were looked at."]
    last: Annotated[int, "How many of them, the newest, count for the use of files."]
    unlearned: Annotated[int, "Chats that nothing was learned from yet: `reconcile` does."] = 0
    _gaps: ClassVar = Also("gaps", tuple[Matter, ...], "What no file says, the dearest first.")
    _covered: ClassVar = Also("covered", tuple[Matter, ...], "What a file says.")
    files: Annotated[tuple[FileUse, ...], "The customization files, those that nothing used first."]
    _idle_tokens: ClassVar = Also("idle_tokens", int, "What the idle files cost together.")
    skipped: tuple[Skipped, ...] = ()
    matters: Hidden[tuple[Matter, ...]]
    """What was said in two chats and more, or by several people: the dearest first."""

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
