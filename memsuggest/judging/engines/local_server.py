"""Model servers on this machine: finding one that runs, asking it for its models, asking a model.

Only addresses that cannot leave the machine count. A name such as `localhost` is what a hosts file says it is, so it
is taken for the address that it should stand for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx2

from memsuggest.core.errors import ConfigError, ModelError
from memsuggest.judging.asking.bounded_http import open_wire
from memsuggest.judging.asking.endpoint import endpoint_of, is_this_machine
from memsuggest.judging.asking.json_object import json_in
from memsuggest.judging.asking.outcomes import Reply, failure
from memsuggest.judging.engines.running import asked_in
from memsuggest.transcripts.parsing.json_records import fields_of, items_of, text_of

USUAL: Mapping[int, str] = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
"""Ports on which these servers listen unless told otherwise."""
_LOOK_SECONDS = 2.0
SILENCE_SECONDS, REPLY_SECONDS = 300.0, 900.0
"""A model on a laptop reads a long question for minutes before its first word."""
_MODELS_LIMIT = 1024 * 1024
_NO_KEY = "none"  # what stands where a key would: these servers look at none


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that answered."""

    endpoint: str
    name: str
    models: tuple[str, ...] = ()
    why_not: str = ""  # why none of them can be, as far as can be told without asking one

    def __str__(self) -> str:
        return f"{self.name} at {self.endpoint}"


def loopback(text: str) -> str:
    """Return an address on this machine in the one form that we use; ConfigError for any other.

    >>> loopback("http://localhost:11434/")
    'http://127.0.0.1:11434'
    """
    found = endpoint_of(text, source="`localEndpoint`")
    host = urlsplit(found).hostname or ""
    if not is_this_machine(host):
        raise ConfigError(
            f"`{host}` is not a local address", hint="use 127.0.0.1; for a remote model, use the `haiku` engine"
        )
    return found.replace("//localhost", "//127.0.0.1", 1)


def look_at(endpoint: str) -> Server | None:
    """Ask an address on this machine for its models; None where nothing of the kind answers."""
    base = loopback(endpoint)
    found = Server(endpoint=base, name=USUAL.get(urlsplit(base).port or 0, "a server"))
    status, answer = _answer_of(f"{base}/v1/models")
    if status in _REFUSED and isinstance(answer.get("error", answer.get("detail")), (str, dict)):
        return replace(found, why_not=_REFUSED[status])
    rows = answer.get("data")
    if status != 200 or not isinstance(rows, list):
        return None
    # Models that Ollama names and passes on to another machine, whatever they are called here.
    _, listed = _answer_of(f"{base}/api/tags")
    rows_of_ollama = map(fields_of, items_of(listed.get("models")))
    elsewhere = {str(row.get("name")) for row in rows_of_ollama if row.get("remote_host") or row.get("remote_model")}
    names = (text_of(fields_of(row).get("id")) for row in rows)
    usable = (name for name in names if len(name) <= _NAME_LIMIT and name.isprintable() and name == name.strip() != "")
    models = tuple(name for name in usable if is_here(name) and name not in elsewhere)
    return replace(found, models=models, why_not="" if models else "has no local text model")


_REFUSED: Mapping[int, str] = {
    401: "requires an API key, which memsuggest does not send; turn off that requirement in the server",
    403: "requires an API key, which memsuggest does not send; turn off that requirement in the server",
    503: "is not ready and may still be loading its model",
}
"""What servers of models say instead of their models, with an error in JSON."""


def has_messages(server: Server) -> bool:
    """Tell whether a server has the Messages API: an empty question is refused there, and unknown elsewhere.

    Where nothing can be told, it may have it.
    """
    status, answer = _answer_of(f"{server.endpoint}/v1/messages", posted=b"{}")
    is_unknown = status == 200 and "error" in answer  # LM Studio answers so where it knows no such page
    return not is_unknown and status not in _NO_SUCH_PAGE


_NO_SUCH_PAGE = frozenset({404, 405, 501})


def _answer_of(url: str, *, posted: bytes | None = None) -> tuple[int, Mapping[str, Any]]:
    """Return the status of an address, 0 for none, and the JSON object that it answers, empty for anything else."""
    method, headers = ("GET", {}) if posted is None else ("POST", {"content-type": "application/json"})
    try:
        with (
            open_wire(url, proxy=None, seconds=_LOOK_SECONDS, total=_LOOK_SECONDS, limit=_MODELS_LIMIT) as wire,
            wire.stream(method, url, content=posted, headers=headers) as response,
        ):
            data = response.read()
        return response.status_code, fields_of(json.loads(data)) if data.lstrip()[:1] == b"{" else {}
    except (httpx2.HTTPError, ValueError, RecursionError):
        return 0, {}


_NAME_LIMIT = 300
_NO_TEXT = ("embed", "rerank", "minilm", "bge-")  # what stands in the names of models that write no text


def is_here(model: str) -> bool:
    """Tell whether a model runs on this machine and writes text: Ollama also passes questions on to its own cloud.

    >>> is_here("qwen3:8b"), is_here("gpt-oss:120b-cloud"), is_here("nomic-embed-text:latest")
    (True, False, False)
    """
    name = model.casefold().replace("\\", "/").rpartition("/")[2]
    return not (name.endswith(("-cloud", ":cloud")) or any(word in name for word in _NO_TEXT))


_PERHAPS_NO_API = frozenset({"unknown-model", "not-the-api", "bad-request"})
"""Outcomes behind which there may be no such page; the model was listed a moment ago."""


class LocalClient:
    """A model on this machine, asked through the Messages API."""

    def __init__(
        self, *, server: Server, model: str, seconds: float = SILENCE_SECONDS, total: float = REPLY_SECONDS
    ) -> None:
        self._server, self._model = server, model
        from memsuggest.judging.asking.messages_api import Client

        self._client = Client(endpoint=server.endpoint, key=_NO_KEY, seconds=seconds, total=total)

    def close(self) -> None:
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
        while True:
            try:
                reply = self._client.send(plain)
            except ModelError as error:
                if error.outcome == "bad-request" and plain.pop("output_config", None):
                    continue  # a server that stumbles over the schema as a field of its own
                if error.outcome in _PERHAPS_NO_API and not has_messages(self._server):
                    raise failure("no-messages-api", str(self._server)) from None
                raise
            return replace(reply, text=json_in(reply.text)) if reply.stop_reason == "end_turn" else reply

    def count(self, body: Mapping[str, Any]) -> int:
        """Return about how many tokens a question has; asking a server of this kind is of no use."""
        return asked_in(body).tokens
