"""The state of a Graphiti server, as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.render.as_json.filling import From, or_null
from memsuggest.render.when import iso


class GraphitiSwitchJson(TypedDict):
    """One thing that can be switched on."""

    name: Annotated[str, "`ingest`, `recall`, `promotion` or `ownership`."]
    on: Annotated[bool, From("is_on")]
    whyNot: Annotated[str | None, "Why it does nothing although it is on.", From(to=or_null)]
    source: Annotated[str, "Where its setting came from."]


class GraphitiDeliveryJson(TypedDict):
    """The state of the messages for a Graphiti server."""

    messages: Annotated[
        dict[str, int],
        "How many are `waiting`, `sending`, `unsure`, `queued`, `stored`, `lost`, `refused` or `dropped`.",
        From("counts"),
    ]
    why: Annotated[str | None, "What went wrong last; null where it went well since.", From(to=or_null)]
    failedAt: Annotated[str | None, "When, in ISO 8601.", From(to=iso)]
    nextTryAt: Annotated[str | None, "Before then it is not tried again.", From(to=iso)]
    groups: Annotated[dict[str, str], "The group of each scope at the server."]


class GraphitiJson(TypedDict):
    """The state of a Graphiti server."""

    workspace: Annotated[str, "The repo's folder.", From("root")]
    endpoint: Annotated[str | None, "The server; null: none is set.", From(to=or_null)]
    endpointSource: Annotated[str, "Where that setting came from."]
    granted: Annotated[bool, "Whether you agreed that this workspace's words go there.", From("is_granted")]
    key: Annotated[bool, "Whether the environment holds a key for it.", From("has_key")]
    switches: list[GraphitiSwitchJson]
    words: Annotated[list[str], "What a person is told before they agree."]
    delivery: Annotated[GraphitiDeliveryJson | None, "What became of the messages; null where no server is set."]


class PromotedJson(TypedDict):
    """Something that was promoted to the Graphiti server."""

    content: str
    kind: Annotated[str, "`decision`, `lesson_learned`, `preference`, `procedure`, `task_update` or `terminology`."]
    scope: Annotated[str, "`workspace` or `user`."]
    factId: Annotated[str | None, "The fact; null for words that are none here."]
    new: Annotated[bool, "Whether it was not promoted before.", From("is_new")]
    state: Annotated[str, "`waiting`, `queued`, `stored`, `unsure`, `lost` or `refused`.", From("state")]
    why: Annotated[str | None, "What kept it here for now.", From(to=or_null)]


class GraphitiStepJson(TypedDict):
    """One thing that was tried."""

    name: Annotated[str, "`healthcheck`, `search`, `messages`, `stored`, `deleted` or `interrupted`."]
    ok: Annotated[bool, From("is_fine")]
    text: str


class GraphitiTriedJson(TypedDict):
    """The outcome of trying a Graphiti server."""

    endpoint: str
    smoke: Annotated[bool, "Whether something was written.", From("is_smoke")]
    verdict: Annotated[
        str,
        "`fine`, `unreachable`, `no-search`, `not-taken`, `worker-dead`, `wrong-group`, `other-database`,"
        " `lying-delete` or `cut-short`.",
        From("tried.verdict"),
    ]
    why: Annotated[str, From("tried.why")]
    hint: Annotated[str | None, From("tried.hint", or_null)]
    steps: Annotated[list[GraphitiStepJson], From("tried.steps")]
    group: Annotated[str | None, "The throw-away group that was written into.", From("tried.group_id", or_null)]
    left: Annotated[list[str], "What could not be deleted again, where it is, and why.", From("tried.left")]
