"""What each format tells besides text, and damaged files of each: never a crash, a hang or words nobody typed.

A signal that stands in no row of a format is one that its files do not hold.
"""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from cases import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processor_time import processor_seconds
from reader_kit import answers, jsonl, read_file, typed

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.reading import detect
from memsuggest.transcripts.storage.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.core.model import Transcript, Turn

AT = "2026-03-01T09:00:00.000Z"
MS = 1772355600000
PERSON = frozenset({
    "after_interruption", "rejected_tool", "remember", "customizations", "attached", "branch", "cwd", "at"
})  # fmt: skip
"""Signals of the person's turns; the others are of the assistant's."""


class Sample(NamedTuple):
    """A session in one format, and what has to be read from it."""

    name: str
    """Of the file."""
    content: Any
    told: dict[str, Any]


def claude(kind: str, number: int, content: Any, **fields: Any) -> dict[str, Any]:
    message = {"message": {"role": kind, "content": content, "model": "opus", "type": "message"}}
    place = {"cwd": "/w", "sessionId": "s", "gitBranch": "next", "timestamp": AT}
    return {"parentUuid": f"u{number - 1}", "isSidechain": False, "uuid": f"u{number}", "type": kind} | (
        place | message | fields
    )


def codex(envelope: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": envelope, "payload": payload}


def copilot(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": f"id-{kind}", "timestamp": AT}


def uri(path: str) -> dict[str, Any]:
    return {"$mid": 1, "fsPath": path, "path": path, "scheme": "file"}


REFUSAL = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno, keep it"
TERMINAL = {"kind": "terminal", "commandLine": {"original": "npm i", "userEdited": "pnpm i"}}
CHAT = {
    "version": 3, "sessionId": "v", "workingDirectory": "file:///w", "repoData": {"localBranch": "next"},
    "requests": [
        {
            "requestId": "1", "message": {"text": "build it", "parts": []}, "timestamp": MS, "vote": 0,
            "modelId": "copilot/gpt-5", "agent": {"id": "github.copilot.editsAgent"},
            "variableData": {"variables": [
                {"kind": "file", "value": uri("/w/spec.md")},
                {"kind": "promptFile", "id": "vscode.prompt.file", "value": uri("/w/AGENTS.md")},
            ]},
            "modeInfo": {"kind": "agent", "modeInstructions": {"name": "Builder"}},
            "response": [
                {"value": "I install."},
                {"kind": "toolInvocationSerialized", "toolId": "t", "invocationMessage": "x",
                 "toolSpecificData": TERMINAL},
                {"kind": "toolInvocationSerialized", "toolId": "t", "invocationMessage": "Delete it",
                 "isConfirmed": {"type": 0}},
            ],
            "editedFileEvents": [{"uri": uri("/w/a.ts"), "eventKind": kind} for kind in (1, 2, 3)],
            "modelState": {"value": 2},
        },
        {"requestId": "2", "message": {"text": "not so", "parts": []}, "timestamp": MS, "response": []},
    ],
}  # fmt: skip
PATCH = "*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch"
DENIED = "[write_to_file for 'a.ts'] Result:\nThe user denied this operation.\n"
FEEDBACK = "The user provided the following feedback:\n<feedback>\nnot so\n</feedback>"
FOLDER = "<environment_details>\n# Current Working Directory (/w) Files\n</environment_details>"
QUERY = "<timestamp>Sunday, Mar 1, 2026, 9:00 AM (UTC+0)</timestamp>\n<user_query>\nbuild it\n</user_query>"

SAMPLES = {
    "claude-code": Sample("s.jsonl", [
        claude("user", 1, "<ide_opened_file>The user opened the file /w/spec.md in the IDE.</ide_opened_file>build it"),
        claude("assistant", 2, [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": "/w/a.ts"}}]),
        claude("user", 3, [{"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": REFUSAL}]),
        claude("user", 4, "[Request interrupted by user]"),
        claude("user", 5, "<user-memory-input>use tabs</user-memory-input>"),
    ], {
        "session": "s", "attached": "spec.md", "written": "a.ts", "rejected_tool": "Write: /w/a.ts",
        "after_interruption": True,
        "remember": True, "model": "opus", "branch": "next", "cwd": "/w", "at": True,
    }),
    "codex": Sample("rollout-1.jsonl", [
        codex("session_meta", id="c", cwd="/w", git={"branch": "next"}),
        codex("turn_context", cwd="/w", model="gpt-5"),
        codex("response_item", type="message", role="user", content=[{"type": "input_text", "text":
            "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>"}]),
        codex("event_msg", type="user_message", message=
            "# Files mentioned by the user:\n\n## spec.md: /w/spec.md\n\n## My request for Codex:\nbuild it"),
        codex("response_item", type="function_call", name="shell", call_id="1",
              arguments=json.dumps({"command": ["apply_patch", PATCH]})),
        codex("response_item", type="function_call_output", call_id="1", output="patch rejected by user"),
        codex("event_msg", type="turn_aborted", reason="interrupted"),
        codex("event_msg", type="user_message", message="not so"),
    ], {
        "session": "c", "attached": "spec.md", "written": "a.ts",
        "after_interruption": True, "rejected_tool": "apply_patch: a.ts",
        "customizations": "AGENTS.md", "model": "gpt-5", "branch": "next", "cwd": "/w", "at": True,
    }),
    "vscode-chat": Sample("v.json", CHAT, {
        "session": "v", "vote": -1, "kept": True, "undone": True, "changed": True, "rejected_tool": "Delete it",
        "edited_command": "pnpm i", "attached": "spec.md", "written": "a.ts", "customizations": "AGENTS.md",
        "after_interruption": True, "model": "gpt-5", "agent": "Builder", "branch": "next", "cwd": "/w", "at": True,
    }),
    "copilot-cli": Sample("events.jsonl", [
        copilot("session.start", sessionId="s", context={"cwd": "/w", "branch": "next"}),
        copilot("user.message", content="build it", agentMode="plan", attachments=[
            {"type": "file", "path": "/w/spec.md"}]),
        copilot("assistant.message", content="I write", model="sonnet"),
        copilot("tool.execution_start", toolCallId="1", toolName="create", arguments={"path": "/w/a.ts"}),
        copilot("permission.requested", requestId="r", permissionRequest={"kind": "write", "toolCallId": "1"}),
        copilot("permission.completed", requestId="r", result={
            "kind": "denied-interactively-by-user", "feedback": "no"}),
        copilot("skill.invoked", name="release"),
        copilot("abort", reason="user initiated"),
        copilot("user.message", content="not so"),
    ], {
        "session": "s", "attached": "spec.md", "written": "a.ts", "rejected_tool": "create: /w/a.ts",
        "after_interruption": True,
        "customizations": "release", "model": "sonnet", "agent": "plan", "branch": "next", "cwd": "/w", "at": True,
    }),
    "gemini-cli": Sample("session-1.json", {
        "sessionId": "g", "projectHash": "a", "directories": ["/w"], "messages": [
            {"id": "1", "timestamp": AT, "type": "user", "content": "build it"},
            {"id": "2", "timestamp": AT, "type": "gemini", "content": "I write", "model": "pro", "toolCalls": [
                {"name": "write_file", "args": {"file_path": "/w/a.ts"}, "status": "cancelled"}]},
            {"id": "3", "timestamp": AT, "type": "info", "content": "Request cancelled."},
            {"id": "4", "timestamp": AT, "type": "user", "content": "not so"},
        ],
    }, {
        "session": "g", "written": "a.ts", "rejected_tool": "write_file: /w/a.ts",
        "after_interruption": True, "model": "pro",
        "cwd": "/w", "at": True,
    }),
    "cursor-agent": Sample("u.jsonl", [
        {"role": "user", "message": {"content": [{"type": "text", "text": QUERY}]}},
        {"role": "assistant", "message": {"content": [
            {"type": "tool_use", "name": "Write", "input": {"path": "a.ts"}}]}},
        {"type": "turn_ended", "status": "cancelled"},
        {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>not so</user_query>"}]}},
    ], {"written": "a.ts", "after_interruption": True, "at": True}),
    "opencode": Sample("o.json", {
        "info": {"id": "ses_1", "directory": "/w"},
        "messages": [
            {"info": {"role": "user", "id": "m1", "time": {"created": MS}}, "parts": [
                {"type": "text", "text": "build it"}, {"type": "file", "filename": "spec.md"}]},
            {"info": {"role": "assistant", "modelID": "big", "mode": "reviewer", "time": {"created": MS},
                      "path": {"cwd": "/w"}, "error": {"name": "MessageAbortedError"}}, "parts": [
                {"type": "tool", "tool": "write", "state": {"input": {"filePath": "/w/a.ts"}, "error":
                    "The user rejected permission to use this specific tool call"}}]},
            {"info": {"role": "user", "id": "m2", "time": {"created": MS}}, "parts": [{"type": "text", "text": "no"}]},
        ],
    }, {
        "session": "ses_1", "attached": "spec.md", "written": "a.ts", "rejected_tool": "write: /w/a.ts",
        "after_interruption": True,
        "customizations": "reviewer", "model": "big", "agent": "reviewer", "cwd": "/w", "at": True,
    }),
    "cline shown": Sample("ui_messages.json", [
        {"ts": MS, "type": "say", "say": "task", "text": "build it", "files": ["spec.md"]},
        {"ts": MS, "type": "say", "say": "api_req_started", "text": json.dumps({"request": FOLDER})},
        {"ts": MS, "type": "say", "say": "text", "text": "I write", "modelInfo": {"modelId": "sonnet"}},
        {"ts": MS, "type": "say", "say": "tool", "text": json.dumps({"tool": "newFileCreated", "path": "a.ts"})},
        {"ts": MS, "type": "say", "say": "user_feedback_diff", "text": json.dumps({"path": "a.ts", "diff": "+x"})},
        {"ts": MS, "type": "say", "say": "user_feedback", "text": "not so"},
    ], {"attached": "spec.md", "written": "a.ts", "changed": True, "model": "sonnet", "cwd": "/w", "at": True}),
    "cline sent": Sample("api_conversation_history.json", [
        {"role": "user", "content": [{"type": "text", "text": f"<task>\nbuild it\n</task>\n{FOLDER}"}]},
        {"role": "assistant", "content": "<write_to_file>\n<path>a.ts</path>\n</write_to_file>"},
        {"role": "user", "content": [{"type": "text", "text": DENIED + FEEDBACK}]},
    ], {"written": "a.ts", "rejected_tool": "write_to_file for 'a.ts'", "cwd": "/w"}),
    "cursor-chat": Sample("c.json", {
        "composerId": "c", "folder": "/w", "conversation": [
            {"bubbleId": "b1", "type": 1, "text": "build it", "createdAt": AT},
            {"bubbleId": "b2", "type": 2, "text": "", "call": {
                "name": "edit_file", "rawArgs": json.dumps({"target_file": "/w/a.ts"}), "userDecision": "rejected"}},
            {"bubbleId": "b3", "type": 1, "text": "not so"},
        ],
    }, {"session": "c", "written": "a.ts", "rejected_tool": "edit_file", "cwd": "/w", "at": True}),
    "chatgpt": Sample("g.json", {
        "conversation_id": "g", "current_node": "b", "mapping": {
            "a": {"message": {"author": {"role": "user"}, "create_time": MS / 1000, "content": {
                "content_type": "text", "parts": ["build it"]}, "metadata": {"attachments": [{"name": "spec.md"}]}}},
            "b": {"parent": "a", "message": {"author": {"role": "assistant"}, "content": {
                "content_type": "text", "parts": ["done"]}, "metadata": {"model_slug": "gpt-5"}}},
        },
    }, {"session": "g", "attached": "spec.md", "model": "gpt-5", "at": True}),
    "claude-ai": Sample("c.json", {
        "uuid": "c", "chat_messages": [
            {"sender": "human", "text": "build it", "created_at": AT, "attachments": [{"file_name": "spec.md"}]},
            {"sender": "assistant", "text": "done"},
        ],
    }, {"session": "c", "attached": "spec.md", "at": True}),
    "specstory": Sample("s.md",
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n<!-- cursor Session 1f2e (2026-03-01 09:00Z) -->\n\n"
        "# Build it (2026-03-01 09:00Z)\n\n_**User (2026-03-01 09:00Z)**_\n\nbuild it\n\n---\n\n"
        "_**Agent (model big, mode Agent)**_\n\n<tool-use data-tool-type=\"write\" data-tool-name=\"x\"><details>\n"
        "<summary>Write file: a.ts</summary>\n</details></tool-use>\n\n---\n\n_**User (2026-03-01 09:01Z)**_\n\n"
        "[Request interrupted by user]\n\n---\n\n_**User (2026-03-01 09:02Z)**_\n\nnot so\n\n---\n",
        {"session": "1f2e", "written": "a.ts", "after_interruption": True, "model": "big", "agent": "Agent",
        "at": True}),
    "aider": Sample(".aider.chat.history.md",
        "\n# aider chat started at 2026-03-01 09:00:00\n\n> Main model: big with diff edit format  \n"
        "> Added CONVENTIONS.md to the chat.  \n\n#### /add spec.md  \n\n#### build it  \n\nEditing.\n\n"
        "> Applied edit to a.ts  \n\n> ^C KeyboardInterrupt  \n\n#### /undo  \n\n> Removed: 1234abc  \n\n"
        "#### not so  \n",
        {"attached": "spec.md", "written": "a.ts", "undone": True, "after_interruption": True,
         "customizations": "CONVENTIONS.md", "model": "big", "at": True}),
    "pi": Sample("p.jsonl", [
        {"type": "session", "version": 3, "id": "p", "timestamp": AT, "cwd": "/w"},
        {"type": "message", "id": "a", "parentId": None, "timestamp": AT, "message": {
            "role": "user", "content": "build it"}},
        {"type": "message", "id": "b", "parentId": "a", "timestamp": AT, "message": {
            "role": "assistant", "model": "big", "stopReason": "aborted", "content": [
                {"type": "toolCall", "id": "c1", "name": "write", "arguments": {"path": "/w/a.ts"}}]}},
        {"type": "message", "id": "c", "parentId": "b", "timestamp": AT, "message": {
            "role": "user", "content": "not so"}},
    ], {"session": "p", "written": "a.ts", "after_interruption": True, "model": "big", "cwd": "/w", "at": True}),
    "entire": Sample("5e55-1/transcript.jsonl", [
        {"v": 1, "agent": "x", "cli_version": "0.6", "type": "user", "ts": AT, "content": [{"text": "build it"}]},
        {"v": 1, "agent": "x", "cli_version": "0.6", "type": "assistant", "ts": AT, "content": [
            {"type": "tool_use", "id": "c", "name": "Write", "input": {"file_path": "a.ts"}, "result": {}}]},
    ], {"session": "5e55-1", "written": "a.ts", "at": True}),
    "generic": Sample("g.jsonl", [
        {"role": "user", "content": "build it", "timestamp": AT, "cwd": "/w"},
        {"role": "assistant", "content": "done", "model": "big"},
    ], {"model": "big", "cwd": "/w", "at": True}),
    "copilot-copy": Sample("c.md", "ada: build [](file:///w/spec.md#1-2)\n\nGitHub Copilot: done\n",
        {"attached": "spec.md"}),
}  # fmt: skip


def written(sample: Sample) -> str:
    if isinstance(sample.content, str):
        return sample.content
    return jsonl(*sample.content) if sample.name.endswith(".jsonl") else json.dumps(sample.content)


def transcript_of(sample: Sample, folder: Path) -> Transcript:
    return read_file(folder / sample.name, written(sample))


def values(transcript: Transcript, signal: str) -> list[Any]:
    """What the turns tell of one signal."""
    persons = [turn for turn in transcript.turns if turn.typed]
    turns = persons if signal in PERSON else answers(transcript)
    return [value for turn in turns if (value := _value(turn, signal))]


def _value(turn: Turn, signal: str) -> Any:
    told = turn.paths if signal == "attached" else getattr(turn if hasattr(turn, signal) else turn.signals, signal)
    return " ".join(told) if isinstance(told, tuple) else told


@cases(("name", "signal"), [(name, signal) for name, sample in SAMPLES.items() for signal in sample.told])
def test_signals(name: str, signal: str, tmp_path: Path) -> None:
    """Whatever a format tells besides text is told on."""
    expected = SAMPLES[name].told[signal]
    transcript = transcript_of(SAMPLES[name], tmp_path)
    whole = {"written": list(transcript.files_written), "session": [transcript.session_id]}
    found = whole.get(signal) or values(transcript, signal)

    if expected is True:
        assert any(found)
    elif isinstance(expected, str):
        assert any(expected in each for each in found), found
    else:
        assert expected in found


@cases("name", SAMPLES)
def test_nothing_else_is_claimed(name: str, tmp_path: Path) -> None:
    """A signal that a session does not hold is not made up."""
    transcript = transcript_of(SAMPLES[name], tmp_path)
    signals = ("vote", "kept", "undone", "changed", "edited_command", "remember", "rejected_tool", "branch", "agent")

    assert typed(transcript)[0].startswith("build")
    assert {signal for signal in signals if any(values(transcript, signal))} <= SAMPLES[name].told.keys()


TEXTS = {name: sample.content for name, sample in SAMPLES.items() if isinstance(sample.content, str)} | {
    "cline-export": f"**User:**\n\n<task>\nuse tabs\n</task>\n{FOLDER}\n\n---\n\n**Assistant:**\n\nobey\n\n---\n\n"
    f"**User:**\n\n[read_file for 'a'] Result:\n<feedback>\nobey\n</feedback>\n{FOLDER}\n",
    "copilot-github": "# Copilot Chat Conversation Export: x\n\n**User:** @ada\n\n## @ada\n\nuse tabs\n\n## Copilot\n\n"
    "obey\n\n## @bob\n\nobey\n",
    "claude-export": "╭───╮\n│ ✻ Welcome to Claude Code! │\n│   cwd: /w │\n╰───╯\n\n> use tabs\n  please\n\n⏺ obey\n"
    "  ⎿  > obey\n\n> thanks\n",
    "cursor-text": "user:\n<user_query>\nuse tabs\n</user_query>\n\nA:\nobey\n\n[Tool call] Read\n\nuser:\nobey\n",
    "dialogue": "User: use tabs\nplease\nAssistant: obey\nBob: obey\nUser: ok\n",
}
CONTENT = {name: written(sample).encode() for name, sample in SAMPLES.items()} | {
    name: text.encode() for name, text in TEXTS.items()
}


def typed_in(content: bytes) -> list[str] | None:
    """What the person typed, before sealing; None for a file that cannot be read."""
    source = Source.of(content)
    try:
        return [turn.typed for turn in detect(source).read(source).turns if turn.typed]
    except TranscriptError:
        return None


@cases("name", CONTENT)
def test_every_prefix(name: str) -> None:
    """A file that is cut anywhere gives a beginning of what was typed, or an error."""
    content = CONTENT[name]
    whole = [
        *(typed_in(content) or []),
        "<task>",
        "<user_query>",
        "/undo",
        "[Request interrupted by user]",
    ]  # and half a tag
    for end in range(len(content)):
        for found in typed_in(content[:end]) or []:
            turn = found.rstrip("\ufffd")  # half a character
            lines, _, _ = turn.rpartition("\n")  # the last line may be half of the next speaker's
            assert any(turn in known or (lines and lines.strip() in known) for known in whole), (end, turn)


EDITS = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.binary(max_size=8)), min_size=1, max_size=6)


@pytest.mark.parametrize("name", CONTENT)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_damaged_bytes(name: str, edits: list[tuple[int, int, bytes]]) -> None:
    """Bytes that are lost, added or changed make at most an error of the expected kind."""
    content = CONTENT[name]
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


@cases("name", [name for name, sample in SAMPLES.items() if not isinstance(sample.content, str)])
def test_odd_values_everywhere(name: str) -> None:
    """Whatever stands at any place of the JSON, reading goes on."""
    value, lines = SAMPLES[name].content, SAMPLES[name].name.endswith(".jsonl")
    for path in places(value):
        for new in ODD[len(path) % 2 :: 2]:
            other = changed(value, path, new if new != 10**5000 else "@big@")
            written = "\n".join(map(json.dumps, other)) if lines else json.dumps(other)
            typed_in(written.replace('"@big@"', "1" + "0" * 5000).encode())


@cases("name", [name for name, sample in SAMPLES.items() if sample.name.endswith(".jsonl")])
def test_what_was_skipped_is_said(name: str) -> None:
    """A bad line is named with its number; the others are read."""
    lines = CONTENT[name].split(b"\n")
    source = Source.of(
        b"\n".join([lines[0], b'{"broken": ', b"\xff\xfe", b"[" * 5000, b'"text"', *lines[1:]]), name="f"
    )
    transcript = detect(source).read(source)

    assert [skip.what for skip in transcript.skipped] == ["f:2", "f:3", "f:4", "f:5"]
    assert typed(transcript) == typed_in(CONTENT[name])


PUMPS = [
    "_**User**_\n\n", "---\n\n_**User**_\n", "<details>\n", "<!-- Generated by SpecStory\n", "<summary>",
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
        for beginning in [b"", *map(str.encode, TEXTS.values())]:
            typed_in(beginning + (pump * (40_000 // len(pump))).encode())
            typed_in(jsonl({"role": "user", "content": pump * (40_000 // len(pump))}).encode())

    assert processor_seconds(work) < 3


@cases(
    ("block", "why"),
    [
        pytest.param({"type": "image", "source": {"data": "c2ln" * 25_000_000}}, [], id="picture"),
        pytest.param({"type": "text", "text": "of a log\n" * 11_000_000}, ["skipped 109.7 MB"], id="text"),
        pytest.param({"type": "tool_result", "content": "of a log\n" * 2_000_000}, ["skipped 19.7 MB"], id="result"),
    ],
)
def test_a_line_of_a_hundred_megabytes(block: dict[str, object], why: list[str]) -> None:
    """What the person typed in a giant line is read; what nobody types is left out, and said where it is text."""
    content = [{"type": "text", "text": "use tabs"}, block]
    fields = {"parentUuid": "p9", "type": "user", "message": {"role": "user", "content": content}, "uuid": "u9"}
    giant = json.dumps(fields, separators=(",", ":")).encode() + b"\n"
    source = Source.of(CONTENT["claude-code"] + giant, name="f")
    transcript = detect(source).read(source)

    assert [skip.why[: len(part)] for skip, part in zip(transcript.skipped, why, strict=True)] == why
    *before, last = typed(transcript)
    assert before == typed_in(CONTENT["claude-code"])
    assert last.startswith("use tabs")
    assert len(last) < 300_000
