"""What the assistants of editors write, with foreign text in it."""

# ruff: noqa: E501  (tables of invented texts and records)
from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .event import REPO, as_jsonl, take_all, uri

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .event import Event


def _requests(events: Sequence[Event]) -> list[dict[str, object]] | None:
    requests: list[dict[str, object]] = []
    variables: list[dict[str, object]] = []

    def ask(text: str, **fields: object) -> None:
        requests.append({
            "requestId": f"request_{len(requests)}", "message": {"text": text, "parts": []}, "response": [],
            "responseId": f"response_{len(requests)}", "timestamp": 1772355600000 + 60000 * len(requests),
            "modelId": "copilot/gpt-5", "variableData": {"variables": variables.copy()}, "result": {"metadata": {}},
            **fields,
        })  # fmt: skip
        variables.clear()

    def answer(part: object) -> None:
        if not requests:
            ask("have a look")
        parts = requests[-1]["response"]
        assert isinstance(parts, list)
        parts.append(part)

    def tool(message: str, **fields: object) -> None:
        answer({"kind": "toolInvocationSerialized", "toolId": "copilot_x", "isConfirmed": {"type": 1},
                "isComplete": True, "invocationMessage": {"value": message}, **fields})  # fmt: skip

    def metadata(**fields: object) -> None:
        answer({"value": "Looking."})
        requests[-1]["result"] = {"metadata": fields}

    def option(text: str) -> None:
        answer({"kind": "questionCarousel", "questions": [{"id": "q", "options": [{"id": "1", "label": text}]}],
                "data": {"q": text}})  # fmt: skip

    def variable(**fields: object) -> None:
        variables.append(fields)

    def ask_with(kind: str, text: str, before: str = "", **fields: object) -> None:
        """Ask with a part that the editor marks as something else than text."""
        place = {"start": len(before), "endExclusive": len(before) + len(text)}
        ask(before + text, message={"text": before + text, "parts": [
            {"kind": "text", "text": before, "range": {"start": 0, "endExclusive": len(before)}},
            {"kind": kind, "text": text, "range": place, **fields}]})  # fmt: skip

    def follow(text: str) -> None:
        variable(kind="promptFile", id="vscode.prompt.file__x", value=uri(f"{REPO}/x.prompt.md"), isRoot=True)
        ask_with("prompt", f"Follow instructions in [x.prompt.md](file://{REPO}/x.prompt.md).\n{text}", promptText=text)

    takes: dict[str, Callable[[str], None]] = {
        "typed": ask,
        "said": lambda text: answer({"value": text}),
        "tool": lambda text: tool("Running", toolSpecificData={
            "kind": "terminal", "commandLine": {"original": "make"}, "terminalCommandOutput": {"text": text}}),
        "error": lambda text: tool("Failed", resultDetails={"input": "{}", "output": text, "isError": True}),
        "web": lambda text: tool("Fetched", resultDetails={"input": "{}", "output": [{"value": text}]}),
        "file": lambda text: metadata(toolCallResults={"c1": {"content": [{"value": text}]}}),
        "issue": lambda text: metadata(renderedUserMessage=[{"type": 1, "text": text}]),
        "attachment": lambda text: variable(kind="file", id="f", name="a.md", value=uri(f"{REPO}/a.md"), content=text),
        "selection": lambda text: variable(kind="implicit", id="s", isSelection=True, value={"uri": uri("/a"), "t": text}),
        "command": lambda text: variable(kind="promptText", id="p", value=text),
        "rules": lambda text: variable(kind="promptFile", id="vscode.prompt.x", value=uri(f"{REPO}/x.md"), text=text),
        "context": lambda text: variable(kind="paste", id="v", code=text, language="text"),
        "prompt file": follow,
        "reference": lambda text: ask_with("dynamic", f"#file:{text}", "look at ", id="f", data=uri(f"{REPO}/a.md")),
        "mention": lambda text: ask_with("toolset", f"#{text}", "look at "),
        "value": lambda text: variable(kind="string", id="v", name=text, value=text, modelDescription=text),
        "resource": lambda text: variable(kind="implicit", id="r", name=text, value={"uri": uri(f"{REPO}/{text}")}),
        "subagent": lambda text: tool("Task", toolSpecificData={"kind": "subagent", "prompt": text, "result": text}),
        "synthetic": lambda text: ask(text, isSystemInitiated=True),
        "option": option,
        "path": lambda text: tool(f"Reading [](file://{REPO}/{text.replace(' ', '%20')})"),
        "thinking": lambda text: answer({"kind": "thinking", "value": text}),
        "written": lambda text: answer({"kind": "textEditGroup", "uri": uri(f"{REPO}/n.md"), "edits": [[{"text": text}]]}),
        "hook": lambda text: answer({"kind": "hook", "hookType": "Stop", "systemMessage": text}),
        "notification": lambda text: answer({"kind": "systemNotification", "content": {"value": text}}),
    }  # fmt: skip
    return requests if take_all(events, takes) else None


