"""Hook files as people write them, by chance: comments anywhere, trailing commas, every way of white space."""

from __future__ import annotations

import json
import random
from typing import Any

COMMANDS = (
    "make check",
    "./scripts/it.sh // not a comment",
    'echo "/* nor this */"',
    "naïve \u00e9t\u00e9",
    "memsuggest hooks show",
)
EVENTS = ("SessionStart", "Stop", "SessionEnd", "PreCompact", "PostToolUse")
COMMENTS = (
    "// of ours",
    "/* block */",
    "// a } and a ] , in it",
    "/* two\n   lines, */",
    "//",
    '// "quoted',
    "/**/",
    "// memsuggest hook",
)


class Writer:
    """Writes a value in one style, with comments and commas by chance."""

    def __init__(self, chance: random.Random, *, comments: float, commas: float) -> None:
        self.chance = chance
        self.comments, self.commas = comments, commas
        self.newline = chance.choice(("\n", "\n", "\n", "\r\n"))
        self.unit = chance.choice(("  ", "    ", "\t", " "))
        self.flat = chance.random() < 0.2
        self.mess = chance.random() < 0.3

    def gap(self, usual: str) -> str:
        """White space, and now and then a comment in it."""
        text = usual
        if self.mess and self.chance.random() < 0.3:
            text = self.chance.choice(
                ("", " ", "  ", self.newline, f"{self.newline}\t", f"{self.newline}{self.newline} ")
            )
        while self.chance.random() < self.comments:
            comment = self.chance.choice(COMMENTS).replace("\n", self.newline)
            end = self.newline if comment.startswith("//") else self.chance.choice(("", " ", self.newline))
            text += f"{self.chance.choice(('', ' ', self.newline))}{comment}{end}{self.chance.choice(('', usual))}"
        return text

    def write(self, value: Any, level: int = 0) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=self.chance.random() < 0.5)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if not value:
            return opening + self.gap(self.chance.choice(("", "", " ", self.newline))) + closing
        is_flat = self.flat or self.chance.random() < 0.15
        inner = "" if is_flat else self.newline + self.unit * (level + 1)
        outer = "" if is_flat else self.newline + self.unit * level
        pieces = []
        for key in value:
            shown = self.write(value[key], level + 1) if isinstance(value, dict) else self.write(key, level + 1)
            name = f"{json.dumps(key)}{self.gap('')}:{self.gap(' ')}" if isinstance(value, dict) else ""
            pieces.append(f"{self.gap(inner)}{name}{shown}{self.gap('')}")
        last = "," + self.gap("") if self.chance.random() < self.commas else ""
        return opening + ("," + (" " if is_flat else "")).join(pieces) + last + self.gap(outer) + closing


def entry(chance: random.Random, command: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "command", "command": command}
    if chance.random() < 0.3:
        found["timeout"] = chance.randrange(60)
    return found


def hooks(chance: random.Random, commands: tuple[str, ...], *, is_nested: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for event in chance.sample(EVENTS, chance.randrange(4)):
        entries = [entry(chance, chance.choice(commands)) for _ in range(chance.randrange(4))]
        if is_nested:
            found[event] = [
                {"hooks": entries[at : at + 2]} | ({"matcher": "*"} if chance.random() < 0.4 else {})
                for at in range(0, len(entries), 2)
            ]
        else:
            found[event] = entries
    return found


def settings(chance: random.Random, commands: tuple[str, ...] = COMMANDS, *, is_nested: bool) -> dict[str, Any]:
    others = {
        "version": 1, "model": "x//y", "nested": {"a": [1, 2.5, {"b": None}], "hooks": []}, "env": {}, "list": [],
        "big": 12345678901234567890, "text": "a \" b \\ , ] }",
    }  # fmt: skip
    keys = chance.sample(sorted(others), chance.randrange(4))
    found = {key: others[key] for key in keys}
    if chance.random() < 0.7:
        found["hooks"] = hooks(chance, commands, is_nested=is_nested)
    names = list(found)
    chance.shuffle(names)
    return {name: found[name] for name in names}


def hook_text(chance: random.Random, commands: tuple[str, ...] = COMMANDS, *, is_nested: bool) -> str:
    """One file of hooks."""
    style = chance.random()
    comments, commas = (0.0, 0.0) if style < 0.25 else (chance.random() * 0.25, chance.random() * 0.6)
    writer = Writer(chance, comments=comments, commas=commas)
    text = writer.gap("") + writer.write(settings(chance, commands, is_nested=is_nested)) + writer.gap("")
    mark = "\ufeff" if chance.random() < 0.03 else ""
    return mark + text + chance.choice(("", "\n", writer.newline))
