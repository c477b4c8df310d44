"""Where a rule goes in a file, line by line."""

from __future__ import annotations

from textwrap import dedent

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.model import Kind
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.placement.place import Placed, place, why_unsafe


def put(
    text: str,
    heading: str | None = None,
    *,
    uri: str = "AGENTS.md",
    kind: Kind = Kind.CONVENTION,
    rule: str = "use pnpm",
) -> Placed:
    """Place a rule; whatever happens, nothing else changes, and the front matter stays."""
    target = target_from(uri, text)
    section = next((one for one in target.sections if one.heading == heading), None) if heading is not None else None
    placed = place(rule, target, section=section, kind=kind)
    assert placed is not None
    assert why_unsafe(text, placed.text) is None
    return placed


def d(text: str) -> str:
    return dedent(text).lstrip("\n")


@cases(
    ("before", "heading", "after"),
    [
        pytest.param(
            "# A\n\n## Rules\n\n- one\n- two\n\n## B\n",
            "Rules",
            "# A\n\n## Rules\n\n- one\n- two\n- use pnpm\n\n## B\n",
            id="after the last sibling",
        ),
        pytest.param("## R\n* one\n* two\n", "R", "## R\n* one\n* two\n* use pnpm\n", id="the file's own bullet"),
        pytest.param("## R\n\n  - one\n", "R", "## R\n\n  - one\n  - use pnpm\n", id="the list's indent"),
        pytest.param(
            "## R\n\n- one\n\n- two\n", "R", "## R\n\n- one\n\n- two\n\n- use pnpm\n", id="a loose list stays loose"
        ),
        pytest.param("## R\n\n1. one\n2. two\n", "R", "## R\n\n1. one\n2. two\n3. use pnpm\n", id="numbers go on"),
        pytest.param(
            "## R\n\n1. one\n1. two\n", "R", "## R\n\n1. one\n1. two\n1. use pnpm\n", id="lazy numbers stay lazy"
        ),
        pytest.param(
            "## R\n\n- [x] one\n- [ ] two\n", "R", "## R\n\n- [x] one\n- [ ] two\n- [ ] use pnpm\n", id="checklist"
        ),
        pytest.param(
            "## R\n\n- one\n  - nested\n    more\n",
            "R",
            "## R\n\n- one\n  - nested\n    more\n- use pnpm\n",
            id="after what is nested",
        ),
        pytest.param(
            "## R\n\n- One.\n- Two.\n", "R", "## R\n\n- One.\n- Two.\n- Use pnpm.\n", id="ends like its neighbours"
        ),
        pytest.param("## R\r\n\r\n- one\r\n", "R", "## R\r\n\r\n- one\r\n- use pnpm\r\n", id="CRLF"),
        pytest.param("## R\n\n- one", "R", "## R\n\n- one\n- use pnpm", id="no final newline"),
        pytest.param("\ufeff# A\n\n- one\n", "A", "\ufeff# A\n\n- one\n- use pnpm\n", id="byte order mark"),
        pytest.param(
            "## R\n\nProse here.\n\n## B\n", "R", "## R\n\nProse here.\n\n- Use pnpm\n\n## B\n", id="prose gets a list"
        ),
        pytest.param(
            "## Tone\n\nBe kind.\n\n**Examples**:\n\n- one\n",
            "Tone",
            "## Tone\n\nBe kind.\n\n- use pnpm\n\n**Examples**:\n\n- one\n",
            id="before examples",
        ),
        pytest.param(
            "## Tone\n\n**Examples**:\n\n- one\n",
            "Tone",
            "## Tone\n\n- use pnpm\n\n**Examples**:\n\n- one\n",
            id="beside examples alone",
        ),
        pytest.param(
            "## Rules\n\n- one\n\n## Examples\n\n- two\n",
            "Examples",
            "## Rules\n\n- one\n- use pnpm\n\n## Examples\n\n- two\n",
            id="never among examples",
        ),
        pytest.param(
            "applyTo:\n  - x\n---\n# R\n\n- one\n",
            None,
            "applyTo:\n  - x\n---\n# R\n\n- one\n- use pnpm\n",
            id="half a header",
        ),
        pytest.param("## R\n## B\n", "R", "## R\n\n- Use pnpm\n\n## B\n", id="an empty section"),
        pytest.param(
            "## R\n\n```sh\n- not a list\n```\n\n## B\n",
            "R",
            "## R\n\n```sh\n- not a list\n```\n\n- Use pnpm\n\n## B\n",
            id="never into a fence",
        ),
        pytest.param(
            "## R\n\n| a |\n|---|\n| b |\n\n## B\n",
            "R",
            "## R\n\n| a |\n|---|\n| b |\n\n- Use pnpm\n\n## B\n",
            id="never into a table",
        ),
        pytest.param("R\n---\n\n- one\n", "R", "R\n---\n\n- one\n- use pnpm\n", id="setext heading"),
        pytest.param(
            "---\napplyTo: '**'\n---\n# A\n\n- one\n",
            "A",
            "---\napplyTo: '**'\n---\n# A\n\n- one\n- use pnpm\n",
            id="front matter stays",
        ),
        pytest.param(
            "# A\n\n## Build\n\nRun it.\n",
            None,
            "# A\n\n## Build\n\nRun it.\n\n## Conventions\n\n- Use pnpm\n",
            id="no fitting heading",
        ),
        pytest.param(
            "# A\n\n## Coding rules\n\n- one\n\n## B\n\nx\n",
            None,
            "# A\n\n## Coding rules\n\n- one\n- use pnpm\n\n## B\n\nx\n",
            id="the file's own like of Conventions",
        ),
        pytest.param(
            "# A\n\n## Regeln\n\n- eins\n",
            None,
            "# A\n\n## Regeln\n\n- eins\n- use pnpm\n",
            id="in the file's language",
        ),
        pytest.param("", None, "## Conventions\n\n- Use pnpm\n", id="an empty file"),
        pytest.param("- one\n- two\n", None, "- one\n- two\n- use pnpm\n", id="only a list"),
        pytest.param(
            "## R\n\n1. one\n2. two\n\nThen:\n\n3. three\n\nEnd.\n",
            "R",
            "## R\n\n1. one\n2. two\n\nThen:\n\n3. three\n4. use pnpm\n\nEnd.\n",
            id="numbers go on in the middle of a section",
        ),
        pytest.param("## R\n\n8. one\n9. two\n", "R", "## R\n\n8. one\n9. two\n10. use pnpm\n", id="a longer number"),
        pytest.param(
            "## R\n\n9.  one\n", "R", "## R\n\n9.  one\n10. use pnpm\n", id="a longer number keeps the column"
        ),
        pytest.param("## R\n\n01. one\n02. two\n", "R", "## R\n\n01. one\n02. two\n03. use pnpm\n", id="leading zeros"),
        pytest.param(
            "## R\n\n- one\n\n  more\n\n- two\n",
            "R",
            "## R\n\n- one\n\n  more\n\n- two\n\n- use pnpm\n",
            id="paragraphs inside",
        ),
        pytest.param(
            "## R\n\nDo:\n\n- one\n\nDon't:\n\n- pnpm tricks\n",
            "R",
            "## R\n\nDo:\n\n- one\n- use pnpm\n\nDon't:\n\n- pnpm tricks\n",
            id="not among what one should not do",
        ),
        pytest.param(
            "## R\n\n- one\n\nExample:\n\n- pnpm add x\n",
            "R",
            "## R\n\n- one\n- use pnpm\n\nExample:\n\n- pnpm add x\n",
            id="not among examples",
        ),
        pytest.param(
            "<rules>\n- one\n</rules>\n\n<example>\n- two\n</example>\n",
            None,
            "<rules>\n- one\n- use pnpm\n</rules>\n\n<example>\n- two\n</example>\n",
            id="inside the tag of rules",
        ),
        pytest.param(
            "# A\n\n<rules>\nBe kind.\n</rules>\n",
            "A",
            "# A\n\n<rules>\nBe kind.\n\n- Use pnpm\n\n</rules>\n",
            id="before the closing tag",
        ),
        pytest.param(
            "## R\n\nText.\n\n---\n\n## B\n", "R", "## R\n\nText.\n\n- Use pnpm\n\n---\n\n## B\n", id="before the rule"
        ),
        pytest.param(
            "# A\n\nSee [x].\n\n[x]: https://example.org\n",
            None,
            "# A\n\nSee [x].\n\n## Conventions\n\n- Use pnpm\n\n[x]: https://example.org\n",
            id="before link targets at the end",
        ),
        pytest.param(
            "```instructions\n---\napplyTo: '**'\n---\n# A\n\nText.\n```\n",
            None,
            "```instructions\n---\napplyTo: '**'\n---\n# A\n\nText.\n\n## Conventions\n\n- Use pnpm\n\n```\n",
            id="inside the fence around a whole file",
        ),
        pytest.param(
            "# A\nText.\n# B\nText.\n",
            None,
            "# A\nText.\n# B\nText.\n\n# Conventions\n\n- Use pnpm\n",
            id="as the others",
        ),
        pytest.param(
            "## R\n\n- **Logs:** none\n- **Names:** short\n- **Docs:** long\n",
            "R",
            "## R\n\n- **Logs:** none\n- **Names:** short\n- **Docs:** long\n- Use pnpm\n",
            id="no lead-in where there is none to make",
        ),
        pytest.param(
            "## R\r\n\r\n- one\r\n- two\n", "R", "## R\r\n\r\n- one\r\n- two\n- use pnpm\r\n", id="mixed line ends"
        ),
        pytest.param("## R\n\n- one\n\n\n", "R", "## R\n\n- one\n- use pnpm\n\n\n", id="blank lines at the end stay"),
    ],
)
def test_place(before: str, heading: str | None, after: str) -> None:
    """A rule stands after its siblings, in their manner, and nothing else moves."""
    assert put(before, heading).text == after


