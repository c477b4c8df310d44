"""An answer to question two: it chooses among what was shown and no more, rule by rule."""

from __future__ import annotations

import json

import pytest
from cases import cases
from judging_kit import RULE, TESTS_FILE, answer, case, entry

from memsuggest.core.errors import ModelError
from memsuggest.judging.verdicts.verdict import NEW_FILE, Becomes
from memsuggest.judging.verdicts.verdict_wording import read_verdicts, written_verdicts

FAKES = "Prefer fakes to mocks in a test"


def no_objection(_words: str) -> str:
    return ""


def read(of, *entries):
    """The verdict on one rule."""
    (found,) = read_verdicts(answer(*entries), [of], check=no_objection)
    return found


def test_every_verdict_is_taken() -> None:
    """Each of the six, by the names that were shown."""
    one = case(RULE, "the harbour database is not for mocking", "mock nothing of the harbour")
    added = read(one, entry(one, place=TESTS_FILE, heading="Doubles", also=["AGENTS.md"]))
    assert (added.becomes, added.uri, added.heading, added.others) == (
        Becomes.NEW,
        TESTS_FILE,
        "Doubles",
        ("AGENTS.md",),
    )
    assert read(one, entry(one, place="new")).uri == NEW_FILE
    for becomes in (Becomes.SAID, Becomes.CONTRADICTS, Becomes.REPLACES):
        found = read(one, entry(one, becomes, line=FAKES))
        assert (found.becomes, found.uri, found.line) == (becomes, TESTS_FILE, FAKES)
    joined = read(one, entry(one, "joins", joins=[known.fact.content for known in one.known], place="AGENTS.md"))
    assert joined.joins == tuple(known.fact.id for known in one.known)
    assert joined.uri == "AGENTS.md"
    assert read(one, entry(one, "joins", joins=["mock nothing of the harbour"])).uri is None
    assert read(one, entry(one, "nowhere")).becomes is Becomes.NOWHERE


NO_LINE, NO_PLACE = (f"the answer names a {what} that was not listed for this rule" for what in ("line", "place"))
NO_RULE = "the answer merges this rule with one that was not listed"
MOCKS = "Mock the harbour database in tests."
NEGATED = "the new line was rejected: the wording drops or adds a negation"


@cases(
    "said, why",
    [
        ({"becomes": "said", "line": "L000000"}, NO_LINE),
        ({"place": "P000000"}, NO_PLACE),
        ({"place": "../.git/hooks/pre-commit"}, NO_PLACE),
        ({"becomes": "joins", "joins": ["R000000"]}, NO_RULE),
        ({"becomes": "joins"}, NO_RULE),
        ({"becomes": "replaces", "line": FAKES, "wording": MOCKS}, NEGATED),
    ],
)
def test_what_was_not_shown_falls_back(said: dict[str, object], why: str) -> None:
    """The rule goes where our own ranking puts it, and the reason is kept; the rest of the answer counts."""
    one, other = case(), case("Log in one language only.")
    verdicts = read_verdicts(
        answer(entry(one, **said), entry(other, "nowhere")),  # type: ignore[arg-type]
        [one, other],
        check=no_objection,
    )
    assert [(found.becomes, found.why) for found in verdicts] == [(Becomes.UNUSABLE, why), (Becomes.NOWHERE, "")]


def test_a_contradiction_stays_one_whatever_its_wording() -> None:
    """Nothing is written below its opposite because a model worded the line badly: the rule's own words are shown."""
    one = case()
    found = read(one, entry(one, "contradicts", line=FAKES, wording=MOCKS))
    assert (found.becomes, found.line, found.content) == (Becomes.CONTRADICTS, FAKES, "")


def test_two_verdicts_and_none_fall_back() -> None:
    """Nobody knows which of two was meant; a rule that was left out is not asked about again."""
    one, other = case(), case("Log in one language only.")
    verdicts = read_verdicts(
        answer(entry(one, place="AGENTS.md"), entry(one, "nowhere", weakens=True)), [one, other], check=no_objection
    )
    assert [found.why for found in verdicts] == [
        "the answer has several verdicts for this rule",
        "the answer has no verdict for this rule",
    ]
    assert [found.weakens for found in verdicts] == [True, False]


@cases(
    "wording, is_taken",
    [
        pytest.param("In tests, never mock the harbour database.", True, id="order"),
        pytest.param("Do not mock the harbour database in tests.", True, id="another negation"),
        pytest.param("Mock the harbour database in tests.", False, id="negation dropped"),
        pytest.param("Never test; mock the harbour database.", False, id="something else negated"),
        pytest.param("Never mock the harbour database in tests of `api/v2`.", False, id="path added"),
        pytest.param("Never mock the harbour database in 3 tests.", False, id="number added"),
        pytest.param("Never mock the harbour database, only in tests.", False, id="limit added"),
        pytest.param("Never mock the harbour database in tests. " * 7, False, id="too long"),
    ],
)
def test_a_wording_says_what_was_said(wording: str, is_taken: bool) -> None:
    """Words that add or lose a negation, limit, number, path or name are not taken; the place still is."""
    one = case()
    found = read(one, entry(one, place="AGENTS.md", wording=wording))
    assert (found.content == wording.strip()) is is_taken
    assert found.becomes is Becomes.NEW


@cases(
    "known",
    [
        pytest.param("mock the harbour database in tests", id="the other way round"),
        pytest.param("Never mock more than 2 of the 14 harbour databases in tests.", id="numbers"),
    ],
)
def test_what_differs_is_not_joined(known: str) -> None:
    """Whatever a model says: rules that differ in a negation alone, or in their numbers, are two."""
    one = case("Never mock more than 3 harbour databases." if "14" in known else RULE, known)
    assert "but" in read(one, entry(one, "joins", joins=[known])).why


def test_an_answer_to_another_question_is_none() -> None:
    """Other names all through, too many entries, another shape: nothing is taken from it."""
    one = case()
    strange = entry(one) | {"rule": "R123456"}
    for text in (
        answer(strange),
        answer(*[entry(one, place="AGENTS.md")] * 4),
        json.dumps({"placed": []}),
        answer(entry(one) | {"becomes": "perhaps"}),
        answer(entry(one) | {"mood": "fine"}),
    ):
        with pytest.raises(ModelError):
            read_verdicts(text, [one], check=no_objection)


def test_what_is_kept_gives_the_same_verdicts() -> None:
    """Of an answer that was paid for the usable part is kept, without anything else that it said."""
    one, other = case(RULE, "the harbour is not mocked"), case("Log in one language only.")
    before = read_verdicts(
        answer(
            entry(one, "joins", joins=["the harbour is not mocked"], place="AGENTS.md", heading="Style"),
            entry(other, "replaces", line="Log in English only", wording="Log in one language only."),
        ),
        [one, other],
        check=no_objection,
    )
    kept = written_verdicts(before, [one, other])
    assert read_verdicts(kept, [one, other], check=no_objection) == before
