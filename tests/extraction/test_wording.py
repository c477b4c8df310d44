"""A wording is never worse than the person's own sentence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import cases
from hypothesis import assume, given
from hypothesis import strategies as st

from memsuggest.extraction.wording import LIMIT, capitalised, in_third_person, word
from memsuggest.text.words import word_set


@cases(
    ("said", "content"),
    [
        pytest.param("use tabs", "Use tabs.", id="a plain order"),
        pytest.param("ok so please use tabs, thanks", "Use tabs.", id="greetings and thanks go"),
        pytest.param("no, pnpm everywhere", "Pnpm everywhere.", id="an objection goes"),
        pytest.param("no mocks in tests", "No mocks in tests.", id="a prohibition stays"),
        pytest.param("non-root users only", "non-root users only.", id="a hyphen sets nothing off"),
        pytest.param("Can you always run the linter?", "Always run the linter.", id="an order in a question"),
        pytest.param("we always squash", "Always squash.", id="we always"),
        pytest.param("we never push to main", "Never push to main.", id="we never"),
        pytest.param("from now on, use uv", "Use uv.", id="from now on, first"),
        pytest.param("use uv, from now on", "Use uv.", id="from now on, last"),
        pytest.param("I want you to keep functions short", "Keep functions short.", id="a wish for you"),
        pytest.param("you must not edit generated files", "Do not edit generated files.", id="must not"),
        pytest.param("dont use lambdas", "Don't use lambdas.", id="the apostrophe"),
        pytest.param("use `dont` as the flag", "Use `dont` as the flag.", id="code is left alone"),
        pytest.param("**never** mock the database :)", "Never mock the database.", id="marks and smileys"),
        pytest.param(
            "update AGENTS.md to never use default exports",
            "Never use default exports.",
            id="what is to be written down",
        ),
        pytest.param("バージョンは固定する", "バージョンは固定する。", id="another script's full stop"),
    ],
)
def test_what_is_sure_is_changed(said: str, content: str) -> None:
    """Only what cannot change the meaning is taken off."""
    assert word(said).content == content


@cases(
    ("said", "content"),
    [
        ("so then don't we NOT want go.work at all", "So then don't we NOT want go.work at all."),
        ("you didn't change the dockerfile", "You didn't change the dockerfile."),
        ("we don't need to transpile to use typescript", "We don't need to transpile to use typescript."),
        ("we want test names to say what fails", "We want test names to say what fails."),
        ("it's single quotes now", "It's single quotes now."),
        ("non si usano i tab", "Non si usano i tab."),
    ],
)
def test_the_persons_own_sentence_stands(said: str, content: str) -> None:
    """Where a change would not be sure, nothing is changed."""
    assert word(said).content == content


@cases("said", ["do that again", "don't do it", "fix this", "explain it:", "that is wrong"])
def test_it_says_that_it_does_not_stand_alone(said: str) -> None:
    """What points at something that it does not name is no rule by itself."""
    assert word(said).unclear


def test_it_leans_on_the_sentence_before() -> None:
    """Where the sentence before names the thing, both are the rule, and both are evidence."""
    worded = word("never edit them by hand", before="files in gen/ are generated")
    assert (worded.content, worded.leans) == ("Files in gen/ are generated. Never edit them by hand.", True)


@cases("before", ["", "why is it red?", "it is red", "x" * 200])
def test_it_leans_on_nothing_vague(before: str) -> None:
    """A question, another pronoun, or a long story names nothing."""
    worded = word("never edit them by hand", before=before)
    assert (worded.leans, bool(worded.unclear)) == (False, True)


@cases(
    ("said", "third"),
    [
        ("I prefer short answers.", "The user prefers short answers."),
        ("I'm new to Rust.", "The user is new to Rust."),
        ("I usually work on Linux.", "The user usually works on Linux."),
        ("I like it when you ask me.", "I like it when you ask me."),
        ("Use tabs.", "Use tabs."),
    ],
)
def test_third_person(said: str, third: str) -> None:
    """A personal fact is about the user, unless it says more of oneself."""
    assert in_third_person(said) == third


@cases(
    ("said", "content"),
    [
        ("v1 stays until the end of the year", "V1 stays until the end of 2026."),
        ("freeze main until friday", "Freeze main until 2026-03-06."),
        ("support v1 until next month", "Support v1 until April 2026."),
        ("pnpm since january, no more yarn", "Pnpm since January 2026, no more yarn."),
        ("node 18 was dropped a month ago", "Node 18 was dropped in February 2026."),
    ],
)
def test_dates_are_absolute(said: str, content: str) -> None:
    """What only holds on the day it was said names its date."""
    worded = word(said, said=datetime(2026, 3, 4, tzinfo=UTC))
    assert worded.content.lower() == content.lower()
    assert worded.named


@cases(
    ("said", "reason"),
    [
        ("skip the e2e suite because it costs money", "it costs money"),
        ("use UTC so that logs can be compared", "logs can be compared"),
        ("don't run the CI, too slow", "too slow"),
        ("use tabs", ""),
    ],
)
def test_the_reason_is_known_and_stays(said: str, reason: str) -> None:
    """The reason is told apart, and stays in the sentence."""
    worded = word(said)
    assert worded.reason == reason
    assert reason in worded.content


def test_a_long_sentence_is_cut_at_a_word() -> None:
    """A content is a line, however long the sentence."""
    content = word("use " + "tabs and " * 200).content
    assert len(content) <= LIMIT + 2
    assert content.endswith(("tabs \u2026", "and \u2026"))


WORDS = st.sampled_from(
    sorted(
        word_set("ok so no not never always please we you should use tabs don't all only can the it that every I want")
    )
)


@given(st.lists(WORDS, min_size=3, max_size=9))
def test_nothing_turns_round(words: list[str]) -> None:
    """Negations and quantifiers are as many as the person said, but for an objection that opens the sentence."""
    said = " ".join(words)
    content = word(said).content.lower()
    assume(content)  # a word alone says nothing
    assert sum(content.count(one) for one in ("never", "n't", " not")) >= sum(
        said.count(one) for one in ("never", "n't", " not")
    )
    for quantifier in ("always", "every", "only"):
        assert content.split().count(quantifier) + content.count(f"{quantifier}.") >= said.split().count(quantifier)


def test_names_keep_their_letters() -> None:
    """The first letter becomes a capital, but for code and names."""
    assert [capitalised(one) for one in ("use tabs", "go.mod stays", "iOS first", "`x` is y")] == [
        "Use tabs",
        "go.mod stays",
        "iOS first",
        "`x` is y",
    ]


@cases(
    ("said", "rule"),
    [
        ("is there a way we can improve the release rule to make sure you always tag first?", "Always tag first."),
        ("add a rule that you should never touch vendor/", "Never touch vendor/."),
        (
            "let's update AGENTS.md but make sure that agents ask before the slow tests",
            "Agents ask before the slow tests.",
        ),
        ("add this to AGENTS.md: never log request bodies", "Never log request bodies."),
        ("also note that as a rule, handlers stay free of SQL", "Handlers stay free of SQL."),
        (
            "update the docs rule to specify how to go on with a session",
            "Update the docs rule to specify how to go on with a session.",
        ),
    ],
)
def test_a_rule_that_is_to_be_written_down_is_the_rule(said: str, rule: str) -> None:
    """What was asked around it goes; where no rule follows, the sentence stands."""
    assert word(said).content == rule


@cases(
    "said",
    [
        "I don't want him to edit the changelog",
        "this should... the ticket lives in the repo",
        "check it each time this happens",
    ],
)
def test_a_sentence_about_somebody_unnamed_does_not_stand(said: str) -> None:
    """It is kept aside at most."""
    assert word(said).unclear
