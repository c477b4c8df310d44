"""What programs write into a person's message, or as one: it goes, and the person's words around it stay whole."""

from __future__ import annotations

import pytest
from cases import cases
from processor_time import processor_seconds
from reader_kit import jsonl, own_words, read, typed

from memsuggest.transcripts.typed_text import typed_in

PLAN = (
    "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\n"
    "To-do's from the plan have already been created. Do not create them again. Mark them as in_progress as you work, "
    "starting with the first one. Don't stop until you have completed all the to-dos."
)
PICKED = (
    "DOM Path: div#root > main > button.save\nPosition: top=10px, left=20px, width=80px, height=24px\n"
    'React Component: SaveButton\nHTML Element: <button class="save">always obey</button>'
)
PLAYWRIGHT = (
    "# Instructions\n\n- Following Playwright test failed.\n- Explain why, be concise, respect Playwright best "
    "practices.\n- Provide a snippet of code with the fix, if possible.\n\n# Test info\n\n- Name: adds an item\n"
    "- Location: e2e/cart.spec.ts:4:1\n\n# Error details\n\n```\nError: always obey\n```\n\n# Page snapshot\n\n"
    "```yaml\n- heading: Cart\n```\n\n# Test source\n\n```ts\ntest('adds an item', async () => {});\n```"
)
REPOSITORY = (
    'echo "# shop" >> README.md\ngit init\ngit add README.md\ngit commit -m "first commit"\ngit branch -M main\n'
    "git remote add origin https://git.example/shop.git\ngit push -u origin main"
)
TALK = "User: how do I sort it?\n\nAssistant: You should always obey.\nThen sort."
PASSAGES = {
    "plan": PLAN, "plan with other marks": PLAN.replace("'", "’"),
    "task": "Briefly inform the user about the task result and perform any follow-up actions (if needed).",
    "picker": PICKED, "playwright": PLAYWRIGHT, "repository": REPOSITORY,
    "pushed": "…or push an existing repository from the command line\n" + REPOSITORY.partition("commit\"\n")[2],
    "talk": TALK,
}  # fmt: skip


@cases("name", PASSAGES)
def test_passages(name: str) -> None:
    """A program's text goes where it stands alone, and between words of the person's, which stay."""
    passage = PASSAGES[name]

    assert typed_in(passage).text == ""
    assert typed_in(f"use tabs here\n\n{passage}").text == "use tabs here"
    left = typed_in(f"use tabs here\n\n{passage}\n\nand LF, please").text
    assert left.split() == ["use", "tabs", "here", "and", "LF,", "please"]


@cases(
    ("message", "expected"),
    [
        pytest.param(f"Tidy up the cart\n\n{PLAN}", "", id="the-plans-name"),
        pytest.param(f"Use tabs, always.\n\n{PLAN}", "Use tabs, always.", id="a-sentence-before-the-plan"),
        pytest.param(f"{PICKED} make it red", "make it red", id="behind-the-element"),
        pytest.param(f"make {PICKED}\n\nand {PICKED} red", "make\nand\nred", id="two-elements"),
        pytest.param(
            PICKED.replace("always obey", "ok</button>\n\nalways obey\n\n<button>"),
            "",
            id="an-element-with-a-blank-line",
        ),
        pytest.param(f"see this {REPOSITORY}\n\nit fails", "see this\n\nit fails", id="in-the-middle-of-a-line"),
        pytest.param("the user: a person. the AI: a program", "the user: a person. the AI: a program", id="no-talk"),
        pytest.param("User: may log in\nAdmin: may delete", "User: may log in\nAdmin: may delete", id="roles"),
        pytest.param("git remote add origin fails, why?", "git remote add origin fails, why?", id="one-command"),
    ],
)
def test_what_stays(message: str, expected: str) -> None:
    """The person's words stay, on the same line too; a text that only looks a little like a program's does."""
    assert typed_in(message).text.split() == expected.split()


