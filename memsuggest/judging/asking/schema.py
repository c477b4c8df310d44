"""JSON schemas as a model needs them: without the titles and docstrings of our own classes. Pure."""

from __future__ import annotations

from typing import Any

_OURS = frozenset({"title", "description"})
_NAMED = frozenset({"properties", "$defs"})
"""Where the keys are names of ours, and not words of JSON Schema."""


def bare(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without what is told to nobody.

    >>> bare({"title": "Reply", "type": "object", "properties": {"title": {"title": "Title", "type": "string"}}})
    {'type': 'object', 'properties': {'title': {'type': 'string'}}}
    """
    return {
        key: {name: _bare(inner) for name, inner in value.items()} if key in _NAMED else _bare(value)
        for key, value in schema.items()
        if key not in _OURS
    }


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return bare(value)
    return [_bare(item) for item in value] if isinstance(value, list) else value
