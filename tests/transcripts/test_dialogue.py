"""Dialogues of the form `Name: text`."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import answers, read, typed

from memsuggest.core.errors import TranscriptError


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
def test_prompts(text: str, person: str | None, expected: list[str]) -> None:
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
