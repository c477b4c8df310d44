"""Holding what commands print against their JSON Schemas, closed: a key that no schema names is an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from jsonschema_rs import Draft202012Validator

from memsuggest.setup.json_schemas import REPORTS, find_schema

_TAKES_A_VALUE = {"--repo", "--format"}


def closed(schema: Any) -> Any:
    """Return a schema whose objects have no other keys than those that it names."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {**inner, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else inner


@cache
def _validator(command: str) -> Draft202012Validator:
    return Draft202012Validator(closed(find_schema(command)))


def assert_valid(command: str, document: Any) -> None:
    """Fail when a document is not what the command's schema says."""
    error = next(_validator(command).iter_errors(document), None)
    assert error is None, f"`{command}` prints what its schema does not say, at {error.instance_path}: {error.message}"


def command_in(words: Sequence[str]) -> str | None:
    """Return the command of a command line, when it prints JSON."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _TAKES_A_VALUE else 1]
    names = [name for name in REPORTS if rest[: len(name.split())] == name.split()]
    return max(names, key=len, default=None)


def format_in(words: Sequence[str]) -> str:
    """Return the last format that a command line asks for."""
    asked = [after for word, after in pairwise(words) if word == "--format"]
    return asked[-1] if asked else "text"


def assert_as_the_schema_says(words: Sequence[str], out: str, *, code: int) -> None:
    """Fail when a command that was asked for JSON printed anything else than one valid document."""
    command = command_in(words)
    if command is None or format_in(words) not in {"json", "jsonl"}:
        return
    if command == "watch" or format_in(words) == "jsonl":
        for line in out.splitlines():
            assert_valid(command, json.loads(line))
    elif out:
        assert_valid(command, json.loads(out))
    else:
        assert code or {"-o", "--output"} & set(words), f"{words}: nothing was printed"
