"""Reports on facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.json_shape import Also, Hidden, Key, as_json, or_null
from memsuggest.model import Candidate, Contradiction, MemoryFact, Skipped
from memsuggest.reports.decision_reports import Decided
from memsuggest.reports.held_report import HeldRule
from memsuggest.text.when import iso_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRows:
    """Facts, and what was searched for."""

    JSON_NAME = "Facts"
    query: Annotated[str | None, "The words that were searched for."] = None
    facts: tuple[MemoryFact, ...]
    dismissed: Annotated[frozenset[str], "Ids of those that were dismissed.", sorted] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactShown:
    """One fact, whole."""

    fact: MemoryFact
    in_shared_file: Annotated[bool, "Whether it stands in the team's facts.json."] = False
    note: Annotated[str, "What else is to be said of it; or empty."] = ""
    decisions: tuple[Decided, ...] = ()
    contradictions: Annotated[tuple[Contradiction, ...], "Facts that it contradicts."] = ()
    promotions: Annotated[tuple[PromotedAs, ...], "As what it was promoted to a Graphiti server."] = ()
    held: Annotated[tuple[HeldRule, ...], "What became of the lines that it was applied to."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotedAs:
    """A promotion of a fact."""

    endpoint: str
    kind: str
    scope: Annotated[str, "`workspace` or `user`."]
    at: Annotated[int, "ISO 8601.", iso_of]
    state: Annotated[str, "`waiting`, `queued`, `stored`, …; null: nobody remembers.", or_null]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """A change of a fact."""

    JSON_NAME = "Changed"
    verb: Annotated[str, "`added`, `confirmed`, `edited` or `forgot`.", Key("did")]
    fact: MemoryFact
    danger: Annotated[str, "How it weakens safety; empty where it does not."] = ""
    notes: Annotated[tuple[str, ...], "What became of it elsewhere, a line each."] = ()

    def json_keys(self) -> dict[str, object]:
        """Return it as the only one of several."""
        return as_json(FactsChanged(changes=(self,)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChanged:
    """Changes of a fact, and of the others that were named."""

    did: ClassVar = Also("first.verb", str, "`added`, `confirmed`, `edited` or `forgot`.")
    fact: ClassVar = Also("first.fact", MemoryFact)
    danger: ClassVar = Also("first.danger", str, "How it weakens safety; empty where it does not.")
    notes: ClassVar = Also("first.notes", list[str], "What became of it elsewhere, a line each.")
    more: ClassVar = Also("others", tuple[FactChanged, ...], "The same of every further fact that was named.")
    changes: Hidden[tuple[FactChanged, ...]]
    """At least one."""
    is_for_good: Hidden[bool] = False
    """No `undo` brings back what was forgotten."""

    @property
    def first(self) -> FactChanged:
        """The change of the fact that was named first."""
        return self.changes[0]

    @property
    def others(self) -> tuple[FactChanged, ...]:
        """The changes of the others."""
        return self.changes[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """Facts that were let go of, beyond the limits."""

    is_dry: Annotated[bool, Key("dryRun")] = False
    facts: Annotated[tuple[MemoryFact, ...], "Worth least first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleFact:
    """A fact that speaks of what the repo does not have any more."""

    fact: MemoryFact
    what: Annotated[str, "What is gone, or has another name now."]
    why: Annotated[str, "The commit that did it, or what was looked at."]
    new_content: Annotated[str, "The fact with the new names; empty where it is best forgotten."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The soundness of the shared facts.json."""

    path: str
    facts: Annotated[int, "How many it holds."]
    problems: tuple[Skipped, ...]
    stale: Annotated[tuple[StaleFact, ...], "With `--stale`: facts of both stores that speak of what is gone."] = ()


class FactVerdict(StrEnum):
    """The standing of an imported entry here."""

    NEW = "new"
    KNOWN = "known"
    FORGOTTEN = "forgotten"
    """It, or its words, had been forgotten on purpose; to take it brings it back."""
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Importable:
    """An entry of an imported file."""

    verdict: Annotated[FactVerdict, "`forgotten`: it, or its words, had been forgotten on purpose."]
    fact: Annotated[MemoryFact, "As which it would be stored, or is."]
    other: Annotated[MemoryFact | None, "The fact that it is already, or that it contradicts."] = None
    candidate: Hidden[Candidate]

    @property
    def id(self) -> str:
        """The id under which it would be stored."""
        return self.fact.id

    @property
    def is_open(self) -> bool:
        """Tell whether it can be taken."""
        return self.verdict in (FactVerdict.NEW, FactVerdict.FORGOTTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The facts of a file, and those of them that were taken."""

    path: str
    rows: Annotated[tuple[Importable, ...], Key("facts")]
    skipped: tuple[Skipped, ...] = ()
