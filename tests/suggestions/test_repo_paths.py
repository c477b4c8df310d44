"""Paths that a text names, and the files that they speak for."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.repo_paths import Territories, Tracked

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


_TARGETS = [
    target_from("AGENTS.md", "# Root\n"),
    target_from("web/AGENTS.md", "# Web\n"),
    target_from("web/admin/AGENTS.md", "# Admin\n"),
    target_from(".github/instructions/py.instructions.md", '---\napplyTo: "**/*.py"\n---\n'),
    target_from(".github/instructions/all.instructions.md", '---\napplyTo: "**"\n---\n'),
]
_ADMIN, _WEB, _PY = 2, 1, 3


@pytest.fixture
def territories() -> Territories:
    """A root with two nested folders and instructions for Python."""
    return Territories(_TARGETS, local=[1, 2], root="/repo", tracked=Tracked(()))


def test_the_nearest_folder(territories: Territories) -> None:
    """A path is near to the deepest file above it."""
    assert territories.cover(["web/admin/users.ts"]).near == {_ADMIN: 1.0}


def test_apply_to(territories: Territories) -> None:
    """Instructions apply by their patterns; those for everything say nothing about a path."""
    assert territories.cover(["tools/build.py"]).applies == {_PY: 1.0}


@pytest.mark.parametrize("path", ["/repo/web/a.ts", "./web/a.ts", "web\\a.ts"], ids=["absolute", "dotted", "windows"])
def test_spellings(territories: Territories, path: str) -> None:
    """Absolute, dotted and Windows paths are the same file."""
    assert territories.cover([path]).near == {_WEB: 1.0}
