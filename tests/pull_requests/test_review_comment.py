"""The comments beside lines: nothing but our own words is Markdown, and a block commits exactly what it shows."""

from __future__ import annotations

import re

from cases import cases
from comment_kit import HOSTILE, assert_inert, read_by_a_renderer
from hypothesis import given
from hypothesis import strategies as st
from pull_requests.test_pull_request_comment import proposal

from memsuggest.core.model import LineChange
from memsuggest.pull_requests.comment_text import PAST_MARKER, Block, block_body, past_body


def block(*lines: str, content: str = "Never mock the database.") -> Block:
    one = proposal(content, in_diff=True)
    return Block(path="AGENTS.md", change=LineChange(first=3, last=3, lines=lines), proposals=(one,))


def suggested(body: str) -> list[str]:
    """What GitHub takes for the suggestion blocks of a comment."""
    return [token.content for token in read_by_a_renderer(body) if token.type == "fence" and token.info == "suggestion"]


@cases("text", HOSTILE)
def test_hostile_words(text: str) -> None:
    """Rules and lines of a file stay text, and there is one block whatever they say."""
    line = " ".join(text.split("\n"))
    body = block_body(block("- x", line, content=text)) or ""
    assert_inert(body)
    assert suggested(body) == [f"- x\n{line}\n"]


@given(st.lists(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")), max_size=40), max_size=5))
def test_what_is_shown_is_what_is_committed(lines: list[str]) -> None:
    """Empty lines, spaces at the end and lines of nothing but backticks are kept; without lines, lines are removed."""
    body = block_body(block(*lines))
    assert body is not None
    assert suggested(body) == ["".join(f"{line}\n" for line in lines)]


@cases("line", ["a\u200bb", "\u202ex", "\x1b[31m", "x" * 70_000], ids=["zero", "bidi", "esc", "long"])
def test_no_block(line: str) -> None:
    """What cannot be seen, or is too long, is not offered to be committed."""
    assert block_body(block(line)) is None


@cases("body", [block_body(block("- x")), "<!-- memsuggest:block v1 ids=@all -->\n@all", "", "@all"])
def test_out_of_date(body: str | None) -> None:
    """Nothing is left to commit; of what somebody put into the comment, nothing is repeated."""
    told = past_body(body or "")
    assert told.startswith(PAST_MARKER)
    assert not re.search(r"```|@all", told)
    assert_inert(told)
