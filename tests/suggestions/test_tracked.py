"""Paths that a text names."""

from __future__ import annotations

import pytest

from memsuggest.suggestions.tracked import Tracked

_PATHS = ["src/api/users.ts", "src/api/index.ts", "src/web/index.ts", "src/jobs/index.ts", "lib/index.ts", "Makefile"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Keep `src/api/users.ts` small", ["src/api/users.ts"], id="whole-path"),
        pytest.param("Keep `users.ts` small.", ["src/api/users.ts"], id="unique-name"),
        pytest.param("See api/users.ts", ["src/api/users.ts"], id="end-of-a-path"),
        pytest.param("Handlers in `src/api/` return JSON", ["src/api/_"], id="folder"),
        pytest.param("Everything below `src/web/**` is public", ["src/web/_"], id="pattern"),
        pytest.param("Keep index.ts short", [], id="name-of-too-many"),
        pytest.param("The api must be fast", [], id="word-that-is-a-folder"),
        pytest.param("Read docs/missing.md", [], id="unknown"),
        pytest.param("", [], id="empty"),
    ],
)
def test_named_in(text: str, expected: list[str]) -> None:
    """Only what is surely meant counts as named."""
    assert Tracked(_PATHS).named_in(text) == expected