def test_generated_regions_are_left_alone() -> None:
    """What a program writes, a program will overwrite."""
    text = d("""
        ## R

        <!-- BEGIN generated -->
        - one
        <!-- END generated -->

        ## B
        """)
    placed = put(text, "R").text
    assert placed.index("se pnpm") > placed.index("END generated")


def test_steps_join_steps_and_rules_join_bullets() -> None:
    """In a skill, a step goes to the numbered list and a rule to the bullets."""
    text = "# S\n\n## Steps\n\n1. a\n2. b\n\n- note\n"
    assert "3. use pnpm" in put(text, "Steps", uri=".github/skills/s/SKILL.md", kind=Kind.PROCEDURE).text
    assert "- note\n- use pnpm" in put(text, "Steps", uri=".github/skills/s/SKILL.md").text


def test_agents_get_their_rules() -> None:
    """An agent's rules block is found by its heading."""
    text = "# Reviewer\n\nYou review.\n\n## Rules\n\n- look\n\n## Output\n\n- a table\n"
    assert "- look\n- use pnpm\n" in put(text, uri=".github/agents/r.agent.md").text


def test_wrapped_files_stay_wrapped() -> None:
    """Where list items are wrapped, a long rule is, too."""
    item = "- " + "word " * 12 + "\n  " + "word " * 5 + "\n"
    placed = put(f"## R\n\n{item}{item}", "R", rule="long " * 30)
    assert all(len(line) <= 70 for line in placed.text.split("\n"))
    assert placed.content.count("\n") >= 2


