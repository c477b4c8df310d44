"""Which notices there are, and what they say."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.core.config import Mode
from memsuggest.core.model import Edit, MemoryFact, MemorySuggestion, TargetType
from memsuggest.suggestions.status_report import notices_of


def suggestions(count: int) -> list[MemorySuggestion]:
    return [
        MemorySuggestion(
            id=f"{number:x}abcdef0123",
            fact=MemoryFact(id=str(number), content=f"Rule {number}", confidence=0.9, timestamp=0),
            target_type=TargetType.INSTRUCTIONS,
            suggested_merge_content="",
            edit=Edit(path="AGENTS.md", before="", after="x"),
        )
        for number in range(1, count + 1)
    ]


@cases(
    ("mode", "count", "is_end", "lines"),
    [
        pytest.param(
            Mode.EAGER,
            2,
            False,
            [
                "Learned: 'Rule 1' → review with `memsuggest show 1abcdef`",
                "Learned: 'Rule 2' → review with `memsuggest show 2abcdef`",
            ],
            id="eager-one-each",
        ),
        # eager-many-at-once
        (Mode.EAGER, 9, False, ["9 suggestions to improve your customizations → review with `memsuggest review`"]),
        pytest.param(Mode.OCCASIONAL, 4, False, [], id="occasional-too-few"),
        # occasional-five
        (Mode.OCCASIONAL, 5, False, ["5 suggestions to improve your customizations → review with `memsuggest review`"]),
        # occasional-at-the-end
        (Mode.OCCASIONAL, 1, True, ["1 suggestion to improve your customizations → review with `memsuggest review`"]),
        pytest.param(Mode.MANUAL, 9, True, [], id="manual-never"),
        pytest.param(Mode.OFF, 9, True, [], id="off-never"),
        pytest.param(Mode.EAGER, 0, True, [], id="eager-nothing"),
        pytest.param(Mode.OCCASIONAL, 0, True, [], id="occasional-nothing"),
    ],
)
def test_notices(mode: Mode, count: int, is_end: bool, lines: list[str]) -> None:
    """The mode says when, and each suggestion is named by one notice."""
    fresh = suggestions(count)
    notices = notices_of(mode, fresh, is_end=is_end)
    assert [notice.line for notice in notices] == lines
    named = [name for notice in notices for name in notice.suggestions]
    assert named == ([suggestion.id for suggestion in fresh] if lines else [])
