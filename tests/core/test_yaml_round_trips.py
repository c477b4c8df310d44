"""Settings files of any shape: a value that is set reads back; setting it back or taking it out restores the file."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from memsuggest.core.yaml_edit import set_value, unset_value

NAMES = ("mode", "threshold", "care", "x", "a b", "été", "C:\\x", "key: odd", "2", "- dash", "'q'")
FOLDERS = ("/home/ada/repo", "/srv/a b", "C:\\work\\x", "~/x", "/été")
VALUES = [
    *("off", "eager", "0.5", "true", "null", "~", "a:b", "http://x/y#z", "it's", 'say "hi"', "# no", "a # b"),
    *("1e3", "C:\\x", "naïve"),
]
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


@cases(
    ("before", "keys", "after"),
    [
        pytest.param("", ("mode",), "mode: eager\n", id="empty file"),
        pytest.param("# mine\n", ("mode",), "# mine\nmode: eager\n", id="only a comment"),
        pytest.param("mode: off  # why\nx: 1\n", ("mode",), "mode: eager  # why\nx: 1\n", id="value replaced"),
        pytest.param("x: 1\r\n", ("mode",), "mode: eager\r\nx: 1\r\n", id="CRLF"),
        pytest.param("x: 1", ("mode",), "mode: eager\nx: 1", id="no final newline"),
        pytest.param("x: 1\n", ("w", "/a b", "mode"), "w:\n  /a b:\n    mode: eager\nx: 1\n", id="nested"),
        pytest.param("w:\nx: 1\n", ("w", "/a", "mode"), "w:\n    /a:\n      mode: eager\nx: 1\n", id="empty mapping"),
    ],
)
def test_only_that_line_changes(before: str, keys: tuple[str, ...], after: str) -> None:
    """Comments, order and line ends stay."""
    assert set_value(before, keys, "eager") == after


@cases("text", ["mode: [a]\n", "mode:\n  - a\n", "{mode: a}\n"])
def test_something_else_in_the_way_is_refused(text: str) -> None:
    """A list or a flow mapping is left to the person."""
    with pytest.raises(ValueError, match="mode|block"):
        set_value(text, ("mode",), "eager")


@given(st.text(min_size=1, max_size=20), st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=20))
def test_what_is_set_reads_back(key: str, value: str) -> None:
    """Any key and value come back equal."""
    if key.isprintable():
        changed = set_value("# c\nother: 1\n", ("w", key), value)
        assert yaml.load(changed, Loader=yaml.BaseLoader) == {"other": "1", "w": {key: value}}


def test_set_and_back() -> None:
    """Setting changes nothing but the value, setting back or taking out restores the file; else the line is named."""
    chance = random.Random(16)
    done = 0
    for _ in range(300):
        text, value = yaml_text(chance), chance.choice(VALUES)
        places = ((chance.choice(NAMES),), ("workspaces", "/r", "mode"), ("x", chance.choice(FOLDERS), "mode"))
        keys, before = chance.choice(places), said(text)
        old = at(before, keys)
        try:
            changed = set_value(text, keys, value)
            back = unset_value(changed, keys) if old is None else set_value(changed, keys, old)
        except ValueError:
            continue
        assert (at(said(changed), keys), comments(changed)) == (value, comments(text))
        if old == "" or (old is not None and value in QUOTED):
            assert said(back) == before  # a name that held nothing, or a value that needed no quotes, has some now
        else:
            assert back == text, (text, changed)
        try:
            without = unset_value(text, keys)
        except ValueError as error:
            assert re.search(r"line \d+ |`name: value`|single value", str(error))
            continue
        left = said(without)
        assert (at(left, keys), comments(without)) == (None, comments(text))
        assert {**before, keys[0]: 0} == {**left, keys[0]: 0} or keys[0] not in before
        done += 1
    assert done > 150
