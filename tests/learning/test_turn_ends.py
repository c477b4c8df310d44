"""A notice waits for the end of the assistant's turn, where the format tells it."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from learning.watched import QUICK, RULES, Chat, shop, until, watched


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return shop(tmp_path)


def begin(chat: Chat, text: str) -> dict[str, Any]:
    """Write a turn whose answer is still to come; return the answer."""
    before = chat.path.read_bytes() if chat.path.exists() else b""
    chat.say(text)
    prompt, answer = chat.path.read_bytes()[len(before) :].splitlines(keepends=True)
    chat.path.write_bytes(before + prompt)
    return dict(json.loads(answer))


def test_waits_for_the_end(repo: Path, home: Path) -> None:
    """While the assistant is at it, nobody is told; of another chat they are; at the end, of this one, too."""
    one, two = Chat(home, repo), Chat(home, repo, number=2)
    for chat in (one, two):
        chat.say("please look at the footer")
    with watched(repo, mode="eager", pace=replace(QUICK, patience=3_600_000)) as heard:
        answer = begin(one, RULES[0])
        two.say(RULES[1])
        until(lambda: heard.texts)
        assert [RULES[1].split()[2] in text for text in heard.texts] == [True]
        with one.path.open("a") as stream:
            stream.write(json.dumps(answer) + "\n")
        until(lambda: len(heard.texts) == 2)
        assert "mock" in heard.texts[1]


def test_not_for_ever(repo: Path, home: Path) -> None:
    """A turn that nobody ends counts as completed after a while, and one of long ago at once."""
    one, two = Chat(home, repo), Chat(home, repo, number=2)
    for chat in (one, two):
        chat.say("please look at the footer")
    with watched(repo, mode="eager", pace=replace(QUICK, patience=1_000)) as heard:
        begin(one, RULES[0])
        until(lambda: heard.texts)
    begin(two, RULES[1])
    os.utime(two.path, (time.time() - 90, time.time() - 90))
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.texts)
