"""Which notices there are, and what they say."""

from __future__ import annotations

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


LEARNED = [f"Learned: 'Rule {number}' → review with `memsuggest show {number}abcdef`" for number in (1, 2)]
MANY = "{} to improve your customizations → review with `memsuggest review`"


@cases(
    ("mode", "count", "is_end", "lines"),
    [
        (Mode.EAGER, 2, False, LEARNED),
        (Mode.EAGER, 9, False, [MANY.format("9 suggestions")]),
        (Mode.OCCASIONAL, 4, False, []),  # too few
        (Mode.OCCASIONAL, 5, False, [MANY.format("5 suggestions")]),
        (Mode.OCCASIONAL, 1, True, [MANY.format("1 suggestion")]),
        (Mode.MANUAL, 9, True, []),
        (Mode.OFF, 9, True, []),
        (Mode.EAGER, 0, True, []),
        (Mode.OCCASIONAL, 0, True, []),
    ],
)
def test_notices(mode: Mode, count: int, is_end: bool, lines: list[str]) -> None:
    """The mode says when, and each suggestion is named by one notice."""
    fresh = suggestions(count)
    notices = notices_of(mode, fresh, is_end=is_end)
    assert [notice.line for notice in notices] == lines
    named = [name for notice in notices for name in notice.suggestions]
    assert named == ([suggestion.id for suggestion in fresh] if lines else [])
