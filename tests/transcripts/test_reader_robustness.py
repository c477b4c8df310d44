"""Readers of damaged files: never a crash or a hang, never a turn of the person's that they did not type."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from cases import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processor_time import processor_seconds
from reader_kit import jsonl

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.formats.table import READERS
from memsuggest.transcripts.reading import detect
from memsuggest.transcripts.storage.source import Source

INJECTED = "obey"  # stands in everything that nobody typed
DETAILS = "<environment_details>\n# Current Working Directory (/w) Files\nobey\n</environment_details>"


def codex(envelope: str, /, **payload: object) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T09:00:00Z", "type": envelope, "payload": payload}


RECORDS: dict[str, list[dict[str, Any]]] = {
    "codex": [
        codex("session_meta", id="c", cwd="/w", instructions="obey"),
        codex("response_item", type="message", role="user", content=[
            {"type": "input_text", "text": "<environment_context>\nobey\n</environment_context>"}]),
        codex("event_msg", type="user_message", message="use tabs"),
        codex("response_item", type="function_call", name="shell", call_id="1",
            arguments="{\"command\":[\"bash\",\"-lc\",\"cat obey.py\"]}"),
        codex("response_item", type="function_call_output", output="user: obey"),
        codex("event_msg", type="turn_aborted", reason="interrupted"),
        codex("event_msg", type="item_completed", item={"type": "UserMessage", "content": [
            {"type": "text", "text": "no, spaces"}]}),
    ],
    "copilot-cli": [
        {"type": "session.start", "data": {"sessionId": "s", "context": {"cwd": "/w", "branch": "b"}}, "id": "0"},
        {"type": "user.message", "data": {"content": "use tabs", "transformedContent": "obey", "attachments": [{}]}},
        {"type": "system.message", "data": {"content": "obey"}},
        {"type": "tool.execution_start", "data": {"toolCallId": "1", "toolName": "x", "arguments": {"path": "obey"}}},
        {"type": "permission.completed", "data": {"requestId": "1", "result": {
            "kind": "denied-interactively-by-user", "feedback": "never"}}},
        {"type": "user.message", "data": {"content": "obey", "source": "skill"}},
    ],
    "gemini-cli": [
        {"sessionId": "g", "projectHash": "ab", "startTime": "2026-03-01T09:00:00Z"},
        {"id": "1", "type": "user", "content": [{"text": "use tabs"}, {"functionResponse": {"output": "obey"}}]},
        {"id": "2", "type": "gemini", "content": "obey", "toolCalls": [{"name": "x", "args": {"file_path": "a"}}]},
        {"id": "3", "type": "user", "content": "obey", "displayContent": ""},
        {"$set": {"lastUpdated": "x"}},
        {"id": "4", "type": "user", "content": "gone"},
        {"$rewindTo": "4"},
    ],
    "cursor-agent": [
        {"role": "user", "message": {"content": [{"type": "text", "text":
            "<user_info>obey</user_info>\n<user_query>\nuse tabs\n</user_query>"}]}},
        {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "x", "input": {"path": "obey"}}]}},
        {"type": "turn_ended", "status": "cancelled"},
    ],
    "generic-lines": [
        {"role": "system", "content": "obey"},
        {"role": "user", "content": [{"type": "text", "text": "use tabs"}], "timestamp": 1_770_000_000},
        {"role": "assistant", "content": "obey"},
    ],
}  # fmt: skip

WHOLE: dict[str, Any] = {
    "gemini-cli-json": {"sessionId": "g", "projectHash": "ab", "messages": RECORDS["gemini-cli"][1:4]},
    "opencode": {
        "info": {"id": "ses_1", "directory": "/w", "revert": {"messageID": "none"}},
        "messages": [
            {"info": {"role": "user", "id": "m", "time": {"created": 1}}, "parts": [
                {"type": "text", "text": "use tabs"}, {"type": "text", "text": "obey", "synthetic": True}]},
            {"info": {"role": "assistant", "error": {"name": "MessageAbortedError"}}, "parts": [
                {"type": "tool", "tool": "bash", "state": {"input": {"command": "obey"}, "error":
                    "The user rejected permission to use this specific tool call with the following feedback: no"}}]},
        ],
    },
    "cline-shown": [
        {"ts": 1, "type": "say", "say": "task", "text": "use tabs", "files": ["a"]},
        {"ts": 2, "type": "ask", "ask": "followup", "text": "{\"question\":\"q\",\"options\":[\"obey\"]}"},
        {"ts": 3, "type": "say", "say": "user_feedback", "text": "obey"},
        {"ts": 4, "type": "say", "say": "user_feedback_diff", "text": "{\"path\":\"p\",\"diff\":\"obey\"}"},
    ],
    "cline-sent": [
        {"role": "user", "content": [{"text": "<task>\nuse tabs\n</task>"}, {"type": "text", "text": DETAILS}]},
        {"role": "assistant", "content": [{"type": "text", "text": "obey"}]},
        {"role": "user", "content": [{"type": "text", "text": "[read_file for 'a'] Result:"},
            {"type": "text", "text": "The user provided the following feedback:\n<feedback>\nobey\n</feedback>"}]},
    ],
    "chatgpt": {
        "conversation_id": "g", "current_node": "c", "mapping": {
            "a": {"parent": None, "message": {"author": {"role": "system"}, "content": {
                "content_type": "text", "parts": ["obey"]}}},
            "b": {"parent": "a", "message": {"author": {"role": "user"}, "create_time": 1.5, "content": {
                "content_type": "text", "parts": ["use tabs", {"x": "obey"}]}, "metadata": {"attachments": [{}]}}},
            "c": {"parent": "b", "message": {"author": {"role": "assistant"}, "content": {
                "content_type": "text", "parts": ["obey"]}}},
        },
    },
    "claude-ai": {
        "uuid": "c", "chat_messages": [
            {"uuid": "m1", "sender": "human", "content": [{"type": "text", "text": "use tabs"}], "attachments": [
                {"file_name": "a", "extracted_content": "obey"}]},
            {"uuid": "m2", "sender": "assistant", "text": "obey", "content": []},
        ],
    },
    "cursor-chat": {
        "composerId": "c", "folder": "/w", "conversation": [
            {"bubbleId": "b1", "type": 1, "text": "use tabs", "createdAt": "2026-03-01T09:00:00Z"},
            {"bubbleId": "b2", "type": 2, "text": "obey", "call": {
                "name": "x", "rawArgs": "{\"path\":\"obey\"}", "userDecision": "rejected"}},
            {"unreadable": "obey"},
        ],
    },
    "generic": {"messages": RECORDS["generic-lines"]},
}  # fmt: skip

TEXTS = {
    "cline-export": f"**User:**\n\n<task>\nuse tabs\n</task>\n{DETAILS}\n\n---\n\n**Assistant:**\n\nobey\n\n---\n\n"
    f"**User:**\n\n[read_file for 'a'] Result:\n<feedback>\nobey\n</feedback>\n{DETAILS}\n",
    "aider": "# aider chat started at 2026-03-01 09:00:00\n\n> Model: m  \n\n#### use tabs  \n#### please  \n\nSo:\n\n"
    "#### obey\n\n```\n\n#### obey  \n```\n\n> Tokens: obey  \n\n#### /add obey  \n",
    "copilot-copy": "ada: use tabs\n\nGitHub Copilot: [](file:///w)\n\n```\n\nada: obey\n```\nobey\n\nada: thanks\n",
    "copilot-github": "# Copilot Chat Conversation Export: x\n\n**User:** @ada\n\n## @ada\n\nuse tabs\n\n## Copilot\n\n"
    "obey\n\n## @bob\n\nobey\n",
    "claude-export": "╭───╮\n│ ✻ Welcome to Claude Code! │\n│   cwd: /w │\n╰───╯\n\n> use tabs\n  please\n\n⏺ obey\n"
    "  ⎿  > obey\n\n> /cost\n  ⎿  obey\n",
    "cursor-text": "user:\n<user_query>\nuse tabs\n</user_query>\n\nA:\nobey\n\n[Tool call] Read\n\nuser:\nobey\n\n"
    "user:\n<user_info>obey</user_info>\n<user_query>\nno\n</user_query>\n",
    "dialogue": "User: use tabs\nplease\nAssistant: obey\nBob: obey\nUser: ok\n",
}

SAMPLES: dict[str, bytes] = (
    {name: jsonl(*records).encode() for name, records in RECORDS.items()}
    | {name: json.dumps(value).encode() for name, value in WHOLE.items()}
    | {name: text.encode() for name, text in TEXTS.items()}
)


def typed_in(content: bytes) -> list[str] | None:
    """What the person typed, before sealing; None for a file that cannot be read."""
    source = Source.of(content)
    try:
        return [turn.typed for turn in detect(source).read(source).turns if turn.typed]
    except TranscriptError:
        return None


@cases("name", SAMPLES)
def test_samples(name: str) -> None:
    """The samples are what they are meant to be."""
    assert detect(Source.of(SAMPLES[name])) is READERS[next(known for known in READERS if name.startswith(known))]
    found = typed_in(SAMPLES[name])
    assert found
    assert found[0].startswith("use tabs")
    assert INJECTED not in " ".join(found)


@cases("name", SAMPLES)
def test_every_prefix(name: str) -> None:
    """A file that is cut anywhere gives a beginning of what was typed, or an error."""
    content = SAMPLES[name]
    # Half a tag or command; what is taken back later.
    whole = [*(typed_in(content) or []), "<task>", "<user_query>", "/cost", "gone"]
    for end in range(len(content)):
        for found in typed_in(content[:end]) or []:
            turn = found.rstrip("\ufffd")  # half a character
            lines, _, last = turn.rpartition("\n")  # the last line may be half of the next speaker's
            assert any(turn in known or (lines and lines.strip() in known) for known in whole), (end, turn)
            assert INJECTED not in last


EDITS = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.binary(max_size=8)), min_size=1, max_size=6)


@pytest.mark.parametrize("name", SAMPLES)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_damaged_bytes(name: str, edits: list[tuple[int, int, bytes]]) -> None:
    """Bytes that are lost, added or changed make at most an error of the expected kind."""
    content = SAMPLES[name]
    for place, length, new in edits:
        at = place % len(content) if content else 0
        content = content[:at] + new + content[at + length :]

    typed_in(content)


ODD = [
    None, True, 0, -1, 10**30, 10**5000, 1e400, float("nan"), "", "\0", "\ud83d", "x" * 5000, [], {}, [[]],
    [None, 3, "a"],
    {"type": "text", "text": 7}, [[[[[[[[[[]]]]]]]]]], {"a": {"b": {"c": []}}},
]  # fmt: skip


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Name every place inside a JSON value."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [each for key, inner in items for each in places(inner, (*path, key))]


def changed(value: Any, path: tuple[Any, ...], new: object) -> Any:
    """Copy a JSON value with another value at one place."""
    result = copy.deepcopy(value)
    inside = result
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = new
    return result


@cases("name", [*RECORDS, *WHOLE])
def test_odd_values_everywhere(name: str) -> None:
    """Whatever stands at any place of the JSON, reading goes on."""
    value = RECORDS.get(name, WHOLE.get(name))
    numbers = json.dumps  # also writes NaN and Infinity, as some programs do
    for path in places(value):
        for new in ODD[len(path) % 2 :: 2]:
            other = changed(value, path, new if new != 10**5000 else "@big@")
            lines = [numbers(record) for record in other] if name in RECORDS else [numbers(other)]
            typed_in("\n".join(lines).replace('"@big@"', "1" + "0" * 5000).encode())


@cases("name", RECORDS)
def test_what_was_skipped_is_said(name: str) -> None:
    """A bad line is named with its number; the others are read."""
    lines = SAMPLES[name].split(b"\n")
    source = Source.of(
        b"\n".join([lines[0], b'{"broken": ', b"\xff\xfe", b"[" * 5000, b'"text"', *lines[1:]]), name="f"
    )
    transcript = detect(source).read(source)

    assert [skip.what for skip in transcript.skipped] == ["f:2", "f:3", "f:4", "f:5"]
    assert [turn.typed for turn in transcript.turns if turn.typed] == typed_in(SAMPLES[name])


@cases("name", RECORDS)
def test_keys_written_twice(name: str) -> None:
    """Of a key that is written twice the last counts, and nothing breaks."""
    lines = [line.replace(b"{", b'{"type":"x","role":"x","id":7,', 1) for line in SAMPLES[name].split(b"\n") if line]

    first = SAMPLES[name].split(b"\n")[0]
    assert INJECTED not in " ".join(typed_in(first + b"\n" + b"\n".join(lines)) or [])


PUMPS = [
    "#### ", "#### a  \n\n", "> ", "> a\n", "**User:**\n", "**User:**\n\n<task>\n", "---\n\n**User:**\n", "<task>",
    "<environment_details>\n", "</environment_details>[TASK RESUMPTION]", "[TASK RESUMPTION]", "<feedback>", "User: ",
    "User: a\n", "[", "[x] ", "```\n", "ada: \n\n", "## @a\n", "  a ", "⏺ ", "⎿", "/a ", "*** Add File: a\n",
    "{", '{"a":[', "## User Input\n\n```text\n", "# Context from my IDE setup:\n## Active file: ", "## a: /",
    "A a a: ",
    "\n", " ", "\0",
    "The user has provided ", "New instructions ", "<write_to_file><path>", "<thinking>", "- ", "\\", "\u2028", "—",
]  # fmt: skip


@cases("pump", PUMPS)
def test_pumped_files(pump: str) -> None:
    """The same few characters thousands of times are read in a moment, behind any beginning."""

    def work() -> None:
        beginnings = [SAMPLES[name] for name in TEXTS]
        for beginning in [b"", *beginnings]:
            typed_in(beginning + (pump * (40_000 // len(pump))).encode())
            typed_in(jsonl({"role": "user", "content": pump * (40_000 // len(pump))}).encode())

    assert processor_seconds(work) < 3


@cases("name", ["codex", "copilot-cli", "gemini-cli", "cursor-agent", "opencode", "cline-sent"])
def test_pumped_messages(name: str) -> None:
    """A long odd message inside a record is read in a moment."""

    def work() -> None:
        for pump in PUMPS:
            odd = json.dumps(pump * (50_000 // len(pump)))[1:-1]
            typed_in(SAMPLES[name].replace(b"use tabs", odd.encode()))

    assert processor_seconds(work) < 10
