"""Paths that a text names."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.suggestions.ranking.repo_paths import Tracked

_PATHS = ["src/api/users.ts", "src/api/index.ts", "src/web/index.ts", "src/jobs/index.ts", "lib/index.ts", "Makefile"]


@cases(
    ("text", "expected"),
    [
        pytest.param("Keep `src/api/users.ts` small", ["src/api/users.ts"], id="whole-path"),
        pytest.param("Keep `users.ts` small.", ["src/api/users.ts"], id="unique-name"),
        pytest.param("See api/users.ts", ["src/api/users.ts"], id="end-of-a-path"),
        pytest.param("Handlers in `src/api/` return JSON", ["src/api/_"], id="folder"),
        pytest.param("Everything below `src/web/**` is public", ["src/web/_"], id="pattern"),
        pytest.param("Keep index.ts short", [], id="name-of-too-many"),
        pytest.param("The api must be fast", [], id="word-that-is-a-folder"),
        pytest.param("Keep the jobs folder flat", ["src/jobs/_"], id="said-to-be-a-folder"),
        pytest.param("Nothing in the directory `web` is secret", ["src/web/_"], id="a-folder-in-code"),
        pytest.param("Put it into another folder", [], id="any-folder"),
        pytest.param("Read docs/missing.md", [], id="unknown"),
        pytest.param("", [], id="empty"),
    ],
)
def test_named_in(text: str, expected: list[str]) -> None:
    """Only what is surely meant counts as named."""
    assert Tracked(_PATHS).named_in(text) == expected


def test_cited_folders() -> None:
    """A folder that is cited stands for the files inside it."""
    cited = ["src/api", "src/api/", "lib/", "src/api/users.ts", "api", "Makefile", "/"]
    assert Tracked(_PATHS).as_files(cited) == [
        *("src/api/_", "src/api/_", "lib/_", "src/api/users.ts", "api", "Makefile", "/")
    ]
