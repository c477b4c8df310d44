"""Model servers on this machine: finding one that runs, asking it for its models, asking a model.

Only addresses that cannot leave the machine count. A name such as `localhost` is what a hosts file says it is, so it
is taken for the address that it should stand for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2

from memsuggest.errors import ConfigError
from memsuggest.haiku.client import Client
from memsuggest.haiku.endpoint import endpoint_of
from memsuggest.haiku.object_in import json_in
from memsuggest.haiku.tokens import estimate
from memsuggest.haiku.wire import open_wire
from memsuggest.minds.asked import asked_in
from memsuggest.minds.fields import mapping_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.haiku.reply import Reply

USUAL: Mapping[int, str] = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
"""Ports on which these servers listen unless told otherwise."""
_LOOK_SECONDS = 2.0
SILENCE_SECONDS, REPLY_SECONDS = 300.0, 900.0
"""A model on a laptop reads a long question for minutes before its first word."""
_MODELS_LIMIT = 1024 * 1024
_NO_KEY = "none"
"""What stands where a key would: these servers look at none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that answered."""

    endpoint: str
    name: str
    models: tuple[str, ...]
    """Those that run here and can be asked."""


def loopback(text: str) -> str:
    """Return an address on this machine in the one form that we use; ConfigError for any other.

    >>> loopback("http://localhost:11434/")
    'http://127.0.0.1:11434'
    """
    found = endpoint_of(text, source="`localEndpoint`")
    parts = urlsplit(found)
    host = parts.hostname or ""
    try:
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        raise ConfigError(
            f"`{host}` is not this machine", hint="a local model is at 127.0.0.1; others are the engine `haiku`"
        )
    return found.replace("//localhost", "//127.0.0.1", 1)


def find_servers(ports: Sequence[int] | None = None) -> list[Server]:
    """Return the servers that listen on their usual ports and name at least one model."""
    endpoints = [f"http://127.0.0.1:{port}" for port in (USUAL if ports is None else ports)]
    return [server for endpoint in endpoints if (server := look_at(endpoint)) and server.models]


def look_at(endpoint: str) -> Server | None:
    """Ask an address on this machine for its models; None where nothing of the kind answers."""
    try:
        with (
            open_wire(proxy=None, seconds=_LOOK_SECONDS, total=_LOOK_SECONDS) as wire,
            wire.stream("GET", f"{loopback(endpoint)}/v1/models") as response,
        ):
            listed = _listed(response) if response.status_code == 200 else None
    except (httpx2.HTTPError, ValueError, RecursionError):
        return None
    if listed is None:
        return None
    port = urlsplit(endpoint).port or 0
    return Server(endpoint=loopback(endpoint), name=USUAL.get(port, "a server"), models=tuple(filter(is_here, listed)))


def _listed(response: httpx2.Response) -> list[str] | None:
    data = b""
    for piece in response.iter_bytes():
        data += piece
        if len(data) > _MODELS_LIMIT:
            return None
    rows = mapping_of(json.loads(data)).get("data")
    if not isinstance(rows, list):
        return None
    names = [mapping_of(row).get("id") for row in rows]
    return [
        name for name in names if isinstance(name, str) and name.isascii() and name.isprintable() and " " not in name
    ]


def is_here(model: str) -> bool:
    """Tell whether a model runs on this machine and writes text: Ollama also passes questions on to its own cloud.

    >>> is_here("qwen3:8b"), is_here("gpt-oss:120b-cloud"), is_here("nomic-embed-text:latest")
    (True, False, False)
    """
    name = model.casefold()
    return not (name.endswith(("-cloud", ":cloud")) or "embed" in name)


class LocalClient:
    """A model on this machine, asked through the Messages API."""

    def __init__(
        self, *, endpoint: str, model: str, seconds: float = SILENCE_SECONDS, total: float = REPLY_SECONDS
    ) -> None:
        self._model = model
        self._client = Client(endpoint=loopback(endpoint), key=_NO_KEY, seconds=seconds, total=total)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def send(self, body: Mapping[str, Any]) -> Reply:
        """Ask one question; raises ModelError. The schema stands in the text too, for servers that know of none."""
        asked = asked_in(body)
        plain = {
            "model": self._model,
            "max_tokens": body["max_tokens"],
            "system": f"{asked.system.strip()}\n\n{asked.shape}",
            "messages": [{"role": "user", "content": asked.packet}],
            "output_config": {"format": body["output_config"]["format"]},
        }
        reply = self._client.send(plain)
        return replace(reply, text=json_in(reply.text)) if reply.stop_reason == "end_turn" else reply

    def count(self, body: Mapping[str, Any]) -> int:
        """Return about how many tokens a question has; asking a server of this kind is of no use."""
        asked = asked_in(body)
        return sum(map(estimate, (asked.system, asked.packet, asked.shape)))
