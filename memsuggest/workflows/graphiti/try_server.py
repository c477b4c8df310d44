"""Trying the Graphiti server of a workspace, and what `doctor` says of it."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.reports.doctor_report import Check, Health
from memsuggest.workflows.graphiti.delivery_report import look_at_delivery
from memsuggest.workflows.graphiti.permission import connected, endpoint, require, switched_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memsuggest.reports.graphiti_reports import GraphitiTried
    from memsuggest.workflows.context import Context

AREA = "graphiti"
_LOOK_SECONDS = 3.0
"""For all that `doctor` waits for the server."""


def try_server(
    context: Context, *, is_smoke: bool, patience: float, progress: Callable[[float, float], None]
) -> GraphitiTried:
    """Try the server: only reading, or with an episode that is deleted again; ConsentError where nothing may be sent.

    `progress` is told how many seconds it has waited, and how many it waits at most.
    """
    from memsuggest.graphiti.trial import Trial  # noqa: PLC0415  (loads the HTTP library)
    from memsuggest.reports.graphiti_reports import GraphitiTried  # noqa: PLC0415  (as above)

    with connected(context) as client:
        trial = Trial(
            client=client,
            mark=secrets.token_hex(4),
            now=context.now,
            clock=time.monotonic,
            sleep=time.sleep,
            patience=patience,
            progress=progress,
        )
        tried = trial.smoke() if is_smoke else trial.read()
    return GraphitiTried(endpoint=require(context), is_smoke=is_smoke, tried=tried)


def look_at_server(context: Context) -> Iterator[Check]:
    """Look at the switches, and at the server where something may be sent to it."""
    on = switched_on(context)
    if not on:
        text = "nothing is switched on"
        yield _check("switches", Health.OFF, text, "docs/graphiti.md says what it is for")
        return
    yield _check("switches", Health.OK, f"{', '.join(on)}: on; `memsuggest graphiti show`")
    try:
        address = require(context)
    except MemsuggestError as error:
        yield _check("server", Health.OFF, error.message, error.hint or "")
        return
    yield _look(context, address)
    yield from look_at_delivery(context, address)


def _look(context: Context, address: str) -> Check:
    try:
        with connected(context) as client:
            client.healthcheck(within=_LOOK_SECONDS)
    except MemsuggestError as error:
        return _check("server", Health.BAD, f"{endpoint(context)}: {error.message}", error.hint or "")
    text = f"{address} is up; whether its worker stores anything is told by `memsuggest graphiti test --smoke`"
    return _check("server", Health.OK, text)


def _check(name: str, health: Health, text: str, hint: str = "") -> Check:
    return Check(area=AREA, name=name, health=health, text=text, hint=hint)
