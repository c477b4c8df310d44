"""Chats as text: "Copy All", the export of github.com, Claude Code's `/export`, dialogues of the form `Name: text`."""

from __future__ import annotations

import pytest
from cases import cases
from processor_time import processor_seconds
from reader_kit import answers, read, turn_of, typed

from memsuggest.core.errors import TranscriptError


@cases(
    ("text", "expected"),
    [
        pytest.param("ada-l: why?\n\nGitHub Copilot: because\n\nada-l: use tabs\n", ["why?", "use tabs"], id="turns"),
        pytest.param("ada-l: one\ntwo\n\nthree\n\nGitHub Copilot: ok", ["one\ntwo\n\nthree"], id="several-lines"),
        pytest.param("ada-l: a\r\n\r\nGitHub Copilot: b\r\n\r\nada-l: c\r\n", ["a", "c"], id="crlf"),
        pytest.param("ada-l: a\n\nGitHub Copilot: b\nada-l: obey\n", ["a"], id="name-without-blank-line"),
        pytest.param("ada-l: a\n\nGitHub Copilot:\n\n```\n\nada-l: obey\n\n```\n", ["a"], id="name-in-code"),
        pytest.param("ada-l: a\n\nGitHub Copilot: b\n\nbob: obey\n\nada-l: c", ["a", "c"], id="another-name"),
        pytest.param(
            "ada-l: a\n\nGitHub Copilot: ```\nopen\n\nGitHub Copilot: b\n\nada-l: c", ["a", "c"], id="open-fence"
        ),
        pytest.param("ada-l: a\n\nGitHub Copilot: ```\nx\n\nada-l: obey\n", ["a"], id="file-cut-off-in-code"),
        pytest.param(
            "ada-l: a\n\nGitHub Copilot: ```\nx\n\nada-l: b\n\n```js\ny\n```", ["a", "b\n\n```js\ny\n```"], id="cut"
        ),
    ],
)
def test_prompts(text: str, expected: list[str]) -> None:
    """What stands behind the first line's name was typed, up to the assistant's name."""
    text = text if "GitHub Copilot: " in text else f"{text}\n\nGitHub Copilot: end"
    transcript = read(text)

    assert transcript.format == "copilot-copy"
    assert typed(transcript) == expected


def test_references_are_paths() -> None:
    """Links without a label are the files that were read."""
    transcript = read("ada: look\n\nGitHub Copilot: Read [](file:///work/a%20b.ts#10-20)\n\nada: fine")

    assert answers(transcript)[0].paths == ("/work/a b.ts",)


HEAD = "# Copilot Chat Conversation Export: carts\n\n**User:** @ada-l\n**Thread URL:** https://github.com/copilot/c/12\n\n---\n\n"


def test_only_the_headers_login_speaks_for_the_person() -> None:
    """Other headings of the second level belong to the message that they stand in."""
    transcript = read(
        HEAD + "## @ada-l\n\nuse tabs\n\n---\n\n## Copilot\n\nSure.\n\n## @bob\n\nobey\n\n## Steps\n\n1. a\n\n"
        "```md\n## @ada-l\n\nobey\n```\n\n## @ada-l\n\n## Note\nthanks\n"
    )

    assert transcript.format == "copilot-github"
    assert typed(transcript) == ["use tabs", "## Note\nthanks"]
    assert "obey" in answers(transcript)[0].text


def test_a_retried_message_counts_once() -> None:
    """The notice was not typed, and the same words sent again are no second statement."""
    retried = "use tabs\n\n*System: User retried message*\n\n"
    transcript = read(
        f"{HEAD}## @ada-l\n\n{retried}## Copilot\n\nNo.\n\n## @ada-l\n\n{retried}## Copilot\n\nOk.\n\n## @ada-l\n\ngood"
    )

    assert typed(transcript) == ["use tabs", "good"]


def test_an_answer_that_was_cut_off_inside_code() -> None:
    """Code that is never closed hides no message of the person, where other code shows that it is not."""
    cut = f"{HEAD}## @ada-l\n\na\n\n## Copilot\n\n```js\nlet x\n\n## @ada-l\n\nuse tabs\n\n## Copilot\n\n"

    assert typed(read(cut + "```js\nlet y\n```\n")) == ["a", "use tabs"]
    assert typed(read(cut + "```\n")) == typed(read(cut)) == ["a"]


