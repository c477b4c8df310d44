"""Hook files of any shape: what is installed and taken out again leaves every byte as it was."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import json5
import pytest
from assistants.hook_texts import COMMANDS, hook_text
from cases import cases

from memsuggest.assistants.install_hooks import COMMAND, HOSTS, installed, is_ours, uninstalled
from memsuggest.core.json_edit import reading_of
from memsuggest.suggestions.hook_wishes import HookWish, with_entry

OURS = (COMMAND, "/opt/a b/memsuggest hook", "memsuggest hook")
COUNTS = [
    pytest.param(120, id="some"),
    pytest.param(3_000, id="all", marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
]


def parsed(text: str, number: int) -> Any:
    """What a text says; to a parser of others now and then, which is slow."""
    return reading_of(text).value if number % 15 else json5.loads(text.removeprefix("\ufeff"))


def others(value: Any) -> Any:
    """What a file says without our entries, and without what is empty then."""
    found = {event: kept(listed) for event, listed in value.get("hooks", {}).items()}
    hooks = {event: listed for event, listed in found.items() if listed}
    return {key: inner for key, inner in value.items() if key != "hooks"} | ({"hooks": hooks} if hooks else {})


def kept(entries: list[Any]) -> list[Any]:
    """The entries of others, in groups that still hold some."""
    found = []
    for entry in entries:
        if "hooks" not in entry:
            found += [] if is_ours(entry["command"]) else [entry]
        elif inner := kept(entry["hooks"]):
            found.append(entry | {"hooks": inner})
        elif not entry["hooks"]:
            found.append(entry)
    return found


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("host", ["vscode", "claude-code"])
def test_install_and_uninstall_restore_every_byte(host: str, count: int) -> None:
    """Whatever the file looks like, nothing of it is lost and nothing of ours remains."""
    chance = random.Random(16)
    told: Counter[str] = Counter()
    for number in range(count):
        text = hook_text(chance, is_nested=HOSTS[host].is_nested)
        added = installed(text, HOSTS[host], COMMAND)
        found = parsed(added, number)
        assert all(COMMAND in str(found["hooks"][event]) for event in HOSTS[host].events)
        assert others(found) == others(parsed(text, number))
        assert installed(added, HOSTS[host], COMMAND) == added
        assert uninstalled(added) == text, text
        told[text] += 1
    assert len(told) > count * 0.8


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("is_nested", [False, True])
def test_entries_that_a_person_moved_about(is_nested: bool, count: int) -> None:
    """Ours anywhere among others', with comments around them: only ours go, or the lines to take out are named."""
    chance = random.Random(17)
    refused = changed = 0
    for number in range(count):
        text = hook_text(chance, OURS + COMMANDS[:2], is_nested=is_nested)
        try:
            left = uninstalled(text)
        except ValueError as error:
            assert "remove line" in str(error)
            refused += 1
            continue
        assert left is not None
        after = parsed(left, number)
        assert others(after) == others(parsed(text, number)), text
        assert reading_of(left).comments == reading_of(text).comments
        assert not any(command in str(after.get("hooks")) for command in ("memsuggest hook |", "memsuggest hook'"))
        changed += left != text
    assert changed > count * 0.1
    assert refused < count * 0.4


@cases("host", HOSTS)
@cases("before", [None, "", "\n", " \n\n"])
def test_a_file_that_was_not_there(host: str, before: str | None) -> None:
    """A file that we made goes again; an empty one is empty again, also after git wrote its line ends anew."""
    added = installed(before, HOSTS[host], COMMAND)
    assert uninstalled(added) == before
    if before is None:
        assert uninstalled(added.replace("\n", "\r\n")) is None


def test_a_comment_inside_our_entry() -> None:
    """It would be lost: the lines are named instead."""
    text = '{\n  "hooks": {\n    "Stop": [\n      { // keep\n        "command": "memsuggest hook"}\n    ]\n  }\n}\n'
    with pytest.raises(ValueError, match="contains a comment; remove line 4"):
        uninstalled(text)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("is_nested", [False, True])
def test_a_suggested_entry(is_nested: bool, count: int) -> None:
    """What a suggestion adds to a hook file is one entry more; files that it cannot be sure of are left alone."""
    chance = random.Random(19)
    done = 0
    for _ in range(count):
        text = hook_text(chance, is_nested=is_nested)
        added = with_entry(text, HookWish(event="PostToolUse", command="make lint"), is_grouped=is_nested)
        if added is None:
            continue
        before, after = reading_of(text), reading_of(added[0])
        value: Any = after.value
        assert after.comments == before.comments
        listed = value["hooks"]["PostToolUse"]
        mine = listed.pop()
        assert "make lint" in str(mine)
        assert others(value) == others(before.value)
        done += 1
    assert done > count * 0.15
