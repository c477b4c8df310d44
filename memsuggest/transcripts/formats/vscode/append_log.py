"""The append log that VS Code keeps a chat session in: entries that set, push and delete, replayed to the session.

Follows the engine that writes them, step by step, errors included; see `ObjectMutationLog` in microsoft/vscode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import decode

if TYPE_CHECKING:
    from collections.abc import Iterable

_INITIAL, _SET, _PUSH, _DELETE = range(4)
_INDEX_LIMIT = 1_000_000  # a damaged index must not make an array of gigabytes


class _Nothing:
    """JavaScript's undefined: a value that is not there."""


_NOTHING = _Nothing()


def replay(text: str) -> dict[str, Any]:
    """Return the session that a log's entries add up to; TranscriptError where the writer itself would fail."""
    return replay_lines(line.encode("utf-8", "surrogatepass") for line in text.split("\n"))


def replay_lines(lines: Iterable[bytes]) -> dict[str, Any]:
    """Return the session that the lines of a log add up to."""
    state: Any = _NOTHING
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            state = _applied(state, decode(line))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise TranscriptError(f"line {number} of the session log cannot be replayed: {error}") from error
    if state is _NOTHING:
        raise TranscriptError("the session log is empty", hint="nothing to read")
    if not isinstance(state, dict):
        raise TranscriptError("the session log does not hold a session")
    return state


def _applied(state: Any, entry: Any) -> Any:
    kind = entry["kind"]
    if kind == _INITIAL:
        return entry["v"]
    if state is _NOTHING:
        raise ValueError("the first entry is not the initial one")
    if kind == _SET:
        _set(state, entry["k"], entry.get("v", _NOTHING))
    elif kind == _PUSH:
        _push(state, entry["k"], entry.get("v") or [], entry.get("i"))
    elif kind == _DELETE:
        _set(state, entry["k"], _NOTHING)
    else:
        raise ValueError(f"unknown kind {kind!r}")
    return state


def _set(state: Any, path: list[Any], value: Any) -> None:
    if path:
        _assign(_parent(state, path), path[-1], value)


def _push(state: Any, path: list[Any], values: list[Any], length: int | None) -> None:
    """Cut or fill the array at `path` to `length`, then append `values`."""
    key = path[-1] if path else "undefined"
    parent = _parent(state, path)
    array = _member(parent, key)
    if array is _NOTHING or not array:
        array = []
    if length is not None:
        if not 0 <= length <= _INDEX_LIMIT:
            raise ValueError(f"invalid array length {length}")
        array[length:] = [None] * (length - len(array))
    array.extend(values)
    _assign(parent, key, array)


def _parent(state: Any, path: list[Any]) -> Any:
    for key in path[:-1]:
        state = _member(state, key)
    return state


def _member(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(str(key), _NOTHING)
    if isinstance(value, list):
        index = _index(key)
        return value[index] if index is not None and index < len(value) else _NOTHING
    if value is None or value is _NOTHING:
        raise TypeError(f"cannot read {key!r} of nothing")
    return _NOTHING


def _assign(parent: Any, key: Any, value: Any) -> None:
    if isinstance(parent, dict):
        if value is _NOTHING:
            parent.pop(str(key), None)
        else:
            parent[str(key)] = value
    elif isinstance(parent, list):
        _assign_item(parent, key, value)
    else:
        raise TypeError(f"cannot set {key!r} of nothing")


def _assign_item(array: list[Any], key: Any, value: Any) -> None:
    """Set an item; a hole and a deleted item read as null, and a key that is no index is lost in JSON."""
    index = _index(key)
    if index is None:
        return
    if index > _INDEX_LIMIT:
        raise ValueError(f"invalid array index {index}")
    array.extend([None] * (index + 1 - len(array)))
    array[index] = None if value is _NOTHING else value


def _index(key: Any) -> int | None:
    if isinstance(key, int) and not isinstance(key, bool):
        return key if key >= 0 else None
    return int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else None
