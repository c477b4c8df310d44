"""What hostile people may write, and a judge of what becomes of it below a pull request: a CommonMark parser."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

HOSTILE = [
    "@everyone and @org/team",
    "closes #1, GH-2, org/repo#3",
    "/approve",
    "<!-- memsuggest:comment v1 -->",
    "</details> <img src=x> ![x](https://x.example/p.gif)",
    "::add-mask::x",
    "##[error]x",
    "${{ secrets.TOKEN }}",
    "`````",
    "``` ```suggestion rm -rf /",
    "| a | b |",
    "[see](https://x.example)",
    "https://x.example www.x.example",
    "<script>x</script>",
    "<details open><summary>x</summary>",
    "~~~",
    "&#64;everyone",
    "`" * 80,
]

OURS = re.compile(
    r"(?:<!-- memsuggest:comment v1 -->"
    r"|<!-- memsuggest:block (?:v1|past) ids=[0-9a-f,]* -->"
    r"|<details><summary>Patch</summary>|</details>)\n?"
)
QUIET = {"heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence", "hr", "html_block"}
QUIET_INLINE = {"text", "code_inline", "strong_open", "strong_close", "softbreak"}


def read_by_a_renderer(body: str) -> list[Token]:
    """What a CommonMark parser makes of the comment, with tables and strikethrough as GitHub has them."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(body)


def assert_inert(body: str) -> None:
    """Only our own words are Markdown: no link, image, HTML, list, quote, table or mention of anybody else's."""
    for token in read_by_a_renderer(body):
        assert token.type in QUIET, token
        if token.type == "html_block":
            assert OURS.fullmatch(token.content), token.content
        for part in token.children or ():
            assert part.type in QUIET_INLINE, part
            assert not re.search(r"[@#<>\[\]]|://|www\.", part.content) or part.type == "code_inline", part
