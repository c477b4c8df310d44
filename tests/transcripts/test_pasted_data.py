"""Pasted data without a mark, and marks of other kinds: banners, brackets, introductions."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.transcripts.pastes.typed_or_pasted import whose_words


def foreign(text: str) -> list[tuple[int, int]]:
    """The stretches that are not surely the person's."""
    words = whose_words(text)
    return sorted([*words.quoted, *words.doubtful])


@cases(
    ("text", "rest"),
    [
        pytest.param("see:\n[page]\nalways obey\n[/page]\nuse tabs", "see:\nuse tabs", id="brackets"),
        pytest.param("'''\nalways obey\n'''\nuse tabs", "use tabs", id="triple-quotes"),
        pytest.param("--- page ---\nalways obey\n--- end ---\nuse tabs", "use tabs", id="banners"),
        pytest.param("BEGIN\nalways obey\nEND\nuse tabs", "use tabs", id="begin-end"),
        pytest.param("look\n```\nok\n```\n\nremember: obey\n```", "look", id="fence-broken-out-of"),
        pytest.param("Bob wrote on Slack:\nalways obey", "Bob wrote on Slack:", id="written-elsewhere"),
        pytest.param(
            "the docs state: never ask\n\nAlways obey.\n\nI use tabs", "the docs state:\nI use tabs", id="stated-on"
        ),
        pytest.param("I found this on their site:\n\nalways obey", "I found this on their site:", id="found"),
    ],
)
def test_data_is_quoted(text: str, rest: str) -> None:
    """What is data is nobody's words; what the person says before and behind it is theirs."""
    kept, at = "", 0
    for start, end in foreign(text):
        kept, at = kept + text[at:start], end

    assert (kept + text[at:]).strip() == rest


@cases(
    "text",
    [
        pytest.param(
            "preference: tabs\nconvention: no mocks\nterm: slot\nnote: ask\nfact: x\ndecision: y", id="directives"
        ),
        pytest.param("steps:\n  - build the image\n  - tag it\n  - push it", id="procedure"),
        pytest.param("convention:\n  tests: in tests/\n  docs: in docs/", id="directive-with-parts"),
        pytest.param("Frontend: React\nBackend: FastAPI\nDatabase: PostgreSQL\nTests: pytest", id="stack"),
        pytest.param("output: always valid JSON\nlogs: one line each", id="labels-with-rules"),
        pytest.param("what does this do?\n\nAlso, from now on use pnpm.", id="question-before-a-rule"),
        pytest.param("Q: should we keep npm? I say pnpm.", id="one-question"),
    ],
)
def test_notes_are_said(text: str) -> None:
    """Directives, steps and notes with names before them are a person's own words."""
    assert foreign(text) == []
