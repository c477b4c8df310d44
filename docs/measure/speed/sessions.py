"""Sessions as real ones are, made up: long tool results, thinking, progress, few words of a person."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


PASTES = {
    "log": lambda line, said: f"2026-03-01 09:{line // 60 % 60:02}:{line % 60:02}.120 INFO [worker-{line % 7}] {said}",
    "trace": lambda line, said: f"    at {said.split()[0]}.run (/work/shop/src/{said.split()[1]}.ts:{line}:17)",
    "yaml": lambda line, said: f"{'  ' * (line % 3)}{said.split()[0]}_{line}: {said}",
    "code": lambda line, said: f"{'    ' * (line % 3)}const {said.split()[0]}{line} = load('{said}');",
    "mail": lambda line, said: f"{said.capitalize()}." if line % 5 else "",
    "list": lambda line, said: f"- {said}: {said}",
}
"""What people paste, by the lines of it."""


def with_paste(kind: str, lines: int, chance: random.Random) -> str:
    """Return a message with a long paste between two sentences of a person."""
    pasted = "\n".join(PASTES[kind](line, prose(chance, 5)) for line in range(lines))
    return f"can you look at this, it came up after the deploy\n\n{pasted}\n\nplease never log that again"


THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")
TASKS = (
    "can you look at src/{0}/{1}.py and tell me what the {0} returns for an empty list",
    "the {0} page is broken again, the button {1} is a little too high on a small screen",
    "please add a test for the {0} and the {1}, and run it",
    "rename {0}_{1} to {1}_{0} and update the docs",
    "commit that, then look at the {1} of the {0} once more",
    "hm, that does not work. The {0} still fails, see the log of the {1}",
    "go on",
)
LASTING = (
    "always use pnpm for the {0}, never npm",
    "from now on never mock the {1} in tests of the {0}",
    "the {0} is only called from src/{0}/{1}.py",
    "we keep the {0} free of the {1}: it is shared with another team",
    "remember: the {0} is deployed on Mondays with make {1}",
)


def prompt(chance: random.Random, number: int) -> str:
    """What a person types: a task, sometimes with what they pasted or with something lasting."""
    words = (chance.choice(THINGS), f"{chance.choice(THINGS)}{number % 4}")
    text = chance.choice(TASKS).format(*words)
    kind = chance.random()
    if kind < 0.01:
        return f"{text}. {LASTING[number % len(LASTING)].format(*words)}."
    if kind < 0.11:
        log = "\n".join(f'  File "/work/{words[0]}/{line}.py", line {line}, in {words[1]}' for line in range(8))
        return f"{text}\n\nTraceback (most recent call last):\n{log}\nKeyError: '{words[1]}'"
    return text


def chat(number: int, root: Path) -> str:
    """One chat, written down as Claude Code does."""
    chance = random.Random(number)
    lines = []
    for step in range(0, 4 * chance.randrange(4, 20), 4):
        at = number * 1000 + step
        output = [{"type": "tool_result", "tool_use_id": f"t{at}", "content": code(chance, 30)}]
        asked = {"type": "tool_use", "id": f"t{at}", "name": "Read", "input": {"file_path": "src/a.py"}}
        lines += [
            record("user", at, message={"role": "user", "content": prompt(chance, number)}),
            reply(at + 1, asked),
            record("user", at + 2, message={"role": "user", "content": output}),
            reply(at + 3, {"type": "text", "text": f"I changed it: {prose(chance, 40)}."}),
        ]
    return "".join(json.dumps(line | {"cwd": str(root), "sessionId": f"chat-{number}"}) + "\n" for line in lines)
