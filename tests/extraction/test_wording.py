"""Wording: from what people type to rules that stand alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.extraction.wording import LIMIT, word

SAID = datetime(2026, 3, 4, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        pytest.param(
            "ok so please always squash before merging, thanks!", "Always squash before merging.", id="small words"
        ),
        pytest.param("no, don't mock the clock", "Do not mock the clock.", id="no and don't"),
        pytest.param("no mocks for the clock please", "No mocks for the clock.", id="a no that is the rule"),
        pytest.param("no, always wait for the lock first", "Always wait for the lock first.", id="wait is what to do"),
        pytest.param(
            "for handlers, I now want you to return early", "For handlers, return early.", id="a wish after its place"
        ),
        pytest.param(
            "i'd like for you to write a comment that says who owns each table",
            "Write a comment that says who owns each table.",
            id="a comment is the rule, not what it says",
        ),
        pytest.param("it's a bun workspace, so no lock of npm", "This is a bun workspace, so no lock of npm.", id="it"),
        pytest.param("wait, keep the lock", "Keep the lock.", id="wait is a call"),
        pytest.param("Non-root users only", "Non-root users only.", id="a prefix is no answer"),
        pytest.param("i'd like to see types in every signature", "Include types in every signature.", id="to see"),
        pytest.param("i prefer that you use tuples", "Use tuples.", id="prefer that you"),
        pytest.param("we want test names to say what fails", "Test names should say what fails.", id="want them to"),
        pytest.param("keep imports sorted, would you?", "Keep imports sorted.", id="would you"),
        pytest.param("it's single quotes now", "Use single quotes.", id="a bare kind of thing"),
        pytest.param("For one, use short names", "Use short names.", id="for one"),
        pytest.param("can you always run the linter first?", "Always run the linter first.", id="can you"),
        pytest.param("I want you to keep functions short", "Keep functions short.", id="I want you to"),
        pytest.param("i'd like you to answer in French", "Answer in French.", id="I'd like"),
        pytest.param("we should never log tokens", "Never log tokens.", id="we should"),
        pytest.param("you must not touch generated files", "Do not touch generated files.", id="you must not"),
        pytest.param("we use ruff for linting", "Use ruff for linting.", id="we use"),
        pytest.param("we only depend on the standard library", "Only depend on the standard library.", id="we only"),
        pytest.param("we never call the API in tests", "Never call the API in tests.", id="we never"),
        pytest.param("we don't want barrel files", "Avoid barrel files.", id="we don't want"),
        pytest.param("i hate factories", "Avoid factories.", id="I hate"),
        pytest.param("i prefer tuples over lists", "Prefer tuples over lists.", id="I prefer"),
        pytest.param("make sure to pin versions", "Pin versions.", id="make sure to"),
        pytest.param("make sure versions are pinned", "Make sure versions are pinned.", id="make sure that"),
        pytest.param("don't forget to bump the version", "Bump the version.", id="don't forget"),
        pytest.param("from now on, use spaces", "Use spaces.", id="from now on"),
        pytest.param("it's important that names are short", "Names are short.", id="it's important that"),
        pytest.param("add a rule that says handlers return early", "Handlers return early.", id="add a rule"),
        pytest.param("update the style guide to say that names are short", "Names are short.", id="update the guide"),
        pytest.param(
            "switch the prefix of jobs from j_ to job_", "Use job_ instead of j_ for the prefix of jobs.", id="switch"
        ),
        pytest.param(
            "always ask me before you delete data", "Always ask the user before you delete data.", id="ask me"
        ),
        pytest.param("don't commit unless I ask for it", "Do not commit unless asked.", id="unless asked"),
        pytest.param("i really like short names", "Prefer short names.", id="I like"),
        pytest.param("dont use lambdas", "Do not use lambdas.", id="spelling"),
        pytest.param(
            "follow dont-panic.md in errors", "Follow dont-panic.md in errors.", id="names keep their spelling"
        ),
        pytest.param("use `dont` as the flag", "Use `dont` as the flag.", id="code keeps its spelling"),
        pytest.param("**Always** use _small_ steps", "Always use small steps.", id="emphasis"),
        pytest.param("main.go only wires things", "main.go only wires things.", id="names keep their case"),
        pytest.param("gRPC calls need a deadline", "gRPC calls need a deadline.", id="inner capitals"),
        pytest.param("# use tabs", "Use tabs.", id="block marks"),
        pytest.param("tests go to t/ (not src", "Tests go to t/.", id="open bracket"),
        pytest.param("テストは必ず書く", "テストは必ず書く。", id="japanese"),
        pytest.param("No uses var, usa const.", "No uses var, usa const.", id="spanish no"),
        pytest.param("Nein, bitte immer Tabs verwenden", "Immer Tabs verwenden.", id="german"),
        pytest.param("responda para me ajudar", "Responda para me ajudar.", id="no English pronouns in Portuguese"),
    ],
)
def test_contents(quote, content):
    """Residue goes, wishes become orders, names and meaning stay."""
    assert word(quote).content == content


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        pytest.param("you forgot the licence header", "Do not forget the licence header.", id="forgot"),
        pytest.param("you forgot to run the tests", "Run the tests.", id="forgot to"),
        pytest.param("you left out the docstring", "Do not leave out the docstring.", id="left out"),
        pytest.param("you didn't run the formatter", "Run the formatter.", id="didn't"),
        pytest.param("you are not adding tests for new code", "Add tests for new code.", id="not adding"),
        pytest.param("you keep reverting my edits", "Do not revert the user's edits.", id="keep"),
        pytest.param("stop adding comments to everything", "Do not add comments to everything.", id="stop"),
        pytest.param("you're editing the vendored files", "Do not edit the vendored files.", id="are editing"),
        pytest.param("why did you delete the fixtures?", "Do not delete the fixtures.", id="why did you"),
        pytest.param("why didn't you update the changelog?", "Update the changelog.", id="why didn't you"),
        pytest.param("i didn't ask you to add a cache", "Do not add a cache unless asked.", id="not asked"),
        pytest.param(
            "no, i only wanted you to write a plan, not start coding",
            "When asked to write a plan, only do that: do not start coding.",
            id="only wanted",
        ),
        pytest.param(
            "you edited the spec in the main checkout, not the worktree",
            "Edit the spec in the worktree, not in the main checkout.",
            id="place",
        ),
        pytest.param("no, pnpm not npm", "Use pnpm not npm.", id="bare choice"),
        pytest.param("pnpm instead of npm", "Use pnpm instead of npm.", id="instead of"),
        pytest.param(
            "headings use sentence case, not title case",
            "Headings use sentence case, not title case.",
            id="a telling is no choice",
        ),
    ],
)
def test_complaints(quote, content):
    """What went wrong becomes what to do, or what not to do."""
    assert word(quote).content == content


@pytest.mark.parametrize(
    "quote",
    [
        "no, the other way round",
        "you're in the wrong folder",
        "why did you do that?",
        "you forgot it",
        "use those",
        "it must be small",
        "must fail the run, not warn",
        "wait why is there a sleep in the test",
        "we will first fix the errors",
        "merge main and check if that fixes it",
        "the run 0b1c2d3e-1111-2222-3333-444455556666 must stay",
        "clean up the rules in AGENTS.md",
        "ok",
        "",
    ],
)
def test_what_cannot_stand_alone(quote):
    """Nothing is worded where nobody could know what is meant."""
    assert word(quote).content == ""


@pytest.mark.parametrize(
    ("quote", "before", "heard", "content"),
    [
        pytest.param(
            "start them with x_",
            "When you write functions, be consistent.",
            "",
            "Start functions with x_.",
            id="plural",
        ),
        pytest.param(
            "prefix it with z_", "Every variable has a type.", "", "Prefix the variable with z_.", id="singular"
        ),
        pytest.param(
            "they should be lower case",
            "Look at the table names.",
            "",
            "Table names should be lower case.",
            id="subject",
        ),
        pytest.param(
            "it's 'ab_' now",
            "Do you remember the prefix for functions?",
            "",
            "The prefix for functions is 'ab_' now.",
            id="a bare value",
        ),
        pytest.param(
            "start them with m_",
            "There is a rule.",
            "And attributes?",
            "Start attributes with m_.",
            id="from the other side",
        ),
        pytest.param(
            "keep it in sync", "The schema is in db/schema.sql.", "", "Keep the schema in sync.", id="definite"
        ),
        pytest.param(
            "it must never be empty",
            "Config comes from app.toml.",
            "",
            "Config comes from app.toml. It must never be empty.",
            id="both sentences",
        ),
    ],
)
def test_pronouns(quote, before, heard, content):
    """A pronoun gets the noun that was said right before, or the sentence that has it."""
    worded = word(quote, before=before, heard=heard)
    assert worded.content == content
    assert worded.leans


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("skip the e2e suite because it costs money", "it costs money"),
        ("never cache tokens, otherwise logins break", "logins break"),
        ("use UTC so that logs can be compared", "logs can be compared"),
        ("don't run the CI, too slow", "too slow"),
        ("Nimm pnpm, weil npm die Links nicht kennt", "npm die Links nicht kennt"),
        ("since yesterday it fails", ""),
        ("use tabs", ""),
    ],
)
def test_reasons(quote, reason):
    """A given reason is kept beside the rule."""
    assert word(quote).reason == reason


def test_a_long_reason_leaves_the_content():
    """In a long sentence the reason stands apart only."""
    quote = (
        (
            "always write the migration as two steps, one that adds the column and one that fills it in the "
            "background, because "
        )
        + "the table is large and " * 4
        + "locks hurt"
    )
    worded = word(quote)
    assert "because" not in worded.content
    assert worded.reason.endswith("locks hurt")


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("v1 stays until the end of the year", "v1 stays until the end of 2026."),
        ("freeze main until friday", "Freeze main until 2026-03-06."),
        ("support v1 until next month", "Support v1 until April 2026."),
        ("keep both APIs this year", "Keep both APIs 2026."),
        ("no deploys tomorrow", "No deploys 2026-03-05."),
        ("only bugfixes until the end of march", "Only bugfixes until the end of March 2026."),
        ("pnpm since january, no more yarn", "Pnpm since January 2026, no more yarn."),
        ("v1 goes away by february", "v1 goes away by February 2027."),
        ("code freeze this friday, no merges", "Code freeze 2026-03-06, no merges."),
        ("the beta api went away two weeks ago", "The beta api went away on 2026-02-18."),
        ("node 18 was dropped a month ago", "Node 18 was dropped in February 2026."),
    ],
)
def test_dates_are_absolute(quote, content):
    """What holds relative to the day it was said names its day."""
    worded = word(quote, said=SAID)
    assert worded.content == content
    assert worded.named


@given(st.text(max_size=400), st.text(max_size=200))
def test_contents_are_short_lines(quote, before):
    """Whatever was typed, a content is one line within its limit."""
    content = word(quote, before=before, said=SAID).content
    assert "\n" not in content
    assert len(content) <= LIMIT + 3
