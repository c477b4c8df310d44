"""A line keeps the person's own words."""

from __future__ import annotations

from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.judging.offline.lasting import LIMIT, as_line, capitalised


@cases(
    ("said", "line"),
    [
        ("ok so please use tabs, thanks", "Use tabs."),
        ("and btw, never mock the clock :)", "Never mock the clock."),
        ("no, pnpm everywhere", "Pnpm everywhere."),
        ("no mocks in tests", "No mocks in tests."),
        ("non-root users only", "non-root users only."),
        ("from now on, please use uv", "Use uv."),
        ("use uv, from now on", "Use uv."),
        ("Merke dir: Branches heißen nach dem Ticket", "Branches heißen nach dem Ticket."),
        ("Recuerda: los commits van en inglés", "Los commits van en inglés."),
        ("remember that we use uv", "We use uv."),
        ("please add a rule to AGENTS.md to always run the linter", "Always run the linter."),
        ("so let it throw, don't catch it there", "Let it throw, don't catch it there."),
        ("don't use child_process directly, use the runner", "Don't use child_process directly, use the runner."),
        ("use `dont` as the flag", "Use `dont` as the flag."),
        ("**never** mock the database", "Never mock the database."),
        ("バージョンは固定する", "バージョンは固定する。"),
        ("never put [REDACTED:token] into the log", "Never put [REDACTED:token] into the log."),
    ],
)
def test_only_what_says_nothing_goes(said: str, line: str) -> None:
    """A filler in front and thanks behind; no pronoun is resolved, no clause cut off."""
    assert as_line(said) == line


@given(st.text(max_size=400))
def test_any_text_becomes_one_short_line(said: str) -> None:
    """Whatever was typed: one line within the limit, whose words were all said."""
    line = as_line(said)
    assert "\n" not in line
    assert len(line) <= LIMIT + 2


def test_names_keep_their_letters() -> None:
    """A name or code in front is no word to capitalise."""
    assert [capitalised(one) for one in ("go.mod is generated", "`x` is y", "iOS first")] == [
        "go.mod is generated",
        "`x` is y",
        "iOS first",
    ]