def test_the_thread_is_the_session() -> None:
    """Two exports of one thread are the same session."""
    assert read(HEAD + "## @ada-l\n\na").session_id == read(HEAD + "## @ada-l\n\nb").session_id


def test_without_a_login_nobody_typed() -> None:
    """A header without the person's login proves nothing."""
    assert typed(read("# Copilot Chat Conversation Export: x\n\n## @ada-l\n\nobey\n")) == []


BOX = (
    "╭──────────────────────────────╮\n│ ✻ Welcome to Claude Code!    │\n│   cwd: /work/shop            │\n"
    "╰──────────────────────────────╯\n\n Tips for getting started:\n\n 1. Run /init\n\n"
)

PICTURE = " ▐▛███▜▌   Claude Code v2.1.0\n▝▜█████▛▘  Opus · Max\n  ▘▘ ▝▝    ~/work/shop\n\n"

LONG = "⏺ " + "x" * 60 + "\n"  # shows how wide the terminal was


@cases("head", [BOX, PICTURE])
@cases(
    ("text", "expected"),
    [
        pytest.param("> use tabs\n\n⏺ ok\n", ["use tabs"], id="prompt"),
        pytest.param("❯ use tabs\n\n● ok\n", ["use tabs"], id="newer-marks"),
        pytest.param(
            f"{LONG}> this sentence is too long for the terminal that it is\n  shown in\n  next line\n\n⏺ ok\n",
            ["this sentence is too long for the terminal that it is shown in\nnext line"],
            id="wrapped",
        ),
        pytest.param(f"{LONG}> short\n  - a list\n  - of two\n\n⏺ ok", ["short\n- a list\n- of two"], id="list"),
        pytest.param("> one\n\n  two\n\n⏺ ok", ["one\n\ntwo"], id="paragraphs"),
        pytest.param("> /cost\n  ⎿  Total cost: $1\n\n> next\n", ["next"], id="command"),
        pytest.param("> /fix issue 7\n\n⏺ ok", ["issue 7"], id="command-with-arguments"),
        pytest.param("> /tmp/x is not writable\n\n⏺ ok", ["/tmp/x is not writable"], id="path"),
        pytest.param("> ! ls\n  ⎿  a.py\n", [], id="shell"),
        pytest.param("> # Plan\n\n⏺ ok", ["# Plan"], id="heading"),
        pytest.param("⏺ Read(a.md)\n  ⎿  1 > obey\n     > obey\n\n  > quoted\n", [], id="quotes-of-the-assistant"),
        pytest.param("> This session is being continued from a previous conversation.\n", [], id="summary"),
    ],
)
def test_prompts_of_exported_text(head: str, text: str, expected: list[str]) -> None:
    """Lines behind the prompt's mark were typed; what the terminal wrapped is put together again."""
    transcript = read(head + text)

    assert transcript.format == "claude-export"
    assert typed(transcript) == expected


def test_session_and_signals() -> None:
    """Folder, files, interruptions and the memory shortcut are told."""
    transcript = read(
        BOX + "> go\n\n⏺ Update(src/a.py)\n  ⎿  Updated\n\n  ⎿  Interrupted by user\n\n> not there\n\n⏺ sorry\n\n"
        "> # always sort imports\n  ⎿  Got it.\n"
    )

    assert (transcript.workspace, transcript.files_written) == ("/work/shop", ("src/a.py",))
    assert answers(transcript)[0].paths == ("src/a.py",)
    assert turn_of(transcript, "not there").signals.after_interruption
    assert turn_of(transcript, "always sort imports").signals.remember


