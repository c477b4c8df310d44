"""The JSON object in what is printed around it."""

from __future__ import annotations

import json

import pytest
from cases import cases

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.json_object import json_in

OBJECT = json.dumps({"facts": [{"content": "Use {braces} and \\ and é"}]})


@cases(
    "printed",
    [
        pytest.param(OBJECT, id="alone"),
        pytest.param(f"\ufeff{OBJECT}\r\n", id="behind a byte order mark"),
        pytest.param(f"I looked at {{turn 1}}:\n{OBJECT}", id="behind braces in the talk"),
        pytest.param(f"```json\n{OBJECT}\n```", id="fenced"),
        pytest.param(f"Here it is:\n\n```\n{OBJECT}\n```\nDone.", id="fenced between words"),
        pytest.param(f"\x1b[2J\x1b[32m{OBJECT}\x1b[0m\x1b]0;title\x07", id="coloured"),
        pytest.param(f"<think>is {{this}} a rule?</think>{OBJECT}", id="after a thought"),
    ],
)
def test_the_object_is_found(printed: str) -> None:
    """Words, fences, colours and thoughts around the answer do no harm."""
    assert json.loads(json_in(printed)) == json.loads(OBJECT)


@cases(
    ("printed", "outcome"),
    [
        pytest.param("", "empty", id="nothing"),
        pytest.param("\x1b[0m \n", "empty", id="only colours"),
        pytest.param("I found two rules in this session.", "prose", id="prose"),
        pytest.param(OBJECT[:-5], "unreadable", id="cut off"),
        pytest.param(f"```json\n{OBJECT[:-5]}", "unreadable", id="cut off in a fence"),
        pytest.param(f"{OBJECT}\n{OBJECT}", "wrong-shape", id="two of them"),
        pytest.param('{"a": ' * 100_000, "unreadable", id="too deep"),
        pytest.param("[]", "prose", id="a list"),
    ],
)
def test_anything_else_is_named(printed: str, outcome: str) -> None:
    """Prose, half an object and nothing are told apart."""
    with pytest.raises(ModelError) as caught:
        json_in(printed)
    assert caught.value.outcome == outcome
