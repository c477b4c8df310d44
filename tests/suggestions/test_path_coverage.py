"""Which files the cited paths speak for."""

from __future__ import annotations

import pytest

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.repo_paths import Territories, Tracked

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
