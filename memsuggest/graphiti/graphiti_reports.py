"""Reports on a Graphiti server: its state, and what trying it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.json_shape import Also, From, Hidden, Key, or_null
from memsuggest.core.render.page import BAD, FAINT, GOOD, HEAD, WARN, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso
from memsuggest.graphiti.graph_facts import Tried


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiSwitch:
    """One thing that can be switched on."""

    name: Annotated[str, "`ingest`, `recall`, `promotion` or `ownership`."]
    is_on: Annotated[bool, Key("on")]
    why_not: Annotated[str, "Why it does nothing although it is on.", or_null]
    source: Annotated[str, "Where its setting came from."]
    about: Hidden[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiDelivery:
    """The state of the messages for a Graphiti server."""

    counts: Annotated[
        Mapping[str, int],
        "How many are `waiting`, `sending`, `unsure`, `queued`, `stored`, `lost`, `refused` or `dropped`.",
        Key("messages"),
    ]
    why: Annotated[str, "What went wrong last; null where it went well since.", or_null] = ""
    failed_at: Annotated[int | None, "When, in ISO 8601.", iso] = None
    next_try_at: Annotated[int | None, "Before then it is not tried again.", iso] = None
    groups: Annotated[Mapping[str, str], "The group of each scope at the server."] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiShown:
    """The state of a Graphiti server."""

    JSON_NAME = "Graphiti"
    root: Annotated[str, "The repo's folder.", Key("workspace")]
    endpoint: Annotated[str, "The server; null: none is set.", or_null]
    endpoint_source: Annotated[str, "Where that setting came from."]
    is_granted: Annotated[bool, "Whether you agreed that this workspace's words go there.", Key("granted")]
    has_key: Annotated[bool, "Whether the environment has a key for it.", Key("key")]
    switches: tuple[GraphitiSwitch, ...]
    words: Annotated[tuple[str, ...], "What a person reads before they agree."]
    delivery: Annotated[GraphitiDelivery | None, "What became of the messages; null where no server is set."] = None

    def show(self, page: Page) -> None:
        """Print which server there is, what is switched on, and what was agreed to."""
        if not self.endpoint:
            page.line("no Graphiti server is set: `memsuggest graphiti on --endpoint URL`")
        else:
            key = ", with a key" if self.has_key else ""
            page.line((one_line(self.endpoint), HEAD), f"{key}  ", (self.endpoint_source, FAINT))
            agreed = ("agreed to, for this workspace", GOOD) if self.is_granted else ("not agreed to", WARN)
            page.line("consent    ", agreed)
        for switch in self.switches:
            state = ("on ", GOOD) if switch.is_on else ("off", FAINT)
            source = "" if switch.source in ("default", self.endpoint_source) else f"  {switch.source}"
            page.line(f"{switch.name:<10} ", state, f"  {switch.about}", (source, FAINT))
            if switch.why_not:
                page.line(f"{'':<15}", (one_line(switch.why_not), WARN))
        if self.delivery:
            _show_delivery(page, self.delivery)
        if self.words and not page.quiet:
            page.line()
            for line in self.words:
                page.faint(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """Something that was promoted to the Graphiti server."""

    content: str
    kind: Annotated[str, "`decision`, `lesson_learned`, `preference`, `procedure`, `task_update` or `terminology`."]
    scope: Annotated[str, "`workspace` or `user`."]
    fact_id: Annotated[str | None, "The fact; null for words that are none here."]
    is_new: Annotated[bool, "Whether it was not promoted before.", Key("new")]
    state: Annotated[str, "`waiting`, `queued`, `stored`, `unsure`, `lost` or `refused`."]
    why: Annotated[str, "What kept it here for now.", or_null] = ""

    def show(self, page: Page) -> None:
        """Print what was promoted, and how far it came."""
        did = "promoted" if self.is_new else "promoted before"
        page.line((did, GOOD), f"  {self.kind} ({self.scope})  {one_line(self.content)}", hang=4)
        words, style = _PROMOTED.get(self.state, (self.state, WARN))
        page.line(("  " + words, style))
        if self.why:
            page.line((f"  {one_line(self.why)}", WARN), hang=2)


class GraphitiStepJson(TypedDict):
    """One thing that was tried."""

    name: Annotated[str, "`healthcheck`, `search`, `messages`, `stored`, `deleted` or `interrupted`."]
    ok: Annotated[bool, From("is_fine")]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiTried:
    """The outcome of trying a Graphiti server."""

    endpoint: str
    is_smoke: Annotated[bool, "Whether something was written.", Key("smoke")]
    verdict: ClassVar = Also(
        "tried.verdict",
        str,
        "`fine`, `unreachable`, `no-search`, `not-taken`, `not-stored`, `lying-delete` or `cut-short`.",
    )
    why: ClassVar = Also("tried.why", str)
    hint: ClassVar = Also("tried.hint", str | None, to=or_null)
    steps: ClassVar = Also("tried.steps", list[GraphitiStepJson])
    group: ClassVar = Also("tried.group_id", str | None, "The throw-away group that was written into.", or_null)
    left: ClassVar = Also("tried.left", list[str], "What could not be deleted again, where it is, and why.")
    tried: Hidden[Tried]

    def show(self, page: Page) -> None:
        """Print what was tried, a line each, and what it came to."""
        tried = self.tried
        page.line((one_line(self.endpoint), HEAD))
        for step in tried.steps:
            page.line(
                "  ", ("ok  ", GOOD) if step.is_fine else ("fail", BAD), f" {step.name:<12} {one_line(step.text)}"
            )
        is_fine = tried.verdict == "fine"
        page.line((tried.verdict, GOOD if is_fine else BAD), f": {one_line(tried.why)}")
        for one in tried.left:
            page.line(("left behind: ", WARN), one_line(one))
        if tried.hint:
            page.faint(f"hint: {tried.hint}")
        if is_fine and not self.is_smoke:
            page.faint("`memsuggest graphiti test --smoke` also tries whether it stores, finds and deletes")


_TOLD = {
    "waiting": ("not sent yet", FAINT),
    "sending": ("are being sent", FAINT),
    "unsure": ("were sent, and nobody answered: it is looked whether they are there", FAINT),
    "queued": ("were taken by the server, and not seen there yet", FAINT),
    "stored": ("are there", GOOD),
    "lost": ("are lost: the server took them and does not have them", BAD),
    "refused": ("were refused by the server", BAD),
    "dropped": ("were dropped, the oldest: too many waited", WARN),
}


def _show_delivery(page: Page, delivery: GraphitiDelivery) -> None:
    for state, (words, style) in _TOLD.items():
        if number := delivery.counts.get(state):
            page.line(f"messages   {number:>6,} ", (words, style))
    if delivery.why:
        when = f"{ago(delivery.failed_at, now=page.now)}: " if delivery.failed_at else ""
        page.line("last time  ", (f"{when}{one_line(delivery.why)}", WARN), hang=11)
    for scope, group in delivery.groups.items():
        page.line(f"{scope:<10} ", (group, FAINT))


_PROMOTED = {
    "waiting": ("it is unsent, and goes out with the next `memsuggest reconcile`", WARN),
    "queued": ("the server took it; `memsuggest graphiti show` says when it is there", FAINT),
    "stored": ("the server has it", GOOD),
    "unsure": ("not yet known whether it arrived; still checking", WARN),
    "lost": ("the server took it and does not have it", BAD),
    "refused": ("the server refuses it", BAD),
}