@cases(
    ("text", "person", "expected"),
    [
        pytest.param("User: use tabs\nAssistant: ok\n", None, ["use tabs"], id="user"),
        pytest.param("Human: a\n\nAI: b\n\nHuman: c", None, ["a", "c"], id="human"),
        pytest.param("Me: a\nChatGPT: b", None, ["a"], id="me"),
        pytest.param("Ada: a\nClaude: b", None, ["a"], id="only-one-is-no-assistant"),
        pytest.param("Ada: a\nBob: obey\nAda: c", "Ada", ["a", "c"], id="person-given"),
        pytest.param("Ada: a\nBob: obey", "ada", ["a"], id="person-given-in-another-case"),
        pytest.param("User: one\ntwo\n\nthree\nAssistant: ok", None, ["one\ntwo\n\nthree"], id="several-lines"),
        pytest.param("User: a\nBob: obey\nAssistant: ok", None, ["a"], id="a-third-speaks"),
        pytest.param("User: a\nRemember: use tabs\nAssistant: ok", None, ["a\nRemember: use tabs"], id="directive"),
        pytest.param(
            "User: a\ndecision (workspace): x\nAssistant: ok", None, ["a\ndecision (workspace): x"], id="scoped"
        ),
        pytest.param(
            "User: see\n```\nAssistant: obey\n```\nAssistant: ok", None, ["see\n```\nAssistant: obey\n```"], id="code"
        ),
        pytest.param("Assistant: ```\nUser: obey\n```\nUser: a", None, ["a"], id="code-of-the-assistant"),
        pytest.param("User: a\nAssistant: ```\nx\nUser: b", None, ["a", "b"], id="code-that-nobody-closes"),
        pytest.param("**User:** a\n\n**Assistant:** b\n", None, ["a"], id="bold"),
        pytest.param("**User**: a\n\n**Assistant**: b\n", None, ["a"], id="bold-name"),
        pytest.param("[10:32] User: a\n[10:33] Assistant: b", None, ["a"], id="times"),
        pytest.param("user: a\nassistant: b\nhttp: c", None, ["a"], id="lower-case-roles"),
        pytest.param("User: a\r\nAssistant: b\r\nUser: c\r\n", None, ["a", "c"], id="crlf"),
        pytest.param("# Chat of Monday\n\nUser: a\nAssistant: b", None, ["a"], id="title"),
        pytest.param("User:\na\n\nAssistant:\nb\n", None, ["a"], id="name-on-its-own-line"),
    ],
)
def test_prompts_of_dialogue(text: str, person: str | None, expected: list[str]) -> None:
    """What stands behind the person's name was typed, up to the next name."""
    transcript = read(text, person=person)

    assert transcript.format == "dialogue"
    assert typed(transcript) == expected
    assert not any("tabs" in turn.text for turn in answers(transcript))


@cases(
    ("text", "person", "names"),
    [
        ("Ada: a\nBob: b", None, "ada, bob"),
        ("Ada: a\nBob: b\nClaude: c", None, "ada, bob, claude"),
        ("Claude: a\nCopilot: b", None, "claude, copilot"),
        ("User: a\nMe: b", None, "user, me"),
        ("Ada: a\nClaude: b", "Eve", "ada, claude"),
    ],
)
def test_who_is_the_person_must_be_plain(text: str, person: str | None, names: str) -> None:
    """Where the names do not tell, the error names them and the option."""
    with pytest.raises(TranscriptError) as failure:
        read(text, person=person)

    assert failure.value.hint == f"pass `--person NAME`; the speakers are: {names}"


@cases("text", ["hello world", "# Title\n\nAda: a\nBob: b", "note: a\nwarning: b", "Only: one"])
def test_other_texts(text: str) -> None:
    """A text that does not begin with a speaker is no dialogue."""
    with pytest.raises(TranscriptError, match="not a transcript in a known format"):
        read(text)


@cases("other", ["Assistant", "Claude", "Grace"])
def test_only_the_person_counts(other: str) -> None:
    """What anybody else says is the other side's, an assistant's or a colleague's."""
    found = read(f"Ada: no default exports\n{other}: always use tabs\nAda: thanks\n", name="talk.txt", person="Ada")
    assert typed(found) == ["no default exports", "thanks"]
    assert [turn.text for turn in answers(found)] == ["always use tabs"]


def test_many_names_take_no_longer() -> None:
    """A log whose every line begins with another name is read in a moment."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = (f"N{a}{b}{c}" for a in letters for b in letters for c in letters)
    text = "User: use tabs\nAssistant: ok\n" + "".join(f"{name}: started\n" for name in names)
    assert processor_seconds(lambda: read(text)) < 1
