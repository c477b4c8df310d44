"""Settings files of any shape: a value that is set reads back; setting it back or taking it out restores the file."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from memsuggest.core.yaml_edit import set_value, unset_value

COUNTS = [
    pytest.param(300, id="some"),
    pytest.param(3_000, id="all", marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
]
NAMES = ("mode", "threshold", "care", "x", "a b", "été", "C:\\x", "key: odd", "2", "- dash", "'q'")
FOLDERS = ("/home/ada/repo", "/srv/a b", "C:\\work\\x", "~/x", "/été")
VALUES = (
    "off",
    "eager",
    "0.5",
    "true",
    "null",
    "~",
    "a:b",
    "http://x/y#z",
    "it's",
    'say "hi"',
    "# no",
    "a # b",
    "1e3",
    "C:\\x",
    "naïve",
)
QUOTED = ("# no", "a # b")
COMMENTS = ("# why", "#", "# mode: eager", "# it's: a \"quote", "# {")


def scalar(chance: random.Random, value: str) -> str:
    """A value in some style that says it."""
    ways = ["'" + value.replace("'", "''") + "'", '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"']
    if re.fullmatch(r"[\w.é/~:]+", value) and not value.endswith(":"):
        ways += [value] * 3
    return chance.choice(ways)


def lines(chance: random.Random, level: int, depth: int, unit: int) -> list[str]:
    found: list[str] = []
    for name in chance.sample(FOLDERS if level == 1 else NAMES, chance.randrange(1, 4)):
        pad, key = " " * (level * unit), scalar(chance, name)
        note = f"  {chance.choice(COMMENTS)}" if chance.random() < 0.2 else ""
        if chance.random() < 0.15:
            found.append(chance.choice(("", pad + chance.choice(COMMENTS), chance.choice(COMMENTS))))
        if depth > 0 and chance.random() < 0.4:
            inner = lines(chance, level + 1, depth - 1, unit) if chance.random() < 0.8 else []
            found += [f"{pad}{key}:{note}", *inner]
        elif chance.random() < 0.1:
            found += [f"{pad}{key}:{note}", f"{pad}  - one", f"{pad}  - 'two'{note}"]
        else:
            found.append(f"{pad}{key}: {scalar(chance, chance.choice(VALUES))}{note}")
    return found


def yaml_text(chance: random.Random) -> str:
    """A file of settings."""
    found = lines(chance, 0, 2, chance.choice((2, 2, 4, 3))) if chance.random() < 0.95 else []
    if chance.random() < 0.3:
        found.insert(0, chance.choice(("---", "# mine", "")))
    newline = chance.choice(("\n", "\n", "\r\n"))
    return newline.join(found) + (newline if found and chance.random() < 0.8 else "")


def said(text: str) -> Any:
    """What a file says, every value as text; to a parser of others."""
    reader = YAML(typ="safe", pure=True)
    reader.preserve_quotes = True  # type: ignore[assignment]
    reader.allow_duplicate_keys = True
    assert reader.load(text) is not False
    return yaml.load(text, Loader=yaml.BaseLoader) or {}


def at(found: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def comments(text: str) -> list[str]:
    return sorted(line.partition("#")[2] for line in text.splitlines() if line.strip().startswith("#"))


@pytest.mark.parametrize("count", COUNTS)
def test_set_and_back(count: int) -> None:
    """Nothing but the value differs; and then nothing at all."""
    chance = random.Random(16)
    done = refused = 0
    for _ in range(count):
        text = yaml_text(chance)
        keys = chance.choice(
            ((chance.choice(NAMES),), ("workspaces", "/r", "mode"), ("x", chance.choice(FOLDERS), "mode"))
        )
        value = chance.choice(VALUES)
        before = said(text)
        try:
            changed = set_value(text, keys, value)
        except ValueError:
            refused += 1
            continue
        old = at(before, keys)
        assert at(said(changed), keys) == value
        assert comments(changed) == comments(text)
        back = unset_value(changed, keys) if old is None else set_value(changed, keys, old)
        if old == "" or (old is not None and value in QUOTED):
            assert said(back) == before  # a name that held nothing, or a value that needed no quotes, has some now
        else:
            assert back == text, (text, changed)
        done += 1
    assert done > count * 0.8
    assert refused < count * 0.2


@pytest.mark.parametrize("count", COUNTS)
def test_taking_out_a_value(count: int) -> None:
    """Only that value goes, whoever wrote it, or the line to take out is named."""
    chance = random.Random(18)
    done = 0
    for _ in range(count):
        text = yaml_text(chance)
        keys = chance.choice(((chance.choice(NAMES),), ("x", chance.choice(FOLDERS), "mode")))
        before = said(text)
        try:
            changed = unset_value(text, keys)
        except ValueError as error:
            assert re.search(r"line \d+ |`name: value`|single value", str(error))
            continue
        after = said(changed)
        assert at(after, keys) is None
        assert comments(changed) == comments(text)
        assert {key: one for key, one in after.items() if key != keys[0]} == {
            key: one for key, one in before.items() if key != keys[0]
        }
        done += changed != text
    assert done > count * 0.02
