"""The prompts: versions, no reasons sent, and examples that our own code accepts."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from cases import cases

from memsuggest.core.model import Candidate, Role, Transcript, Turn
from memsuggest.judging.asking.json_object import read_as
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose
from memsuggest.judging.by_model.conversation_question import read_sentences
from memsuggest.judging.by_model.disposing import Hearing, dispose
from memsuggest.judging.by_model.packets import read_reply
from memsuggest.judging.offline import offline
from memsuggest.judging.verdicts.cases import Answer

_BLOCK = re.compile(r"```\n(.*?)\n```", re.DOTALL)


@cases("purpose", Purpose)
def test_each_question_has_a_prompt(purpose: Purpose) -> None:
    """A file of its own with a version, whose reasons for its rules are written down and stay here."""
    raw = files("memsuggest.judging.asking.prompts").joinpath(f"{purpose}.md").read_text(encoding="utf-8")
    prompt = load_prompt(purpose)
    assert prompt.version >= 1
    assert raw.count("<!-- Why") >= 2
    assert "<!--" not in prompt.text
    assert "Why " not in prompt.text
    assert "<data id=" in prompt.text


def example(name: str) -> tuple[list[dict[str, Any]], str]:
    """The lines of data and the reply of the example in a prompt."""
    data, reply = _BLOCK.findall(load_prompt(name).text)
    return [json.loads(line) for line in data.split("\n")], reply


def test_the_example_of_extraction_holds() -> None:
    """Everything in it is quoted and worded as our own code demands."""
    every_line, reply = example("extraction")
    lines = [line for line in every_line if "turn" in line]
    turns = [Turn(number=line["turn"], role=Role.USER, typed=line["typed"]) for line in lines]
    transcript = Transcript(session_id="s", format="generic", origin="s", turns=tuple(turns))
    acts = {line["turn"]: line.get("assistant_said_before", "") for line in lines}
    hearing = Hearing(transcript=transcript, own=offline.extract(transcript), written=(), acts=acts, known={})
    proposed = read_reply(reply).facts
    found = [dispose(one, hearing) for one in proposed]
    assert [one.content for one in found if isinstance(one, Candidate)] == [one.content for one in proposed]


def test_the_examples_of_sentences_are_readable() -> None:
    """Their replies have the shape that is asked for, and both sorts of words are shown."""
    (reply,) = re.findall(r'`(\{"sentences".*?\})`', load_prompt(Purpose.APP_MEMORY.value).text)
    assert {sentence.by for sentence in read_sentences(reply).sentences} == {"person", "assistant"}


def test_the_example_of_verdicts_holds() -> None:
    """It has a verdict for every rule to judge, in the shape that is asked for, and chooses among what it shows."""
    lines, reply = example("verdicts")
    places = {line["place"]: line for line in lines if "place" in line}
    rules = {line["rule"]: line for line in lines if "places" in line}
    verdicts = {verdict.rule: verdict for verdict in read_as(Answer, reply).verdicts}
    assert verdicts.keys() == rules.keys()
    for name, one in verdicts.items():
        assert one.place in (*rules[name]["places"], "")
        assert not one.heading or one.heading in places[one.place]["headings"]
        assert one.line in (*rules[name].get("lines", ()), "")
        assert set(one.joins) <= set(rules[name].get("known", ()))
    assert {verdict.becomes for verdict in verdicts.values()} == {"joins", "contradicts", "said", "nowhere"}
