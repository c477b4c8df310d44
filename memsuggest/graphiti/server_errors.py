"""Everything that can become of a request to the server: what it says to the person, what to do next. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memsuggest.asking.outcomes import shown_detail
from memsuggest.errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Mapping

ENDPOINT = "`memsuggest graphiti show` names the endpoint; `memsuggest graphiti on --endpoint URL` sets another"
LOGS = "nothing is lost here; the server's own log says more"


class GraphitiError(RemoteError):
    """A request to the server came to nothing."""

    def __init__(
        self, message: str, *, outcome: str, hint: str | None = None, again: bool = False, seconds: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.outcome = outcome
        """The name of what happened: `no-connection`, `timeout`, `not-found`, …"""
        self.again = again
        """Whether the same request may work later, unchanged."""
        self.seconds = seconds
        """How long the server asks to wait, where it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    says: str
    hint: str
    again: bool = False


FAILURES: Mapping[str, _Failure] = {
    "no-connection": _Failure(
        says="the Graphiti server cannot be reached", hint=f"check that it runs; {ENDPOINT}", again=True
    ),
    "certificate": _Failure(
        says="the Graphiti server's certificate cannot be verified",
        hint="a company's own certificate authority has to be known to this machine's system, not only to a browser",
    ),
    "timeout": _Failure(says="the Graphiti server does not answer in time", hint=LOGS, again=True),
    "cut-off": _Failure(says="the Graphiti server's answer broke off", hint=LOGS, again=True),
    "too-long": _Failure(says="the Graphiti server's answer is longer than any honest one", hint=ENDPOINT),
    "redirect": _Failure(says="the Graphiti endpoint redirects elsewhere, which is not followed", hint=ENDPOINT),
    "not-graphiti": _Failure(says="something else than a Graphiti server answers at the endpoint", hint=ENDPOINT),
    "unauthorized": _Failure(
        says="the Graphiti server wants a key, or another one",
        hint="set MEMSUGGEST_GRAPHITI_KEY in your environment;"
        " `memsuggest config set graphiti.keyHeader x-api-key` where it is not a bearer token",
    ),
    "forbidden": _Failure(
        says="the Graphiti server forbids this", hint="the key may not do it: ask whoever runs the server"
    ),
    "not-found": _Failure(says="the Graphiti server has no such thing", hint=ENDPOINT),
    "refused": _Failure(
        says="the Graphiti server takes the request for malformed",
        hint="its version may be another than this program knows (0.29): please report this",
    ),
    "too-large": _Failure(
        says="the request is too large for the Graphiti server",
        hint="`memsuggest config set graphiti.maxMessageChars 1000` sends less of each turn",
    ),
    "rate-limited": _Failure(
        says="the Graphiti server has too many requests", hint="it is tried again later", again=True
    ),
    "gateway": _Failure(
        says="what stands in front of the Graphiti server got no answer from it", hint=LOGS, again=True
    ),
    "unavailable": _Failure(says="the Graphiti server is in trouble", hint=LOGS, again=True),
}
_BY_STATUS: Mapping[int, str] = {
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "not-graphiti",
    407: "unauthorized",
    408: "timeout",
    413: "too-large",
    422: "refused",
    429: "rate-limited",
    502: "gateway",
    504: "timeout",
}


def failure(outcome: str, detail: str = "", *, seconds: float | None = None) -> GraphitiError:
    """Return the error for an outcome; `detail` is the server's own word, and is shown made harmless."""
    found = FAILURES[outcome]
    shown = shown_detail(detail)
    message = f"{found.says}: {shown}" if shown else found.says
    return GraphitiError(message, outcome=outcome, hint=found.hint, again=found.again, seconds=seconds)


def failure_of_status(status: int, loaded: object, *, seconds: float | None = None) -> GraphitiError:
    """Return the error for a response that is no success; `loaded` is its JSON, or its text."""
    outcome = _BY_STATUS.get(status, "unavailable" if status >= 500 else "refused")
    told = told_in(loaded)
    return failure(outcome, f"{status} {told}".strip(), seconds=seconds)


def told_in(loaded: object) -> str:
    """Return what the server says about an error, without what it was sent.

    >>> told_in({"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "Field required", "input": {"a": 1}}]})
    'body.messages.0.role: Field required'
    """
    fields: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
    told = fields.get("detail", fields.get("message", fields.get("error")))
    if isinstance(told, list):
        return "; ".join(filter(None, map(_told_row, told[:3])))
    return told if isinstance(told, str) else ""


def _told_row(row: object) -> str:
    fields = row if isinstance(row, dict) else {}
    place, said = fields.get("loc"), fields.get("msg")
    where = ".".join(str(part) for part in place) if isinstance(place, list) else ""
    return f"{where}: {said}" if isinstance(said, str) else where
