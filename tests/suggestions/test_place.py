"""Where a rule goes in a file, line by line, and what no edit may do."""

from __future__ import annotations

from textwrap import dedent

import pytest
from cases import cases
from edit_kit import sides_of
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
    ("text", "heading"),
    [
        ("# A\n\n## Rules\n\n- one\n- two\n»- use pnpm\n\n## B\n", "Rules"),  # after the last sibling
        ("## R\n* one\n* two\n»* use pnpm\n", "R"),  # the file's own bullet
        ("## R\n\n  - one\n»  - use pnpm\n", "R"),  # the list's indent
        ("## R\n\n- one\n\n- two\n»\n»- use pnpm\n", "R"),  # a loose list stays loose
        ("## R\n\n1. one\n2. two\n»3. use pnpm\n", "R"),  # numbers go on
        ("## R\n\n1. one\n1. two\n»1. use pnpm\n", "R"),  # lazy numbers stay lazy
        ("## R\n\n- [x] one\n- [ ] two\n»- [ ] use pnpm\n", "R"),  # checklist
        ("## R\n\n- one\n  - nested\n    more\n»- use pnpm\n", "R"),  # after what is nested
        ("## R\n\n- One.\n- Two.\n»- Use pnpm.\n", "R"),  # ends like its neighbours
        ("## R\r\n\r\n- one\r\n»- use pnpm\r\n", "R"),  # CRLF
        ("\ufeff# A\n\n- one\n»- use pnpm\n", "A"),  # byte order mark
        ("## R\n\nProse here.\n\n»- Use pnpm\n»\n## B\n", "R"),  # prose gets a list
        ("## Tone\n\nBe kind.\n\n»- use pnpm\n»\n**Examples**:\n\n- one\n", "Tone"),  # before examples
        ("## Tone\n»\n»- use pnpm\n\n**Examples**:\n\n- one\n", "Tone"),  # beside examples alone
        ("## Rules\n\n- one\n»- use pnpm\n\n## Examples\n\n- two\n", "Examples"),  # never among examples
        ("applyTo:\n  - x\n---\n# R\n\n- one\n»- use pnpm\n", None),  # half a header
        ("## R\n»\n»- Use pnpm\n»\n## B\n", "R"),  # an empty section
        ("## R\n\n```sh\n- not a list\n```\n\n»- Use pnpm\n»\n## B\n", "R"),  # never into a fence
        ("## R\n\n| a |\n|---|\n| b |\n\n»- Use pnpm\n»\n## B\n", "R"),  # never into a table
        ("R\n---\n\n- one\n»- use pnpm\n", "R"),  # setext heading
        ("---\napplyTo: '**'\n---\n# A\n\n- one\n»- use pnpm\n", "A"),  # front matter stays
        ("# A\n\n## Build\n\nRun it.\n»\n»## Conventions\n»\n»- Use pnpm\n", None),  # no fitting heading
        ("# A\n\n## Coding rules\n\n- one\n»- use pnpm\n\n## B\n\nx\n", None),  # the file's own like of Conventions
        ("# A\n\n## Regeln\n\n- eins\n»- use pnpm\n", None),  # in the file's language
        ("»## Conventions\n»\n»- Use pnpm\n", None),  # an empty file
        ("- one\n- two\n»- use pnpm\n", None),  # only a list
        (
            "## R\n\n1. one\n2. two\n\nThen:\n\n3. three\n»4. use pnpm\n\nEnd.\n",
            "R",
        ),  # numbers go on in the middle of a section
        ("## R\n\n8. one\n9. two\n»10. use pnpm\n", "R"),  # a longer number
        ("## R\n\n9.  one\n»10. use pnpm\n", "R"),  # a longer number keeps the column
        ("## R\n\n01. one\n02. two\n»03. use pnpm\n", "R"),  # leading zeros
        ("## R\n\n- one\n\n  more\n\n- two\n»\n»- use pnpm\n", "R"),  # paragraphs inside
        ("## R\n\nDo:\n\n- one\n»- use pnpm\n\nDon't:\n\n- pnpm tricks\n", "R"),  # not among what one should not do
        ("## R\n\n- one\n»- use pnpm\n\nExample:\n\n- pnpm add x\n", "R"),  # not among examples
        ("<rules>\n- one\n»- use pnpm\n</rules>\n\n<example>\n- two\n</example>\n", None),  # inside the tag of rules
        ("# A\n\n<rules>\nBe kind.\n»\n»- Use pnpm\n»\n</rules>\n", "A"),  # before the closing tag
        ("## R\n\nText.\n\n»- Use pnpm\n»\n---\n\n## B\n", "R"),  # before the rule
        (
            "# A\n\nSee [x].\n\n»## Conventions\n»\n»- Use pnpm\n»\n[x]: https://example.org\n",
            None,
        ),  # before link targets at the end
        (
            "```instructions\n---\napplyTo: '**'\n---\n# A\n\nText.\n»\n»## Conventions\n»\n»- Use pnpm\n»\n```\n",
            None,
        ),  # inside the fence around a whole file
        ("# A\nText.\n# B\nText.\n»\n»# Conventions\n»\n»- Use pnpm\n", None),  # as the others
        (
            "## R\n\n- **Logs:** none\n- **Names:** short\n- **Docs:** long\n»- Use pnpm\n",
            "R",
        ),  # no lead-in where there is none to make
        ("## R\r\n\r\n- one\r\n- two\n»- use pnpm\r\n", "R"),  # mixed line ends
        ("## R\n\n- one\n»- use pnpm\n\n\n", "R"),  # blank lines at the end stay
    ],
)
def test_place(text: str, heading: str | None) -> None:
    """A rule stands after its siblings, in their manner, and nothing else moves."""
    before, after = sides_of(text)
    assert put(before, heading).text == after


