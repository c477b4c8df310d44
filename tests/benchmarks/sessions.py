"""Sessions as real ones are, made up: long tool results, thinking, progress, few words of a person."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = ("the", "parser", "of", "this", "module", "returns", "an", "error", "when", "no", "newline", "so", "we", "keep")
CODE = (
    '    if (name === "") {',
    "\treturn null;",
    '  "scripts": {',
    "const path = `${root}/src`;",
    "// … see “notes”",
    "}",
)


def prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words))


def code(chance: random.Random, lines: int) -> str:
    """Lines as tools print them, with all that JSON has to escape."""
    return "\n".join(f"{number:6}\t{chance.choice(CODE)} {prose(chance, 4)}" for number in range(lines))


def record(kind: str, number: int, **fields: Any) -> dict[str, Any]:
    """A record of Claude Code; each number has an id of its own."""
    return {
        "parentUuid": f"{number - 1:036}", "isSidechain": False, "userType": "external", "cwd": "/work/shop",
        "sessionId": "5e55", "version": "2.1.7", "gitBranch": "main", "type": kind, **fields, "uuid": f"{number:036}",
        "timestamp": "2026-03-01T09:00:00.000Z",
    }  # fmt: skip


def reply(number: int, block: dict[str, Any]) -> dict[str, Any]:
    message = {"model": "m", "id": f"msg_{number}", "type": "message", "role": "assistant", "content": [block]}
    return record("assistant", number, message=message)


def session(size: int, chance: random.Random, *, number: int = 0) -> Iterator[bytes]:
    """Yield the lines of a session of about `size` bytes: one prompt to some twenty-five records.

    Its records are numbered from `number` on, so that sessions can be joined.
    """
    written = 0
    while written < size:
        records = [record("user", number, message={"role": "user", "content": prose(chance, 40)})]
        for step in range(number + 1, number + 33, 4):
            given = {"file_path": f"/work/shop/src/f{step}.ts", "old_string": code(chance, 6), "new_string": "x"}
            output = code(chance, 160)
            content = [{"tool_use_id": f"t{step}", "type": "tool_result", "content": output}]
            result = {"message": {"role": "user", "content": content}, "toolUseResult": {"stdout": output}}
            records += [
                reply(step, {"type": "thinking", "thinking": prose(chance, 60), "signature": "c2ln" * 300}),
                reply(step + 1, {"type": "tool_use", "id": f"t{step}", "name": "Edit", "input": given}),
                record("progress", step + 2, data={"type": "bash_progress", "output": code(chance, 40)}),
                record("user", step + 3, **result),
            ]
        records.append(reply(number + 33, {"type": "text", "text": prose(chance, 120)}))
        for each in records:
            line = json.dumps(each, separators=(",", ":")).encode() + b"\n"
            written += len(line)
            yield line
        number += 34
