"""Reports on asking models: consent, usage, consolidation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.json_shape import Also, From, Hidden, Key, or_null
from memsuggest.core.model import MemoryFact
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, PATH, SHORT, UNDO, WARN, Page, count, show_diff
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import iso
from memsuggest.judging.asking.consent_store import TERMS, Grant
from memsuggest.judging.asking.prices import dollars, in_dollars
from memsuggest.judging.asking.usage_ledger import Budgets, Share, UsageRow


class GrantJson(TypedDict):
    """Consent for one workspace and one receiver."""

    workspace: Annotated[str, "The repo's folder.", From("root")]
    endpoint: Annotated[str, "The endpoint or program that may receive data."]
    at: Annotated[str | None, "When consent was granted (ISO 8601).", From(to=iso)]


class SpentJson(TypedDict):
    """Spending and budget for a period."""

    dollars: float
    budget: Annotated[float, "The budget in dollars."]


def _spent(micros: int, budget: int) -> dict[str, float]:
    return {"dollars": dollars(micros), "budget": dollars(budget)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentShown:
    """Consent status for this workspace's chats."""

    JSON_NAME = "Consent"
    root: Annotated[str, "The repo's folder.", Key("workspace")]
    engine: str
    endpoint: Annotated[str, "The endpoint or program the consent applies to."]
    is_granted: Annotated[bool, "Whether consent is granted for this workspace.", Key("granted")]
    key: ClassVar = Also(
        "why_not_ready",
        bool,
        "Whether the engine is ready: an API key is set, or you are signed in.",
        lambda why: not why,
    )
    why_not_ready: Annotated[str, "Why the engine is not ready, regardless of consent.", or_null]
    words: Annotated[tuple[str, ...], "The consent text, line by line."]
    grants: Annotated[tuple[Annotated[Grant, GrantJson], ...], "All consents granted, in all workspaces."]
    path: Annotated[str, "The file where consents are stored."]

    def show(self, page: Page) -> None:
        """Print the consent status."""
        for line in self.words:
            page.line(line)
        page.line()
        page.line(("Consent granted" if self.is_granted else "Consent not granted", GOOD if self.is_granted else WARN))
        if self.why_not_ready:
            page.line(f"not ready, so nothing is sent: {one_line(self.why_not_ready)}")
        for grant in self.grants:
            page.line((f"  since {iso(grant.at)}  {grant.endpoint}  ", FAINT), (grant.root, PATH))
            if grant.terms < TERMS:
                page.line(
                    (
                        (
                            "    granted under earlier terms: run `memsuggest consent grant` to also allow the "
                            "newly listed data"
                        ),
                        WARN,
                    )
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeUse:
    """Usage for one purpose in a period."""

    purpose: str
    requests: int
    tokens: Annotated[int, "Tokens sent and received, including cached tokens."]
    micros: Annotated[int, Key("dollars"), dollars]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodUse:
    """Usage in a period by purpose, with the budget."""

    name: Annotated[str, "`day` or `month`: the current day or month, in UTC.", Key("period")]
    spent: Annotated[int, Key("dollars"), dollars]
    budget: Annotated[int, "The budget in dollars.", dollars]
    reserve: Annotated[float, "The share of the budget reserved for reading chats, from 0 to 1."]
    low: ClassVar = Also("is_low", bool, "Whether only the budget's reserve is left, so other work is postponed.")
    purposes: tuple[PurposeUse, ...] = ()

    @property
    def share(self) -> float:
        return self.spent / self.budget if self.budget else 1.0

    @property
    def is_low(self) -> bool:
        return self.share >= 1 - self.reserve


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageShown:
    """The cost of asking models."""

    JSON_NAME = "Usage"
    rows: Annotated[tuple[UsageRow, ...], "Newest first.", Key("usage")]
    today: ClassVar = Also(".", SpentJson, to=lambda shown: _spent(shown.day, shown.budgets.day))
    _month: ClassVar = Also(".", SpentJson, to=lambda shown: _spent(shown.month, shown.budgets.month))
    share: Annotated[Share, Key("assistants")]
    periods: tuple[PeriodUse, ...] = ()
    budgets: Hidden[Budgets]
    day: Hidden[int]
    month: Hidden[int]

    def show(self, page: Page) -> None:
        """Print what models cost."""
        for row in self.rows:
            used = row.usage
            page.line(
                (row.day, HEAD),
                f"  {row.model}  {row.purpose:<15} {count(row.requests, 'request', 'requests')}"
                f" ({row.failed} failed)  {used.prompt:,} tokens sent, {used.cache_read:,} from the cache,"
                f" {used.output:,} received  {in_dollars(row.micros)}{' (estimated)' if row.is_estimate else ''}",
            )
        if not self.rows:
            page.line("No model usage yet.")
        for period in self.periods:
            _show_period(page, period)
        share = self.share
        if share.own:
            page.line(
                f"this month, memory work used {share.taken / share.own:.2%} as many tokens as your assistants "
                f"({share.taken:,} and {share.own:,} tokens, where chats report usage); limit: {share.most:.0%}, "
                f"or {self.budgets.tokens:,} tokens"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """One possible change to a fact."""

    JSON_NAME = "Operation"
    operation: ClassVar = Also(".", str, "`delete`.", lambda _: "delete")
    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The text of the fact.")
    _because: ClassVar = Also("because.id", str, "The ID of the fact that makes this one redundant.")
    fact: Hidden[MemoryFact]
    because: Hidden[MemoryFact]
    """The one that stays."""
    why: str = ""
    is_sure: Annotated[bool, "Whether the change is lossless; lossy changes need your review.", Key("sure")] = True
    is_replacement: Hidden[bool] = False
    """The other one says something else, and later: its evidence is not this one's."""

    @property
    def deed(self) -> str:
        """The deed, as people call it."""
        return "delete" if self.is_replacement else "merge"

    @property
    def to_look_at(self) -> Merge:
        """The same, to be done by a person only."""
        return replace(self, is_sure=False)

    def show(self, page: Page) -> None:
        """Print one thing that could be done, to be asked about."""
        page.line()
        show_merge(page, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """Changes by consolidation, proposed or made."""

    facts: Annotated[int, "Number of facts."]
    tokens: Annotated[int, "Approximate number of tokens in all facts."]
    budget: Annotated[int, "Token limit for all facts combined."]
    tier: Annotated[
        str, ("How strict consolidation is, based on how full the budget is: `generous`, `selective` or `heavy cut`.")
    ]
    facts_after: int
    tokens_after: int
    operations: tuple[Merge, ...]
    diff: Annotated[str, "The changes to the stored facts, as a unified diff."]
    is_dry: Annotated[bool, Key("dryRun")] = False
    is_changed: Annotated[bool, "Whether the changes were made.", Key("changed")] = False

    def show(self, page: Page) -> None:
        """Print what could be done to the facts, as a table and as a diff; or how things are after it was done."""
        if self.is_changed:
            page.line(
                (f"{count(len(self.operations), 'change', 'changes')} made", GOOD),
                f": {count(self.facts_after, 'fact', 'facts')} left, about {self.tokens_after:,} tokens; ",
                (UNDO, FAINT),
            )
            return
        page.line(
            f"{count(self.facts, 'fact', 'facts')}, about {self.tokens:,} of {self.budget:,} tokens: ",
            (str(self.tier), HEAD),
        )
        if self.diff:  # long, so that the table comes last, where the eye is
            show_diff(page, self.diff)
            page.line()
        for number, operation in enumerate(self.operations, start=1):
            show_merge(page, operation, number=number)
        if not self.operations:
            page.faint("no duplicate facts found")


_PERIODS = {"day": "today", "month": "this month"}
_BAR = 20  # columns of a bar


def _show_period(page: Page, period: PeriodUse) -> None:
    filled = min(_BAR, round(period.share * _BAR))
    waits = "  other work is postponed: 20% of the budget is reserved for reading chats" if period.is_low else ""
    page.line(
        (f"{_PERIODS[period.name]:<10}", HEAD),
        "  [",
        ("#" * filled, WARN if period.is_low else GOOD),
        ("." * (_BAR - filled), FAINT),
        f"]  {in_dollars(period.spent)} of {in_dollars(period.budget)} ({period.share:.0%})",
        (waits, WARN),
    )
    for purpose in period.purposes:
        asked = count(purpose.requests, "request", "requests")
        page.line(
            f"{'':12}{purpose.purpose:<15}  {purpose.tokens:>9,} tokens  {in_dollars(purpose.micros)}  ", (asked, FAINT)
        )


def show_merge(page: Page, operation: Merge, *, number: int | None = None) -> None:
    """Print one row of the table: what would be done to which fact, and for the sake of what."""
    mark = ("", "") if operation.is_sure else ("  needs review", WARN)
    page.line(
        f"{number or '':>3}  ",
        (f"{operation.deed:<6}", WARN),
        "  ",
        (operation.fact.id[:SHORT], ID),
        f"  {one_line(operation.fact.content)}",
        mark,
    )
    because = operation.because
    page.line((f"{'':13}{operation.why} ", FAINT), (because.id[:SHORT], ID), f"  {one_line(because.content)}")
