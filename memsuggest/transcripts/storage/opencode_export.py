"""A session of OpenCode as `opencode export` writes it, whatever it was kept in. Pure.

Only what the reader uses is taken: results of tools and the snapshots of whole files are left where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from memsuggest.transcripts.parsing.json_records import decode, fields_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS = frozenset({"text", "file", "patch", "tool"})
_INFO = ("role", "time", "agent", "mode", "modelID", "path", "error")
_PART = ("type", "text", "synthetic", "ignored", "files", "filename", "source", "tool")
_STATE = ("input", "status", "error")


def decoded(data: bytes | None) -> dict[str, Any] | None:
    """Decode an object; None for anything else."""
    try:
        found = decode(data) if data is not None else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def message(name: str, data: dict[str, Any] | None, parts: Iterator[dict[str, Any] | None]) -> dict[str, Any]:
    """Put a message together; what cannot be read of it is said in it."""
    if data is None:
        return {"unreadable": f"the message {name}"}
    whole: list[dict[str, Any]] = []
    lost = 0
    for part in parts:
        lost += part is None
        if part is not None and text_of(part.get("type")) in _PARTS:
            whole.append(_pruned(part))
    told: dict[str, Any] = {"info": {**kept(data, _INFO), "id": name}, "parts": whole}
    return told | {"unreadable": f"{lost} parts of the message {name}"} if lost else told


def _pruned(part: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(state := part.get("state"), dict):
        return kept(part, _PART)
    answers = fields_of(state.get("metadata")).get("answers")
    return kept(part, _PART) | {"state": kept(state, _STATE) | {"metadata": {"answers": answers}}}


def kept(fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Keep the fields of these names."""
    return {name: fields[name] for name in names if name in fields}


def export(info: dict[str, Any], messages: Iterator[dict[str, Any]]) -> bytes:
    """Write a session with its messages as one piece of JSON."""
    return b'{"info":%b,"messages":[%b]}' % (_encoded(info), b",".join(map(_encoded, messages)))


def _encoded(value: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # nested more deeply, or a larger number, than anybody writes
        return orjson.dumps({"unreadable": "a message"})
