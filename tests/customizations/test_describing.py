"""Descriptions in an author's own words."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.lint.file_lints import described

CASES = [
    pytest.param("# T\n\nShips **main** to `staging`. Then more.\n", "Ships main to staging.", id="first sentence"),
    pytest.param(
        "# T\n\nRead [the guide](docs/guide.md) before a release.", "Read the guide before a release.", id="link"
    ),
    pytest.param("# Release notes\n\n- write them\n", "Use when the task is about release notes", id="title"),
    pytest.param("# API keys\n\nShort.\n", "Use when the task is about API keys", id="abbreviation"),
    pytest.param(
        "# T\n\n<x>is markup of some kind</x>\n\nIt checks the links of all pages.\n",
        "It checks the links of all pages.",
        id="tags",
    ),
    pytest.param("- only a list\n", "Use when the task is about make a release", id="folder"),
]


@cases(("body", "words"), CASES)
def test_described(body: str, words: str) -> None:
    """The first sentence that tells something, else the title, else the skill's folder."""
    assert described(target_from(".github/skills/make-a-release/SKILL.md", body)) == words
