"""Switching a Graphiti server on and off for a workspace, trying it, and looking at how things stand."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence

from memsuggest.core.config import SWITCHES
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, ConsentError, MemsuggestError
from memsuggest.graphiti.graphiti_reports import GraphitiShown, GraphitiSwitch, GraphitiTried
from memsuggest.graphiti.permission import (
    KEY,
    TERMS,
    as_endpoint,
    connected,
    endpoint,
    endpoint_if_valid,
    has_consent,
    is_on,
    outbox_at,
    receiver,
    require,
    switched_on,
    why_not,
)
from memsuggest.graphiti.sync_server import delivery_to, look_at_delivery
from memsuggest.judging.asking.consent_store import Consents, Grant, is_own_folder
from memsuggest.setup.doctor_report import Check, Health
from memsuggest.setup.write_settings import set_setting

_SENT = {
    "ingest": "your messages and your assistant's responses in this workspace's chats, except those memsuggest "
    "has already read; each is cut to {chars} characters and sent with the branch and the last "
    "commit's subject",
    "recall": "the text of each prompt, used as the search query",
    "promotion": "directives you type (`preference: …`, `decision: …`), each as a separate episode",
    "ownership": "once for each chat and repo: a pseudonym for you as the owner, and the project's name",
}
_ABOUT = {
    "ingest": "send chats",
    "recall": "look up prompts",
    "promotion": "send directives automatically",
    "ownership": "label groups with their owner",
}


def words_about(context: Context, address: str, switches: Sequence[str]) -> tuple[str, ...]:
    """Return what a person is told before they agree, a paragraph each."""
    chars = int(context.settings.number("graphiti.maxMessageChars"))
    named = [f"  - {_SENT[name].format(chars=chars)}" for name in SWITCHES if name in switches]
    return (
        f"memsuggest would send data about the workspace {context.root} to the Graphiti server at {address}:",
        *named,
        "  - anything you promote with `memsuggest graphiti promote`",
        "Nothing else is sent. Secrets, keys, email addresses and paths are redacted.",
        "The server's operator can read the data, and so can the provider of the model that processes each message.",
        "Your assistant sees the server's results as notes that may be wrong.",
        "Your consent applies to this workspace and server, including parts you turn on later.",
        "`memsuggest graphiti off` revokes your consent.",
    )


def show_graphiti(context: Context) -> GraphitiShown:
    """Return how things stand; nobody is asked anything."""
    address = endpoint_if_valid(context) or context.settings.text("graphiti.endpoint")
    on = [name for name in SWITCHES if is_on(context, name)]
    return GraphitiShown(
        root=str(context.root),
        endpoint=address,
        endpoint_source=context.settings.values["graphiti.endpoint"].source,
        is_granted=bool(address) and has_consent(context, address),
        has_key=bool(context.machine.environ.get(KEY)),
        switches=tuple(
            GraphitiSwitch(
                name=name,
                is_on=name in on,
                why_not=why_not(context, name) if name in on else "",
                about=_ABOUT[name],
                source=context.settings.values[f"graphiti.{name}"].source,
            )
            for name in SWITCHES
        ),
        words=words_about(context, address, on or list(SWITCHES)) if address else (),
        delivery=delivery_to(context, address),
    )


def endpoint_to_use(context: Context, named: str | None) -> str:
    """Return the address that a person names, or else the one that is set; raises ConfigError without one."""
    if named is not None:
        return as_endpoint(named, source=f"`{named}`")
    address = endpoint(context)
    if not address:
        raise ConfigError(
            "no Graphiti server is configured",
            hint="run `memsuggest graphiti on --endpoint URL`; docs/graphiti.md explains how to start a server",
        )
    return address


def switch_on(context: Context, switches: Sequence[str], address: str) -> None:
    """Record consent and switch things on for this workspace; raises ConsentError for somebody else's folder."""
    if not is_own_folder(context.root):
        raise ConsentError(f"`{context.root}` belongs to another user", hint="use your own clone")
    if not has_consent(context, address):
        to = {"workspace": context.place.key, "root": str(context.root), "endpoint": receiver(address)}
        Consents(context.folders.config).grant(Grant(**to, at=context.now(), terms=TERMS))
    if address != endpoint_if_valid(context):
        set_setting(context, "graphiti.endpoint", address, where="workspace")
    for name in switches:
        set_setting(context, f"graphiti.{name}", "true", where="workspace")


def switch_off(context: Context, switches: Sequence[str]) -> None:
    """Switch things off for this workspace; all of them, and consent is taken back for every server.

    What waits to be sent by them is let go.
    """
    if "ingest" in switches and (address := endpoint_if_valid(context)):
        outbox_at(context, address).remove_chats(with_promotions=set(switches) == set(SWITCHES))
    for name in switches:
        set_setting(context, f"graphiti.{name}", "false", where="workspace")
    if set(switches) == set(SWITCHES):
        consents = Consents(context.folders.config)
        for grant in consents.grants():
            if grant.endpoint.startswith(receiver("")):
                consents.revoke(workspace=context.place.key, endpoint=grant.endpoint)


_LOOK_SECONDS = 3.0  # for all that `doctor` waits for the server


def try_server(context: Context, *, is_smoke: bool, patience: float, say: Callable[[str], None]) -> GraphitiTried:
    """Try the server: only reading, or with an episode that is deleted again; raises ConsentError."""
    from memsuggest.graphiti.trial import Trial

    with connected(context) as client:
        mark = secrets.token_hex(4)
        return Trial(client=client, mark=mark, now=context.now, patience=patience, is_smoke=is_smoke, say=say).run()


def look_at_server(context: Context) -> Iterator[Check]:
    """Look at the switches, and at the server where something may be sent to it."""
    on = switched_on(context)
    if not on:
        hint = "see docs/graphiti.md for what Graphiti does"
        yield Check(area="graphiti", name="switches", health=Health.OFF, text="off", hint=hint)
        return
    text = f"on: {', '.join(on)}; see `memsuggest graphiti show`"
    yield Check(area="graphiti", name="switches", health=Health.OK, text=text)
    try:
        address = require(context)
    except MemsuggestError as error:
        yield Check(area="graphiti", name="server", health=Health.OFF, text=error.message, hint=error.hint or "")
        return
    health, hint = Health.OK, ""
    text = f"{address} is up; run `memsuggest graphiti test --smoke` to test whether the server stores messages"
    try:
        with connected(context) as client:
            client.healthcheck(within=_LOOK_SECONDS)
    except MemsuggestError as error:
        health, text, hint = Health.BAD, f"{address}: {error.message}", error.hint or ""
    yield Check(area="graphiti", name="server", health=health, text=text, hint=hint)
    yield from look_at_delivery(context, address)