LINES = st.sampled_from(
    [
        "# A",
        "## B",
        "",
        "- one",
        "* two",
        "1. three",
        "  - nested",
        "text",
        "```",
        "> q",
        "| a | b |",
        "|---|---|",
        "<!-- c -->",
        "---",
        "<rules>",
        "</rules>",
        "    code",
        "Title",
        "====",
        "- [ ] task",
        "[x]: y",
    ]
)


@given(
    st.lists(LINES, max_size=25),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(0, 5),
    st.sampled_from(list(Kind)),
)
def test_nothing_else_ever_changes(rows: list[str], end: str, cut: bool, number: int, kind: Kind) -> None:
    """In any file, an edit is safe or is refused by the last look; every old line survives in order."""
    text = end.join(rows) + ("" if cut else end)
    target = target_from("AGENTS.md", text)
    section = target.sections[number] if number < len(target.sections) else None
    placed = place("never mock the database", target, section=section, kind=kind)
    if placed is not None:
        assert why_unsafe(text, placed.text) is None
        left = iter(placed.text.replace("\r\n", "\n").split("\n"))
        assert all(line in left for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"))


def test_a_prompt_gets_a_titled_snippet() -> None:
    """What is added to a prompt stands under a title of its own."""
    rule = "Mock nothing in the tests"
    target = target_from(".github/prompts/a.prompt.md", "# A\n\nWrite the thing.\n")
    placed = place(rule, target, section=None)
    assert placed is not None
    assert placed.text == f"# A\n\nWrite the thing.\n\n## Notes\n\n- {rule}\n"
