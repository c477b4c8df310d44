"""The prompts: versions, no reasons sent, and examples that our own code accepts."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from cases import cases

from memsuggest.asking.prompts import load_prompt
from memsuggest.asking.question import Purpose
from memsuggest.extraction import offline
from memsuggest.extraction.by_model.conversation_question import read_sentences
from memsuggest.extraction.by_model.disposing import Hearing, dispose
from memsuggest.extraction.by_model.extraction_reply import read_reply
from memsuggest.memory.consolidation import disposed
from memsuggest.memory.proposing import read_groups, read_operations
from memsuggest.model import Candidate, Citation, Kind, MemoryFact, Role, Scope, Transcript, Turn
from memsuggest.workflows.facts.proposals import why_not_words

_BLOCK = re.compile(r"```\n(.*?)\n```", re.DOTALL)


@cases("purpose", Purpose)
def test_each_question_has_a_prompt(purpose: Purpose) -> None:
    """A file of its own with a version, whose reasons for its rules are written down and stay here."""
    raw = files("memsuggest.asking.prompts").joinpath(f"{purpose}.md").read_text(encoding="utf-8")
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


def test_the_example_of_consolidation_holds() -> None:
    """Its operations are among those that may be carried out; a merge goes with its wording, a replacement asks."""
    lines, reply = example("consolidation")
    shown = {
        line["id"]: MemoryFact(
            id=line["id"],
            content=line["says"],
            kind=Kind(line["kind"]),
            scope=Scope(line["scope"]),
            confidence=0.8,
            citations=(Citation(session_id="s", turn=1, quote=line["says"]),),
            timestamp=int(line["last_said"].replace("-", "")),
        )
        for line in lines
        if "id" in line
    }
    operations, refused = disposed(read_operations(reply), shown, check=why_not_words)
    assert not refused
    assert [(one.verb, one.fact.id, one.is_replacement) for one in operations] == [
        ("update", "K0f6", False),
        ("delete", "K0b2", False),
        ("delete", "K0d4", True),
        ("delete", "K0g7", False),
    ]


def test_the_example_of_duplicates_is_readable() -> None:
    """Its reply has the shape that is asked for."""
    (reply,) = re.findall(r'`(\{"same".*?\})`', load_prompt("duplicates").text)
    assert [(one.id, one.because) for one in read_groups(reply)] == [("K0b2", "K0a1")]


@cases("name", (Purpose.APP_MEMORY, Purpose.SESSION_SUMMARY))
def test_the_examples_of_sentences_are_readable(name: str) -> None:
    """Their replies have the shape that is asked for, and both sorts of words are shown."""
    (reply,) = re.findall(r'`(\{"sentences".*?\})`', load_prompt(name).text)
    assert {one.by for one in read_sentences(reply).sentences} == {"person", "assistant"}


def test_the_example_of_matching_holds() -> None:
    """It chooses among what it shows, and what stands beside a rule is in a place that the rule may go to."""
    lines, reply = example("matching")
    places = {line["place"]: line for line in lines if "place" in line}
    (rule,) = [line for line in lines if "rule" in line]
    (placed,) = json.loads(reply)["placed"]
    assert placed["place"] in rule["candidates"]
    assert placed["heading"] in places[placed["place"]]["headings"]
    assert list(rule["beside"]) == rule["candidates"]
    assert all(spot["heading"] in places[name]["headings"] for name, spot in rule["beside"].items())
