"""The pull request's comment: everything that is not ours is inert, it fits, and only what is new is marked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from cases import cases
from comment_kit import HOSTILE, assert_inert
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.model import Edit, LineChange, MemoryFact, MemorySuggestion, TargetType
from memsuggest.pull_requests.code_findings import render_rdjson
from memsuggest.pull_requests.comment_text import (
    MARKER,
    PullRequestReport,
    ReviewProposal,
    comment_body,
    fenced,
    page,
)
from memsuggest.pull_requests.proposals import find_blocks


def proposal(
    content: str = "Never mock the database.", *, name: str = "ab12", in_diff: bool = False, executable: bool = False
) -> ReviewProposal:
    fact = MemoryFact(id=f"f{name}", content=content, confidence=0.9, timestamp=0)
    before, after = "# Shop\n\n- Use pnpm.\n", f"# Shop\n\n- Use pnpm.\n- {content}\n"
    suggestion = MemorySuggestion(
        id=f"{name}0000000000",
        fact=fact,
        target_type=TargetType.HOOK if executable else TargetType.INSTRUCTIONS,
        target_uri="AGENTS.md",
        suggested_merge_content=f"- {content}\n",
        heading="Shop",
        why="it is loaded for every request",
        edit=Edit(path="AGENTS.md", before=before, after=after),
        executable=executable,
    )
    change = LineChange(first=3, last=3, lines=("- Use pnpm.", f"- {content}"))
    return ReviewProposal(
        suggestion=suggestion,
        why_here="the suggestion's file is among the changed files",
        change=change,
        is_in_diff=in_diff,
    )


def report(*proposals: ReviewProposal, elsewhere: int = 0) -> PullRequestReport:
    return PullRequestReport(base="main", proposals=proposals, elsewhere=elsewhere)


@cases("text", HOSTILE)
@cases("shape", [{}, {"in_diff": True}, {"executable": True}], ids=["patch", "block", "executable"])
def test_a_renderer_finds_nothing_hostile(text: str, shape: dict[str, bool]) -> None:
    """Read as Markdown, a hostile fact is text in a fence, whatever it says."""
    for said in (text, f"x\n{text}", f"x\n\n{text}\n", f"    {text}", f"{text}\r{text}\u2028{text}"):
        made = report(proposal(said, **shape))
        assert_inert(comment_body(made) or "")
        assert_inert(page(made))


@given(st.text(alphabet="`~@#<>[]()!*_-/\\\n\r\t :ab1", max_size=60), st.booleans())
def test_a_renderer_finds_nothing_in_any_words(text: str, in_diff: bool) -> None:
    """The same for whatever may be put together from the signs that mean something."""
    assert_inert(comment_body(report(proposal(text, in_diff=in_diff))) or "")


@cases("text", ["\x1b[31mred", "\u202eevil", "a\u200bb"])
def test_hidden_characters_are_shown_or_gone(text: str) -> None:
    """Nothing invisible reaches the comment."""
    body = comment_body(report(proposal(text, in_diff=True))) or ""
    assert not set(body) & {"\x1b", "\u202e", "\u200b"}


def test_what_stands_beside_its_lines_is_only_counted() -> None:
    """What can be committed elsewhere is not told twice; when it comes back here, it is not called new."""
    made = report(proposal(), proposal("Use tabs.", name="cd34", in_diff=True))
    (block,) = find_blocks(made.proposals, lambda _: [range(1, 9)])
    body = comment_body(made, beside=[block]) or ""
    assert "Use tabs." not in body
    assert "2 suggestions" in body and "1 of the 2 suggestions is posted on the lines" in body
    assert comment_body(report(proposal("Use tabs.", name="cd34", in_diff=True)), beside=[block]) is None


@cases(
    "one",
    [
        pytest.param(proposal(), id="not-in-the-diff"),
        pytest.param(proposal(in_diff=True, executable=True), id="executable"),
        pytest.param(proposal("a \u200b b", in_diff=True), id="invisible"),
    ],
)
def test_patch(one: ReviewProposal) -> None:
    """What is not in the diff, runs by itself, or hides something comes as a patch."""
    body = comment_body(report(one)) or ""
    assert "```suggestion" not in body
    assert "<details><summary>Patch</summary>\n\n```diff\n" in body


def test_nothing() -> None:
    """Without suggestions there is no comment, but one that is there says so."""
    assert comment_body(report(elsewhere=2)) is None
    after = comment_body(report(elsewhere=2), comment_body(report(proposal())))
    assert after is not None
    assert "Nothing is pending any more" in after


def test_it_fits() -> None:
    """Hundreds of long suggestions are cut to what GitHub takes, and the rest is counted."""
    many = [proposal("x😀`" * 900, name=f"{number:04x}") for number in range(400)]
    body = comment_body(report(*many))
    assert body is not None
    assert len(body.encode("utf-16-le")) // 2 <= 65_536
    shown = body.count("\n#### ")
    assert 0 < shown < 400
    assert f"{400 - shown} more did not fit" in body


def test_page_for_elsewhere() -> None:
    """For other places there is no marker and no suggestion block."""
    text = page(report(proposal(in_diff=True)))
    assert MARKER not in text
    assert "```diff" in text


@given(st.text(alphabet="`a\n", max_size=30))
def test_fences_hold(text: str) -> None:
    """No text closes its fence."""
    block = fenced("text", text)
    fence = block[: block.index("t")]
    assert fence not in block[len(fence) : -len(fence) - 1]


def test_rdjson() -> None:
    """The diagnostics have a place, a message on one line, and the lines to put there; executable ones no lines."""
    found = json.loads(render_rdjson(report(proposal(in_diff=True), proposal(name="cd34", executable=True))))
    first, second = found["diagnostics"]
    pair = (proposal(in_diff=True), proposal("Use tabs.", name="cd34", in_diff=True))
    (block,) = find_blocks(pair, lambda _: [range(1, 9)])
    (only,) = json.loads(render_rdjson(replace(report(*pair), blocks=(block,))))["diagnostics"]
    assert only["suggestions"][0]["text"] == "- Use pnpm.\n- Never mock the database.\n- Use tabs."
    assert "Never mock" in only["message"] and "Use tabs" in only["message"]
    assert first["location"] == {"path": "AGENTS.md", "range": {"start": {"line": 3}, "end": {"line": 3}}}
    assert first["suggestions"][0]["text"] == "- Use pnpm.\n- Never mock the database."
    assert "suggestions" not in second
    assert "\n" not in first["message"]
