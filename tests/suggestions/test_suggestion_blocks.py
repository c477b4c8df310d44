"""Suggestions as lines in the place of others: one block for each place, and what it shows is what it commits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.model import MemoryFact
from memsuggest.customizations.diff import line_change
from memsuggest.customizations.discovery import target_from
from memsuggest.pull_requests.comment_text import Block, ReviewProposal
from memsuggest.pull_requests.proposals import find_blocks, is_shown
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n\n## Testing\n\n- Tests live in tests/.\n"
RULES = [
    "Never mock the database in tests.",
    "Run the tests with `pytest -q`.",
    "Each test has a docstring.",
    "Build the image with `make image`.",
    "Use tabs in Makefiles.",
    "Name test files after the module that they test.",
]
ALL = (range(1, 1000),)


def proposal(rule: str, text: str = AGENTS, *, hunks: tuple[range, ...] = ALL) -> ReviewProposal:
    fact = MemoryFact(id=rule.encode().hex()[:16], content=rule, confidence=0.9, timestamp=0)
    made = suggest(fact, WorkspaceIndex([target_from("AGENTS.md", text)]), decided=frozenset())
    assert made is not None and not isinstance(made, AlreadySaid) and hasattr(made, "edit"), made
    change = line_change(made.edit)
    shown = change is not None and is_shown(change, hunks)
    return ReviewProposal(suggestion=made, why_here="", change=change, is_in_diff=shown)


def committed(text: str, blocks: tuple[Block, ...]) -> str:
    """What a file is after all blocks were committed together, as GitHub does it: by the lines of the old text."""
    lines = text.splitlines(keepends=True)
    for block in reversed(blocks):
        lines[block.change.first - 1 : block.change.last] = [f"{line}\n" for line in block.change.lines]
    return "".join(lines)


def test_rules_for_one_place_are_one_block() -> None:
    """Two rules for the same list come in one block, one below the other; each line is in one block at most."""
    (block,) = find_blocks([proposal(RULES[0]), proposal(RULES[2])], lambda _: ALL)
    assert (block.change.first, block.change.last) == (9, 9)
    assert block.change.lines == ("- Tests live in tests/.", f"- {RULES[0]}", f"- {RULES[2]}")
    assert [one.suggestion.content for one in block.proposals] == [RULES[0], RULES[2]]


def test_places_apart_are_blocks_apart() -> None:
    """Rules for two sections are two blocks."""
    blocks = find_blocks([proposal(RULES[0]), proposal(RULES[3])], lambda _: ALL)
    assert [block.change.first for block in blocks] == [5, 9]


@given(st.lists(st.sampled_from(RULES), min_size=1, unique=True), st.integers(1, 9), st.integers(0, 9))
def test_committed_together(rules: list[str], start: int, length: int) -> None:
    """Whatever the diff shows: blocks have no line in common, stay within it, and commit every rule once, none lost."""
    hunks = (range(start, start + length),)
    made = [proposal(rule, hunks=hunks) for rule in rules]
    blocks = find_blocks(made, lambda _: hunks)
    taken = [line for block in blocks for line in range(block.change.first, block.change.last + 1)]
    assert len(taken) == len(set(taken))
    assert set(taken) <= set(hunks[0])
    after = committed(AGENTS, blocks)
    told = [one.suggestion.content for block in blocks for one in block.proposals]
    for rule in rules:
        assert after.count(f"- {rule}\n") == (1 if rule in told else 0), after
    old = [line for line in AGENTS.splitlines() if line]
    assert [line for line in after.splitlines() if line in old] == old


@cases(
    "one",
    [
        pytest.param(proposal(RULES[0], hunks=()), id="outside-the-diff"),
        pytest.param(proposal(RULES[0], AGENTS.replace("\n", "\r\n")), id="line-ends"),
        replace(proposal(RULES[0]), suggestion=replace(proposal(RULES[0]).suggestion, executable=True)),  # executable
    ],
)
def test_no_block(one: ReviewProposal) -> None:
    """Outside the diff, for what assistants run, and where lines end otherwise, there is none."""
    assert find_blocks([one], lambda _: ALL) == ()


def test_one_hunk() -> None:
    """Lines of two hunks are no range that GitHub takes."""
    assert is_shown(replace(line_change(proposal(RULES[0]).suggestion.edit), first=4, last=9), [range(1, 10)])  # type: ignore[type-var]
    change = line_change(proposal(RULES[0]).suggestion.edit)
    assert change is not None
    assert not is_shown(replace(change, first=4, last=9), [range(1, 6), range(6, 12)])