def vscode_export(events: Sequence[Event]) -> str | None:
    requests = _requests(events)
    whole = {"responderUsername": "GitHub Copilot", "initialLocation": "panel", "requests": requests}
    return None if requests is None else json.dumps(whole, indent=2)


def vscode_log(events: Sequence[Event]) -> str | None:
    requests = _requests(events)
    if requests is None:
        return None
    begin = {"version": 3, "sessionId": "5e551011", "creationDate": 1772355600000, "requests": []}
    pushed = [{"kind": 2, "k": ["requests"], "v": [request]} for request in requests]
    return as_jsonl([{"kind": 0, "v": begin}, *pushed])


def cline_shown(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(sort: str, kind: str, text: object, **fields: object) -> None:
        told = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        stamp = 1_772_355_600_000 + len(messages)
        messages.append({"ts": stamp, "type": sort, sort: kind, "text": told, **fields})

    def option(text: str) -> None:
        put("ask", "followup", {"question": "Which?", "options": [text, "No"]})
        put("say", "user_feedback", text)

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("say", "user_feedback" if messages else "task", text),
        "said": lambda text: put("say", "text" if messages else "completion_result", text),
        "tool": lambda text: put("say", "command_output", text),
        "error": lambda text: put("say", "error", text),
        "web": lambda text: put("say", "tool", {"tool": "webFetch", "path": "https://x.example", "content": text}),
        "file": lambda text: put("say", "tool", {"tool": "readFile", "path": "README.md", "content": text}),
        "issue": lambda text: put("say", "mcp_server_response", text),
        "environment": lambda text: put("say", "api_req_started", {"request": f"<feedback>{text}</feedback>"}),
        "attachment": lambda text: put("say", "user_feedback" if messages else "task",
                                       f"look <file_content path='a.md'>\n{text}\n</file_content>"),
        "written": lambda text: put("say", "tool", {"tool": "newFileCreated", "path": "notes.md", "content": text}),
        "path": lambda text: put("say", "tool", {"tool": "readFile", "path": text}),
        "subagent": lambda text: put("say", "subagent_prompt", text),
        "summary": lambda text: put("say", "summary", text),
        "hook": lambda text: put("say", "hook_output", text),
        "thinking": lambda text: put("say", "reasoning", text),
        "option": option,
    }  # fmt: skip
    return json.dumps(messages, ensure_ascii=False) if take_all(events, takes) else None


_DETAILS = f"<environment_details>\n# Current Working Directory ({REPO}) Files\na.ts\n</environment_details>"


