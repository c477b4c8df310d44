"""Hook wishes: only commands that the person typed, only where something is to run by itself."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.core.model import Citation, MemoryFact, Trust
from memsuggest.suggestions.hook_wishes import HookWish, wish_of


def fact(content: str, quote: str | None = None, *, trust: Trust = Trust.TYPED) -> MemoryFact:
    citation = Citation(session_id="s", turn=1, quote=content if quote is None else quote, trust=trust)
    return MemoryFact(id="f", content=content, confidence=0.9, citations=(citation,), timestamp=1)


@cases(
    ("content", "event", "command"),
    [
        ("Every time you edit a Go file, run `gofmt -w .`", "PostToolUse", "gofmt -w ."),
        ("After every change automatically run `make lint`.", "PostToolUse", "make lint"),
        ("Every time you change a test run `npm run lint` and tell me", "PostToolUse", "npm run lint"),
        ("After every edit run `go vet ./...` please", "PostToolUse", "go vet ./..."),
        ("After every edit run the tests with `a && b`", "PostToolUse", "a && b"),
        ("Before you finish, automatically run `npm test`", "Stop", "npm test"),
        ("At the end of every turn automatically run `make check`", "Stop", "make check"),
        ("Automatically run `./setup.sh` at session start", "SessionStart", "./setup.sh"),
        ("Before every edit, run `git stash list`", "PreToolUse", "git stash list"),
        ("Automatically run `save-notes` before you compact", "PreCompact", "save-notes"),
        ("Nach jeder Änderung automatisch: führe `make lint` aus", "PostToolUse", "make lint"),
    ],
)
def test_wishes(content: str, event: str, command: str) -> None:
    """What is to be run automatically, and when."""
    assert wish_of(fact(content)) == HookWish(event=event, command=command)


@cases(
    "content",
    [
        pytest.param("Run `make lint` before committing", id="a habit"),
        pytest.param("Use `pnpm`", id="a tool"),
        pytest.param("Every time you edit, run the linter", id="prose is no command"),
        pytest.param("Every time you edit, run scripts/check.sh", id="no code span"),
        pytest.param("Always run tests", id="no event"),
        pytest.param("Whenever we deploy, run `make smoke`", id="no event of an assistant"),
        pytest.param("After every release run `make notes`", id="nothing that a host knows of"),
        pytest.param("Every time you edit, run `use [REDACTED:secret]`", id="a secret was in it"),
        pytest.param("Every time you edit, run `a\u200bb`", id="an invisible character"),
    ],
)
def test_what_is_no_hook(content: str) -> None:
    """A habit is a rule, and nothing is a command without a code span."""
    assert wish_of(fact(content)) is None


@cases("trust", [trust for trust in Trust if trust is not Trust.TYPED])
def test_only_what_was_typed_runs(trust: Trust) -> None:
    """No command comes from an assistant, a page, a shared file or a transcript of somebody else's."""
    assert wish_of(fact("Every time you edit, run `make lint`", trust=trust)) is None


@cases(
    "quote",
    [
        pytest.param("every time you edit, run the linter", id="not there"),
        pytest.param("every time you edit, run make lint-all", id="a part of a longer word"),
        pytest.param("every time you edit, run ./make lint", id="the end of a path"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_command_that_was_not_typed_is_none(quote: str) -> None:
    """The command must stand in the person's own words as it is."""
    assert wish_of(fact("Every time you edit, run `make lint`", quote)) is None


def test_a_plain_command_may_be_put_into_a_code_span() -> None:
    """What was typed without marks is the same command with them."""
    wish = wish_of(fact("Every time you edit, run `make lint`.", "every time you edit run make lint, ok?"))
    assert wish == HookWish(event="PostToolUse", command="make lint")


def test_a_fact_without_quotes_runs_nothing() -> None:
    """The shared file holds no quotes: from there comes no hook."""
    shared = MemoryFact(id="f", content="Every time you edit, run `make lint`", confidence=1.0, timestamp=1)
    assert wish_of(shared) is None


@cases("pump", ["run ", "a/", "every time edit ", "`x", "run `", "-x "])
def test_long_texts_take_linear_time(pump: str) -> None:
    """A text of 100 KB is read in well under a second."""
    wish_of(fact("every time you edit run " + pump * (100_000 // len(pump)), "x"))
