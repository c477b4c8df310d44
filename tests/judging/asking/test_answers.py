"""Answers that were paid for, and what is taken out of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memsuggest.core.database import open_database
from memsuggest.judging.asking.answers import MIGRATIONS, REST, Answers, Kept
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question

QUESTION = Question(purpose=Purpose.EXTRACTION, prompt=load_prompt("extraction"), data="x", schema={})


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Answers]:
    connection = open_database(tmp_path / "answers.db", MIGRATIONS)
    yield Answers(connection)
    connection.close()


def test_an_answer_of_before_names_an_engine(tmp_path: Path) -> None:
    """Answers that were kept before it was written down who gave them are still read."""
    old = open_database(tmp_path / "answers.db", MIGRATIONS[:2])
    old.execute("INSERT INTO answers VALUES ('q', 'f', '[]', '{}', 1)")
    old.close()
    connection = open_database(tmp_path / "answers.db", MIGRATIONS)
    (answer,) = Answers(connection).of("f")
    assert (answer.text, answer.judge) == ("{}", "haiku")
    connection.close()


def test_what_is_forgotten_is_blanked(kept: Answers) -> None:
    """Words that hold a forgotten text go, however its white space; what chooses from a list stays."""
    facts = [
        {"kind": "convention", "content": "Keep on with cents.", "citations": [{"quote": "keep  on\nwith cents!"}]},
        {"kind": "fact", "content": "Ship on Tuesdays.", "citations": [{"quote": "we ship then"}]},
    ]
    kept.keep(
        Kept(question=QUESTION.key, text=json.dumps({"facts": facts}), family="f", covers=["a"]), judge="haiku", now=1
    )
    kept.forget(["keep on with cents", "on with"])
    (answer,) = kept.of("f")
    first, second = json.loads(answer.text)["facts"]
    assert (first["kind"], first["content"], first["citations"]) == ("convention", "", [{"quote": ""}])
    assert second == facts[1]
    assert answer.covers == frozenset({"a"})


def test_a_question_rests_and_is_asked_again(kept: Answers) -> None:
    """Asked twice in vain, it rests for a day; an answer makes it a question like any other."""
    kept.note_failure([QUESTION.key], "refusal", now=10)
    assert kept.hopeless(QUESTION, now=10) is None
    kept.note_failure([QUESTION.key], "truncated", now=20)
    assert kept.hopeless(QUESTION, now=20 + REST - 1) == "truncated"
    assert kept.hopeless(QUESTION, now=20 + REST) is None
    kept.keep(Kept(question=QUESTION.key, text="{}"), judge="haiku", now=30)
    assert kept.hopeless(QUESTION, now=30) is None
    assert kept.to(QUESTION) == "{}"