def cline_sent(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(role: str, *texts: str) -> None:
        blocks = [{"type": "text", "text": text} for text in texts]
        messages.append({"role": role, "content": blocks})

    def typed(text: str) -> None:
        if not messages:
            put("user", f"<task>\n{text}\n</task>", _DETAILS)
            return
        put("assistant", "<attempt_completion>\n<result>Done.</result>\n</attempt_completion>")
        said = "The user has provided feedback on the results. Consider their input to continue the task."
        put("user", "[attempt_completion] Result:", f"{said}\n<feedback>\n{text}\n</feedback>", _DETAILS)

    def result(call: str, text: str) -> None:
        put("assistant", f"<{call.split(maxsplit=1)[0]}>\n<path>README.md</path>\n</{call.split(maxsplit=1)[0]}>")
        put("user", f"[{call}] Result:", text, _DETAILS)

    put("user", "<task>\nhave a look\n</task>", _DETAILS)
    takes: dict[str, Callable[[str], None]] = {
        "typed": typed,
        "said": lambda text: put("assistant", text),
        "tool": lambda text: result("execute_command for 'make test'", f"Command executed.\nOutput:\n{text}"),
        "web": lambda text: result("web_fetch for 'https://docs.example.com'", text),
        "file": lambda text: result("read_file for 'README.md'", text),
        "issue": lambda text: result("use_mcp_tool for 'tracker'", text),
        "error": lambda text: result("search_files for 'x'", f"Found 1 result.\n{text}"),
        "environment": lambda text: put("user", "[ERROR] You did not use a tool in your previous response!",
                                        f"<environment_details>\n{text}\n</environment_details>"),
        "rules": lambda text: put("user", f"<explicit_instructions type=\"x\">\n{text}\n</explicit_instructions>", _DETAILS),
        "attachment": lambda text: put("user", "<task>\nlook at 'a.md'\n</task>",
                                       f"<file_content path=\"a.md\">\n{text}\n</file_content>", _DETAILS),
        "path": lambda text: result(f"read_file for '{text[:200]}'", "empty"),
    }  # fmt: skip
    return json.dumps(messages, ensure_ascii=False) if take_all(events, takes) else None


def opencode(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(role: str, *parts: dict[str, object]) -> None:
        info = {"id": f"msg_{len(messages)}", "role": role, "sessionID": "ses_5e55", "time": {"created": 1772355600000},
                "agent": "build", "path": {"cwd": REPO, "root": REPO}}  # fmt: skip
        messages.append({"info": info, "parts": list(parts)})

    def text_part(text: str, **fields: object) -> dict[str, object]:
        return {"type": "text", "text": text, **fields}

    def result(tool: str, given: dict[str, str], text: str) -> None:
        state = {"status": "completed", "input": given, "output": text, "title": tool, "metadata": {"output": text}}
        put("assistant", {"type": "tool", "tool": tool, "callID": "c", "state": state})

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", text_part(text)),
        "said": lambda text: put("assistant", text_part(text)),
        "tool": lambda text: result("bash", {"command": "make test"}, text),
        "error": lambda text: put("assistant", {"type": "tool", "tool": "docs_fetch", "state": {
            "status": "error", "input": {"page": "make"}, "error": text}}),
        "web": lambda text: result("webfetch", {"url": "https://docs.example.com"}, text),
        "file": lambda text: result("read", {"filePath": f"{REPO}/README.md"}, text),
        "issue": lambda text: result("bash", {"command": "gh issue view 7"}, text),
        "written": lambda text: result("write", {"filePath": f"{REPO}/notes.md", "content": text}, "ok"),
        "path": lambda text: result("read", {"filePath": f"{REPO}/{text}"}, "empty"),
        "attachment": lambda text: put("user", text_part("look at @a.md"), text_part(text, synthetic=True),
                                       {"type": "file", "filename": "a.md", "url": f"data:text/plain,{text}"}),
        "reminder": lambda text: put("user", text_part("look"), text_part(f"<system-reminder>{text}", synthetic=True)),
        "subagent": lambda text: put("assistant", {"type": "subtask", "prompt": text, "description": text}),
        "command": lambda text: put("user", text_part(text, synthetic=True), text_part("Summarize the task tool output "
                                    "above and continue with your task.", synthetic=True)),
        "thinking": lambda text: put("assistant", {"type": "reasoning", "text": text}),
        "summary": lambda text: put("assistant", text_part(text), {"type": "compaction"}),
    }  # fmt: skip
    whole = {"info": {"id": "ses_5e55", "directory": REPO, "title": "x", "version": "1.1"}, "messages": messages}
    return json.dumps(whole, indent=2) if take_all(events, takes) else None


def generic(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(role: str, content: object) -> None:
        messages.append({"role": role, "content": content})

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", text),
        "said": lambda text: put("assistant", text),
        "tool": lambda text: put("tool", text),
        "web": lambda text: put("user", [{"type": "tool_result", "tool_use_id": "c", "content": text}]),
        "file": lambda text: put("user", [{"type": "tool_result", "tool_use_id": "c",
                                           "content": [{"type": "text", "text": text}]}]),
        "issue": lambda text: put("function", text),
        "attachment": lambda text: put("user", [{"type": "document", "source": {"type": "text", "data": text}}]),
        "rules": lambda text: put("system", text),
        "context": lambda text: put("developer", text),
        "thinking": lambda text: put("assistant", [{"type": "thinking", "thinking": text}]),
    }  # fmt: skip
    return json.dumps(messages, ensure_ascii=False) if take_all(events, takes) else None


def cursor_agent(events: Sequence[Event]) -> str | None:
    records: list[object] = []

    def put(role: str, *blocks: dict[str, object]) -> None:
        records.append({"role": role, "message": {"content": list(blocks)}})

    def typed(text: str, around: str = "") -> None:
        put("user", {"type": "text", "text": f"{around}<user_query>\n{text}\n</user_query>"})

    takes: dict[str, Callable[[str], None]] = {
        "typed": typed,
        "said": lambda text: put("assistant", {"type": "text", "text": text}),
        "written": lambda text: put("assistant", {"type": "tool_use", "name": "Write", "input": {"path": "n.md", "contents": text}}),
        "attachment": lambda text: typed("look", f"<attached_files>\n{text}\n</attached_files>\n"),
        "behind": lambda text: put("user", {"type": "text", "text": f"<user_query>\nlook\n</user_query>\n{text}"}),
        "context": lambda text: typed("look", f"{text}\n"),
        "mention": lambda text: put("user", {"type": "text", "text": "<user_query>\nlook\n</user_query>"},
                                    {"type": "text", "text": text}),
        "environment": lambda text: typed("look", f"<user_info>\n{text}\n</user_info>\n"),
        "reminder": lambda text: typed("look", f"<system_reminder>\n{text}\n</system_reminder>\n"),
        "rules": lambda text: typed("look", f"<always_applied_workspace_rules>{text}</always_applied_workspace_rules>\n"),
    }  # fmt: skip
    return as_jsonl(records) if take_all(events, takes) else None
