"""Reports on models: consent, usage, consolidation, questions to a model and to the assistant in the chat, answers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, TypeAlias, TypedDict

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
        for line in self.words:
            page.line(line)
        page.line()
        page.line(("Consent granted" if self.is_granted else "Consent not granted", GOOD if self.is_granted else WARN))
        if self.why_not_ready:
            page.line(f"not ready, so nothing is sent: {one_line(self.why_not_ready)}")
        for grant in self.grants:
            page.line((f"  since {iso(grant.at)}  {grant.endpoint}  ", FAINT), (grant.root, PATH))
            if grant.terms < TERMS:
                renew = "run `memsuggest consent grant` to also allow the newly listed data"
                page.line((f"    granted under earlier terms: {renew}", WARN))


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


_PERIODS = {"day": "today", "month": "this month"}
_BAR = 20  # columns of a bar


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
            filled = min(_BAR, round(period.share * _BAR))
            low = "  other work is postponed: 20% of the budget is reserved for reading chats" if period.is_low else ""
            page.line(
                (f"{_PERIODS[period.name]:<10}", HEAD),
                "  [",
                ("#" * filled, WARN if period.is_low else GOOD),
                ("." * (_BAR - filled), FAINT),
                f"]  {in_dollars(period.spent)} of {in_dollars(period.budget)} ({period.share:.0%})",
                (low, WARN),
            )
            for use in period.purposes:
                asked = count(use.requests, "request", "requests")
                spent = f"{use.tokens:>9,} tokens  {in_dollars(use.micros)}  "
                page.line(f"{'':12}{use.purpose:<15}  {spent}", (asked, FAINT))
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
        page.line()
        show_merge(page, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """Changes by consolidation, proposed or made."""

    facts: Annotated[int, "Number of facts."]
    tokens: Annotated[int, "Approximate number of tokens in all facts."]
    budget: Annotated[int, "Token limit for all facts combined."]
    tier: Annotated[
        str, "How strict consolidation is, based on how full the budget is: `generous`, `selective` or `heavy cut`."
    ]
    facts_after: int
    tokens_after: int
    operations: tuple[Merge, ...]
    diff: Annotated[str, "The changes to the stored facts, as a unified diff."]
    is_dry: Annotated[bool, Key("dryRun")] = False
    is_changed: Annotated[bool, "Whether the changes were made.", Key("changed")] = False

    def show(self, page: Page) -> None:
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


def show_merge(page: Page, operation: Merge, *, number: int | None = None) -> None:
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


PathHistory: TypeAlias = Literal["suggested", "new", "known", "maybe", "waits", "dropped"]
"""The result for one item of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The other pending questions."""

    packets: Annotated[int, "Further questions about the same chat."] = 0
    chats: Annotated[int, "Other chats that have not been checked yet."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The next question for an assistant: which statements in a chat are worth keeping."""

    id: Annotated[str, "The ID to pass to `answer`."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[Mapping[str, object], "The JSON Schema of the answer."]
    about: Annotated[str, "The chat that the question is about."]
    left: Left
    text: Hidden[str]

    def show(self, page: Page) -> None:
        page.block(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAsked:
    """Nothing is pending."""

    id: ClassVar = Also(".", type(None))
    why: str

    def show(self, page: Page) -> None:
        page.line(f"no question is pending: {self.why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The result for one item of an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str, "Why the item was dropped or is pending.", or_null] = ""
    fact_id: str | None = None
    target: Annotated[str | None, "The file the item is suggested for."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The result of an answer."""

    id: str
    about: str
    items: tuple[Item, ...]
    is_whole: Annotated[
        bool, "Whether all questions about the chat are answered and its facts are stored.", Key("learned")
    ]
    next_id: Annotated[str | None, "The ID of the next pending question.", Key("next")]
    left: Left

    def show(self, page: Page) -> None:
        page.line(f"answered question {self.id}: {count(len(self.items), 'item', 'items')}")
        for item in self.items:
            page.line("  ", (f"{item.outcome:<10}", _STYLES.get(item.outcome, FAINT)), one_line(item.content))
            if item.target:
                page.line(f"{'':12}for ", (one_line(item.target), PATH), "  fact ", ((item.fact_id or "")[:SHORT], ID))
            elif item.why:
                page.faint(f"{'':12}{one_line(item.why)}")
        if self.next_id:
            chats = f"up to {count(self.left.chats, 'other chat', 'other chats')}" if self.left.chats else ""
            packets = f"{self.left.packets} more about this chat" if self.left.packets else ""
            more = " and ".join(filter(None, (packets, chats)))
            page.line(
                f"next: run `memsuggest ask` to print question {self.next_id}{f' ({more} pending)' if more else ''}"
            )
        else:
            page.line("no question is pending; the user can review the suggestions with `memsuggest list`")


_STYLES = {"suggested": GOOD, "new": GOOD, "dropped": WARN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """A chat that could not be judged by a model."""

    path: str
    why: str
    hint: Annotated[str, "What to do next."]
    offered: Annotated[int, "Number of facts `--engine offline` would find in the chat.", Key("offlineCandidates")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that would be sent to a model."""

    endpoint: Annotated[str, "The endpoint or program that would receive the request."]
    model: str
    purpose: str
    about: Annotated[str, "The subject of the request, such as a chat or the facts."]
    tokens: Annotated[int, "Estimated number of input tokens."]
    micros: Annotated[int, "The maximum cost in dollars.", Key("dollars"), dollars]
    token_usage: Annotated[
        int | None, "Tokens the assistant used in the chat; null if unknown.", Key("assistantTokens")
    ] = None
    command: Annotated[tuple[str, ...], "The command line, if a program would be run.", or_null] = ()
    texts: Annotated[tuple[str, ...], "The exact text of the request."]


def show_requests(page: Page, requests: Sequence[Request]) -> None:
    """Print what would be sent, word for word, and what it would cost at most."""
    for request in requests:
        used = request.token_usage
        share = f", {request.tokens / used:.1%} of what the assistant used" if used else ""
        page.line()
        page.line(
            ("Would send", HEAD),
            f" to {request.endpoint}, model {request.model}, for {request.purpose}: about {request.tokens:,} tokens,"
            f" at most {in_dollars(request.micros)}{share}  ",
            (request.about, PATH),
        )
        if request.command:
            page.line(("  $ ", FAINT), one_line(shlex.join(request.command)))
        for text in request.texts:
            page.block(text, indent="  ")
    if requests:
        tokens, micros = sum(request.tokens for request in requests), sum(request.micros for request in requests)
        page.line()
        page.line(
            f"{count(len(requests), 'request', 'requests')}, about {tokens:,} tokens, at most {in_dollars(micros)}"
        )