def test_a_file_without_a_final_newline_stays_so() -> None:
    """The last line gets an end, and the new one has none."""
    assert put("## R\n\n- one", "R").text == "## R\n\n- one\n- use pnpm"


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


FILE = "---\nname: a\n---\n# A\n\n- one\n- two\n\n## B\n\ntext\n"


@cases(
    ("old", "new"),
    [
        pytest.param("- two\n", "- two\n- three\n", id="an item more"),
        pytest.param("text\n", "text\n\n## C\n\n- three\n", id="a section more"),
        pytest.param("text\n", "text\n\n- three\n", id="a list more"),
    ],
)
def test_safe(old: str, new: str) -> None:
    """One item, perhaps below a heading of its own."""
    assert why_unsafe(FILE, FILE.replace(old, new)) is None


@cases(
    ("old", "new", "why"),
    [
        pytest.param("name: a\n", "name: a\ntools: x\n", "the edit would change the front matter", id="front matter"),
        pytest.param("- two\n", "- three\n", "the edit would change other lines", id="another line"),
        pytest.param("- two\n", "", "the edit would change other lines", id="a line less"),
        ("text\n", "text\n---\n", "the edit would change how the rest of the file is parsed"),  # a heading now
        ("- two\n", "- two\nthree\n", "the edit would change how the rest of the file is parsed"),  # goes on
        pytest.param("- two\n", "- two\n- three\n- four\n", "the edit would add more than one rule", id="two items"),
        pytest.param("- two\n", "- two\n\n<!-- x -->\n", "the edit would add more than one rule", id="a comment"),
        pytest.param("text\n", "text\n\n```\nx\n```\n", "the edit would add more than one rule", id="a fence"),
        ("text\n", "text\n\n## C\n\n## D\n\n- x\n", "the edit would add more than one rule"),  # two headings
        pytest.param("text\n", "text\n\n", "the edit would add more than one rule", id="nothing"),
    ],
)
def test_unsafe(old: str, new: str, why: str) -> None:
    """What else an edit does is named."""
    assert why_unsafe(FILE, FILE.replace(old, new)) == why


@cases(
    ("before", "after", "replaced", "is_safe"),
    [
        pytest.param("- a\n- b\n", "- c\n- b\n", "- a\n", True, id="as said"),
        pytest.param("- a\n- b\n", "- a\n- c\n", "- a\n", False, id="another one"),
        pytest.param("- a\n- b\n", "- c\n", "- a\n", False, id="one more"),
        pytest.param("- a\n  b\n- c\n", "- a\n  d\n- c\n", "- a\n  b\n", True, id="its first line came back"),
        pytest.param("- a\n  b\n- c\n", "- d\n  b\n- c\n", "- a\n  b\n", True, id="its last line came back"),
        pytest.param("- a\n  - n\n- c\n", "- b\n  - n\n- c\n", "- a\n", True, id="what is nested stays"),
        pytest.param("- a", "- b", "- a", True, id="no final newline"),
        pytest.param("- a\r\n", "- b\r\n", "- a\r\n", True, id="CRLF"),
    ],
)
def test_replaced_lines(before: str, after: str, replaced: str, *, is_safe: bool) -> None:
    """The lines that may be gone are those that are named, wherever the edit shows."""
    assert (why_unsafe(before, after, replaced=replaced) is None) is is_safe


def test_generated_regions() -> None:
    """Nothing is put where a program writes."""
    before = "<!-- BEGIN x -->\n\n- a\n\n<!-- END x -->\n"
    assert why_unsafe(before, before.replace("- a\n", "- a\n- b\n")) == "the edit would be in a generated region"
