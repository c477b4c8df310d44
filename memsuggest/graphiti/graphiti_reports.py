"""Reports on a Graphiti server: its state, and what trying it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from memsuggest.core.json_shape import Hidden, Key, or_null
from memsuggest.core.render.page import BAD, FAINT, GOOD, HEAD, WARN, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiSwitch:
    """A part of the integration that can be turned on."""

    name: Annotated[str, "`ingest`, `recall`, `promotion` or `ownership`."]
    is_on: Annotated[bool, Key("on")]
    why_not: Annotated[str, "Why the part is inactive despite being on; null otherwise.", or_null]
    source: Annotated[str, "The source of the part's setting."]
    about: Hidden[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiDelivery:
    """The state of messages for a Graphiti server."""

    counts: Annotated[
        Mapping[str, int],
        "Messages by state: `waiting`, `sending`, `unsure`, `queued`, `stored`, `lost`, `refused` or `dropped`.",
        Key("messages"),
    ]
    why: Annotated[str, "The last error; null if a later attempt succeeded.", or_null] = ""
    failed_at: Annotated[int | None, "The time of the last error, in ISO 8601 format.", iso] = None
    next_try_at: Annotated[int | None, "The time of the next retry, in ISO 8601 format.", iso] = None
    groups: Annotated[Mapping[str, str], "The group on the server for each scope."] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiShown:
    """The state of a Graphiti server."""

    JSON_NAME = "Graphiti"
    root: Annotated[str, "The repo's root folder.", Key("workspace")]
    endpoint: Annotated[str, "The Graphiti server's URL; null if none is configured.", or_null]
    endpoint_source: Annotated[str, "The source of the endpoint setting."]
    is_granted: Annotated[bool, "Whether you agreed to send this workspace's chats to the server.", Key("granted")]
    has_key: Annotated[bool, "Whether the environment contains a key for the server.", Key("key")]
    switches: tuple[GraphitiSwitch, ...]
    words: Annotated[tuple[str, ...], "The text shown before you give consent."]
    delivery: Annotated[GraphitiDelivery | None, "The state of the messages; null if no server is configured."] = None

    def show(self, page: Page) -> None:
        if not self.endpoint:
            page.line("no Graphiti server is configured; run `memsuggest graphiti on --endpoint URL`")
        else:
            key = ", with a key" if self.has_key else ""
            page.line((one_line(self.endpoint), HEAD), f"{key}  ", (self.endpoint_source, FAINT))
            agreed, style = ("agreed", GOOD) if self.is_granted else ("have not agreed", WARN)
            page.line("consent    ", (f"you {agreed} to send this workspace's data", style))
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
    """A promotion to the Graphiti server."""

    content: str
    kind: Annotated[str, "`decision`, `lesson_learned`, `preference`, `procedure`, `task_update` or `terminology`."]
    scope: Annotated[str, "`workspace` or `user`."]
    fact_id: Annotated[str | None, "The ID of the fact; null for text that is not a stored fact."]
    is_new: Annotated[bool, "Whether this is the first time the text has been promoted.", Key("new")]
    state: Annotated[str, "`waiting`, `queued`, `stored`, `unsure`, `lost` or `refused`."]
    why: Annotated[str, "Why the promotion has not been sent yet; null otherwise.", or_null] = ""

    def show(self, page: Page) -> None:
        did = "promoted" if self.is_new else "already promoted"
        page.line((did, GOOD), f"  {self.kind} ({self.scope})  {one_line(self.content)}", hang=4)
        words, style = _PROMOTED.get(self.state, (self.state, WARN))
        page.line(("  " + words, style))
        if self.why:
            page.line((f"  {one_line(self.why)}", WARN), hang=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiStep:
    """One step of the test."""

    name: Annotated[str, "`healthcheck`, `search`, `messages`, `stored`, `deleted` or `interrupted`."]
    is_fine: Annotated[bool, Key("ok")]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiTried:
    """The result of testing a Graphiti server."""

    endpoint: str
    is_smoke: Annotated[bool, "Whether the test wrote to the server.", Key("smoke")]
    verdict: Annotated[
        str, "`fine`, `unreachable`, `no-search`, `not-taken`, `not-stored`, `lying-delete` or `cut-short`."
    ]
    why: str
    hint: Annotated[str, or_null]
    steps: tuple[GraphitiStep, ...]
    group_id: Annotated[str, "The temporary group the test wrote to.", Key("group"), or_null] = ""
    left: Annotated[tuple[str, ...], "Data that could not be deleted, with its location and the reason."] = ()

    def show(self, page: Page) -> None:
        page.line((one_line(self.endpoint), HEAD))
        for step in self.steps:
            page.line(
                "  ", ("ok  ", GOOD) if step.is_fine else ("fail", BAD), f" {step.name:<12} {one_line(step.text)}"
            )
        is_fine = self.verdict == "fine"
        page.line((self.verdict, GOOD if is_fine else BAD), f": {one_line(self.why)}")
        for what in self.left:
            page.line(("not deleted: ", WARN), one_line(what))
        if self.hint:
            page.faint(f"hint: {self.hint}")
        if is_fine and not self.is_smoke:
            page.faint("run `memsuggest graphiti test --smoke` to also test storing, finding and deleting")


_TOLD = {
    "waiting": ("pending", FAINT),
    "sending": ("being sent", FAINT),
    "unsure": ("sent, but the server has not responded; still checking", FAINT),
    "queued": ("accepted by the server but not yet stored", FAINT),
    "stored": ("stored", GOOD),
    "lost": ("accepted by the server but never stored", BAD),
    "refused": ("rejected by the server", BAD),
    "dropped": ("dropped because too many messages were pending", WARN),
}


def _show_delivery(page: Page, delivery: GraphitiDelivery) -> None:
    for state, (words, style) in _TOLD.items():
        if number := delivery.counts.get(state):
            page.line(f"messages   {number:>6,} ", (words, style))
    if delivery.why:
        when = f"{ago(delivery.failed_at, now=page.now)}: " if delivery.failed_at else ""
        page.line("last error ", (f"{when}{one_line(delivery.why)}", WARN), hang=11)
    for scope, group in delivery.groups.items():
        page.line(f"{scope:<10} ", (group, FAINT))


_PROMOTED = {
    "waiting": ("pending; to be sent by the next `memsuggest reconcile`", WARN),
    "queued": ("accepted by the server but not yet stored; check with `memsuggest graphiti show`", FAINT),
    "stored": ("stored on the server", GOOD),
    "unsure": ("sent, but the server has not responded; still checking", WARN),
    "lost": ("accepted by the server but never stored", BAD),
    "refused": ("rejected by the server", BAD),
}
