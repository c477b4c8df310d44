"""What each format tells besides text: votes, edits, refusals, commands, files, agents, models, places, times.

A signal that stands in no row of a format is one that its files do not hold.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cases import cases
from reader_kit import answers, jsonl, typed

from memsuggest.transcripts.reading import read_source
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
        "attached": "spec.md", "written": "a.ts", "rejected_tool": "Write: /w/a.ts", "after_interruption": True,
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
        "attached": "spec.md", "written": "a.ts", "after_interruption": True, "rejected_tool": "apply_patch: a.ts",
        "customizations": "AGENTS.md", "model": "gpt-5", "branch": "next", "cwd": "/w", "at": True,
    }),
    "vscode-chat": Sample("v.json", CHAT, {
        "vote": -1, "kept": True, "undone": True, "changed": True, "rejected_tool": "Delete it",
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
        "attached": "spec.md", "written": "a.ts", "rejected_tool": "create: /w/a.ts", "after_interruption": True,
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
        "written": "a.ts", "rejected_tool": "write_file: /w/a.ts", "after_interruption": True, "model": "pro",
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
        "attached": "spec.md", "written": "a.ts", "rejected_tool": "write: /w/a.ts", "after_interruption": True,
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
    }, {"written": "a.ts", "rejected_tool": "edit_file", "cwd": "/w", "at": True}),
    "chatgpt": Sample("g.json", {
        "conversation_id": "g", "current_node": "b", "mapping": {
            "a": {"message": {"author": {"role": "user"}, "create_time": MS / 1000, "content": {
                "content_type": "text", "parts": ["build it"]}, "metadata": {"attachments": [{"name": "spec.md"}]}}},
            "b": {"parent": "a", "message": {"author": {"role": "assistant"}, "content": {
                "content_type": "text", "parts": ["done"]}, "metadata": {"model_slug": "gpt-5"}}},
        },
    }, {"attached": "spec.md", "model": "gpt-5", "at": True}),
    "claude-ai": Sample("c.json", {
        "uuid": "c", "chat_messages": [
            {"sender": "human", "text": "build it", "created_at": AT, "attachments": [{"file_name": "spec.md"}]},
            {"sender": "assistant", "text": "done"},
        ],
    }, {"attached": "spec.md", "at": True}),
    "specstory": Sample("s.md",
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n<!-- cursor Session 1f2e (2026-03-01 09:00Z) -->\n\n"
        "# Build it (2026-03-01 09:00Z)\n\n_**User (2026-03-01 09:00Z)**_\n\nbuild it\n\n---\n\n"
        "_**Agent (model big, mode Agent)**_\n\n<tool-use data-tool-type=\"write\" data-tool-name=\"x\"><details>\n"
        "<summary>Write file: a.ts</summary>\n</details></tool-use>\n\n---\n\n_**User (2026-03-01 09:01Z)**_\n\n"
        "[Request interrupted by user]\n\n---\n\n_**User (2026-03-01 09:02Z)**_\n\nnot so\n\n---\n",
        {"written": "a.ts", "after_interruption": True, "model": "big", "agent": "Agent", "at": True}),
    "aider": Sample(".aider.chat.history.md",
        "\n# aider chat started at 2026-03-01 09:00:00\n\n> Main model: big with diff edit format  \n"
        "> Added CONVENTIONS.md to the chat.  \n\n#### /add spec.md  \n\n#### build it  \n\nEditing.\n\n"
        "> Applied edit to a.ts  \n\n> ^C KeyboardInterrupt  \n\n#### /undo  \n\n> Removed: 1234abc  \n\n"
        "#### not so  \n",
        {"attached": "spec.md", "written": "a.ts", "undone": True, "after_interruption": True,
         "customizations": "CONVENTIONS.md", "model": "big", "at": True}),
    "generic": Sample("g.jsonl", [
        {"role": "user", "content": "build it", "timestamp": AT, "cwd": "/w"},
        {"role": "assistant", "content": "done", "model": "big"},
    ], {"model": "big", "cwd": "/w", "at": True}),
    "copilot-copy": Sample("c.md", "ada: build [](file:///w/spec.md#1-2)\n\nGitHub Copilot: done\n",
        {"attached": "spec.md"}),
}  # fmt: skip


def transcript_of(sample: Sample, folder: Path) -> Transcript:
    """Write the session to a file, and read that."""
    text = sample.content if isinstance(sample.content, str) else ""
    if not text:
        lines = sample.name.endswith(".jsonl")
        text = jsonl(*sample.content) if lines else json.dumps(sample.content)
    path = folder / sample.name
    path.write_text(text, encoding="utf-8")
    return read_source(Source.at(path))


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
    found = list(transcript.files_written) if signal == "written" else values(transcript, signal)

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
