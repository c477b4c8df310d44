"""Reports on a Graphiti server: its state, and what trying it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypedDict

from memsuggest.graphiti.trial import Tried
from memsuggest.json_shape import Also, From, Hidden, Key, or_null
from memsuggest.text.when import iso


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
    has_key: Annotated[bool, "Whether the environment holds a key for it.", Key("key")]
    switches: tuple[GraphitiSwitch, ...]
    words: Annotated[tuple[str, ...], "What a person is told before they agree."]
    delivery: Annotated[GraphitiDelivery | None, "What became of the messages; null where no server is set."] = None


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
        "`fine`, `unreachable`, `no-search`, `not-taken`, `worker-dead`, `wrong-group`, `other-database`,"
        " `lying-delete` or `cut-short`.",
    )
    why: ClassVar = Also("tried.why", str)
    hint: ClassVar = Also("tried.hint", str | None, to=or_null)
    steps: ClassVar = Also("tried.steps", list[GraphitiStepJson])
    group: ClassVar = Also("tried.group_id", str | None, "The throw-away group that was written into.", or_null)
    left: ClassVar = Also("tried.left", list[str], "What could not be deleted again, where it is, and why.")
    tried: Hidden[Tried]