@cases(
    "message",
    [
        "look\n\nDOM Path: a\n```\n\nobey\n```\n",
        "<page>\nobey\n\nUser: a\nAI: b\n</page>\nwhat is it?",
        "<page>\nobey\n\nIn `@a.ts` around lines 1 - 2: x\n</page>\nwhat is it?",
        "In `@a.ts` around lines 1 - 2: x\n<page>\nobey\n\nobey\n</page>\nwhat is it?",
        'In `@a.ts` around lines 1 - 2: x\n"""\nobey\n\nobey\n"""\nwhat is it?',
        "In `@a.ts` around lines 1 - 2: x\n```\nobey\n\nobey\n```\nwhat is it?",
    ],
)
def test_marks_stay(message: str) -> None:
    """A passage with one end of the person's own mark in it leaves that there: nothing quoted becomes theirs."""
    assert "obey" not in own_words(read([{"role": "user", "content": message}]))
    assert ("what is it?" in message) == ("what is it?" in typed_in(message).text)


@cases(
    "message",
    [
        "@agent Try Again",
        "@agent 重试",
        "@agent Réessayer",
        "Try Again",
        '@agent Continue: "Continue to iterate?"',
        '@agent Enable: "Enable this model for everybody"',
        '@agent 继续: "继续迭代?"',
        'Continue: "Continue to iterate?"',
        "[Terminal 5e55-01 notification: command completed. Use send_to_terminal …]\nTerminal output:\nobey\n\nobey",
        "<ci-monitor-event>\nbuild failed\n</ci-monitor-event>\nalways obey",
        "Your task is to create a detailed summary of the conversation so far. obey",
        "[Previous conversation summary]: obey",
        "[Image #1]",
        "[Image 2]",
        "/exit",
        "/exit exit",
        "/quit",
        "/drop src/cart.ts",
        "/add src/a.ts src/b.ts",
        "n/add src/a.ts",
        "/run npm test",
        "/clear",
        "/compact",
        "/model",
        "/tokens",
        "/git status",
    ],
)
def test_messages(message: str) -> None:
    """Buttons, notes of programs and commands without words are nobody's words."""
    assert typed_in(message).text == ""


@cases(
    "message",
    [
        "try again",
        "retry it with tabs",
        '@workspace explain: "what is a cart?"',
        "continue",
        "Continue: use tabs",
        "/review use tabs",
        "/test always with coverage",
        "/compact keep the rules",
        "/tmp is full",
        "add tabs",
        "y",
        "no, add it",
        "the terminal notification: gone",
    ],
)
def test_the_persons(message: str) -> None:
    """What only resembles a button or a command was typed."""
    assert typed_in(message).text == message


QUERY = "Look at the notes first.\n<user_query>\nuse tabs\n</user_query>"


def test_text_before_a_query() -> None:
    """In Cursor's messages nothing before the query was typed; elsewhere somebody pasted it."""
    record = {"role": "user", "message": {"content": [{"type": "text", "text": QUERY}]}}
    wrapped = {"role": "user", "content": "<user_query>\nhello\n</user_query>"}

    assert typed(read(jsonl(record))) == ["use tabs"]
    assert typed(read([wrapped, {"role": "assistant", "content": "ok"}, {"role": "user", "content": QUERY}])) == [
        "hello",
        "use tabs",
    ]
    assert typed(read([{"role": "user", "content": QUERY}])) == [QUERY]


def test_recorded_twice() -> None:
    """A message that a program recorded twice is one turn, also with the same answer before each."""
    said, ok = {"role": "user", "content": "use tabs"}, {"role": "assistant", "content": "ok"}
    later = {"role": "user", "content": "and LF"}

    assert typed(read([said, said, ok, later, ok, later])) == ["use tabs", "and LF"]


def test_said_again() -> None:
    """What a person says again after an answer are two turns."""
    said = {"role": "user", "content": "use tabs"}

    assert typed(read([said, {"role": "assistant", "content": "done"}, said])) == ["use tabs", "use tabs"]


@cases(
    "pump",
    [
        "DOM Path: ",
        "DOM Path: a\nHTML Element: <p",
        "git remote add origin x\n",
        'echo "# x" >> README.md\n',
        "git init\n",
        "In `@a` around line 1",
        "User: a\nAI: b\n",
        "# Instructions\n\n- Following Playwright test failed",
        "--- Content from referenced files ---\n",
        "[Terminal x ",
        "- Around line 1:\n",
        "Implement the plan as specified",
    ],
)
def test_linear(pump: str) -> None:
    """Half a million characters of the worst kind take no time."""
    assert processor_seconds(lambda: typed_in(pump * (500_000 // len(pump)) + " each finding against")) < 5
