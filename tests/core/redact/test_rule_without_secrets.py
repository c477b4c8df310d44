"""A rule stays without the clauses in which something was redacted, and goes where none of it stands alone."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.redact import without_redacted
from memsuggest.core.redact.scan import MARK

SECRET = f"{MARK}secret]"


@cases(
    ("rule", "remains"),
    [
        pytest.param("Use pnpm.", "Use pnpm.", id="nothing was redacted"),
        pytest.param(f"Always use pnpm, and log in with {SECRET} for staging.", "Always use pnpm.", id="last clause"),
        pytest.param(f"Write commits in English, my token is {SECRET}", "Write commits in English", id="no full stop"),
        pytest.param(
            f"Run the smoke tests against staging (password {SECRET}) before every release.",
            "Run the smoke tests against staging before every release.",
            id="parentheses",
        ),
        pytest.param(f"Never commit a key such as {SECRET}.", "Never commit a key.", id="example"),
        pytest.param(f"Never push to main. The bot's key is {SECRET}.", "Never push to main.", id="last sentence"),
        pytest.param(f"The key is {SECRET}. Never push to main.", "Never push to main.", id="first sentence"),
        pytest.param(f"The key is {SECRET}. It expires in May. Use uv.", "Use uv.", id="what points back goes too"),
        (f"Use pnpm, log in with {SECRET}, never use npm.", "Use pnpm, never use npm."),
        pytest.param(f"Deploy with the token {SECRET}.", "", id="only clause"),
        pytest.param(f"Use {SECRET}, never the old one.", "", id="first clause"),
        pytest.param(f"When you deploy, use the token {SECRET}.", "", id="what is left leans on it"),
        pytest.param(f"Use Redis and Postgres with {SECRET}.", "", id="no clause of its own"),
    ],
)
def test_clauses_with_secrets_go(rule: str, remains: str) -> None:
    """Only whole clauses, sentences and parentheses go; what leans on them goes with them."""
    assert without_redacted(rule) == remains


@given(st.lists(st.sampled_from(["use", "pnpm", ", ", ". ", "and log in", SECRET, "(", ")", " ", "when", "such as "])))
def test_no_mark_ever_stays(parts: list[str]) -> None:
    """Whatever the words are, no mark remains, and doing it again changes nothing."""
    once = without_redacted(" ".join(parts))
    assert MARK not in once
    assert without_redacted(once) == once
