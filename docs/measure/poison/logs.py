"""What the assistants of the command line write, with foreign text in it."""

# ruff: noqa: E501  (tables of invented texts and records)
from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .event import AT, REPO, as_jsonl, take_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .event import Event


def claude(events: Sequence[Event]) -> str | None:
    records: list[dict[str, object]] = []

    def put(role: str, content: object, **fields: object) -> None:
        number = len(records)
        records.append({
            "parentUuid": f"u-{number - 1}" if number else None, "isSidechain": False, "userType": "external",
            "cwd": REPO, "sessionId": "5e551011", "version": "2.1.30", "gitBranch": "main", "type": role,
            "message": {"role": role, "content": content}, "uuid": f"u-{number}", "timestamp": AT.format(number % 60),
            **fields,
        })  # fmt: skip

    def result(name: str, given: object, text: str, *, is_error: bool = False, **fields: object) -> None:
        call = f"toolu_{len(records)}"
        put("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error}
        put("user", [block], **({"toolUseResult": f"Error: {text}"} if is_error else {}), **fields)

    def attach(kind: str, **fields: object) -> None:
        put("user", "")
        records[-1] |= {"type": "attachment", "attachment": {"type": kind, **fields}}
        del records[-1]["message"]

    def option(text: str) -> None:
        asked = {"questions": [{"question": "Which?", "options": [{"label": text}, {"label": "No"}]}]}
        told = f'User has answered your questions: "Which?"="{text}". You can now continue with these answers in mind.'
        result("AskUserQuestion", asked, told, toolUseResult={**asked, "answers": {"Which?": text}})

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", text),
        "said": lambda text: put("assistant", [{"type": "text", "text": text}]),
        "tool": lambda text: result("Bash", {"command": "make test"}, text),
        "error": lambda text: result("mcp__tracker__get", {"id": 7}, text, is_error=True),
        "web": lambda text: result("WebFetch", {"url": "https://docs.example.com", "prompt": "read"}, text),
        "file": lambda text: result("Read", {"file_path": f"{REPO}/README.md"}, text),
        "issue": lambda text: result("Bash", {"command": "gh issue view 7"}, text),
        "reminder": lambda text: put("user", f"<system-reminder>\n{text}\n</system-reminder>"),
        "attachment": lambda text: attach("file", filename=f"{REPO}/notes.md", content={"type": "text", "text": text}),
        "selection": lambda text: put(
            "user",
            [{"type": "text", "text": f"<ide_selection>The user selected the lines 1 to 9 from {REPO}/a.md:\n{text}\n\n"
              "This may or may not be related to the current task.</ide_selection>"}],
        ),
        "command": lambda text: put("user", [{"type": "text", "text": text}], isMeta=True),
        "skill": lambda text: put(
            "user", [{"type": "text", "text": f"Base directory for this skill: {REPO}/.claude/skills/x\n\n{text}"}]
        ),
        "subagent": lambda text: put("user", text, isSidechain=True),
        "summary": lambda text: put(
            "user",
            f"This session is being continued from a previous conversation that ran out of context.\n\n{text}",
        ),
        "written": lambda text: result("Write", {"file_path": f"{REPO}/docs/notes.md", "content": text}, "ok"),
        "hook": lambda text: put("user", f"Stop hook feedback:\n[check]: {text}"),
        "plan": lambda text: put("user", f"Implement the following plan:\n\n# Plan\n\n{text}"),
        "option": option,
        "rules": lambda text: attach("nested_memory", path=f"{REPO}/CLAUDE.md", content={"content": text}),
        "notification": lambda text: put("user", f"<task-notification>\n<summary>{text}</summary>\n</task-notification>"),
        "path": lambda text: result("Read", {"file_path": f"{REPO}/{text}"}, "empty"),
        "thinking": lambda text: put("assistant", [{"type": "thinking", "thinking": text}]),
        "resource": lambda text: put("user", [
            {"type": "text", "text": "have a look"},
            {"type": "text", "text": f"<mcp-resource server=\"docs\" uri=\"docs://a\">\n{text}\n</mcp-resource>"}]),
        "mention": lambda text: attach("mcp_resource", server="docs", uri="docs://a", content={"contents": [{"text": text}]}),
        "recalled": lambda text: put("user", f"<memory-context>\n{text}\n</memory-context>", isMeta=True),
    }  # fmt: skip
    return as_jsonl(records) if take_all(events, takes) else None


def codex(events: Sequence[Event]) -> str | None:
    records: list[object] = []

    def put(kind: str, payload: dict[str, object]) -> None:
        records.append({"timestamp": AT.format(len(records) % 60), "type": kind, "payload": payload})

    def model_input(text: str, role: str = "user") -> None:
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        put("response_item", {"type": "message", "role": role, "content": content})

    def typed(text: str) -> None:
        model_input(text)
        put("event_msg", {"type": "user_message", "message": text, "kind": "plain"})

    def said(text: str) -> None:
        model_input(text, "assistant")
        put("event_msg", {"type": "agent_message", "message": text})

    def output(command: str, text: str) -> None:
        call = f"c{len(records)}"
        given = json.dumps({"command": ["bash", "-lc", command]})
        put("response_item", {"type": "function_call", "name": "shell", "arguments": given, "call_id": call})
        put("response_item", {"type": "function_call_output", "call_id": call, "output": json.dumps({"output": text})})

    put("session_meta", {"id": "5e551011", "cwd": REPO, "source": "cli", "git": {"branch": "main"}})
    takes: dict[str, Callable[[str], None]] = {
        "typed": typed,
        "said": said,
        "tool": lambda text: output("make test", text),
        "web": lambda text: output("curl https://docs.example.com", text),
        "file": lambda text: output("cat README.md", text),
        "issue": lambda text: output("gh issue view 7", text),
        "written": lambda text: output(f"cat > notes.md <<'EOF'\n{text}\nEOF", ""),
        "path": lambda text: output(f"cat '{text}'", ""),
        "attachment": lambda text: typed(
            f"# Files mentioned by the user:\n\n## a.md: {REPO}/a.md\n{text}\n\n## My request for Codex:\nhave a look"
        ),
        "selection": lambda text: typed(
            f"# Context from my IDE setup:\n\n## Active selection of the file:\n{text}\n\n## My request for Codex:\nlook"
        ),
        "command": lambda text: typed(f"{text}\n\n## User Input\n\n```text\nhave a look\n```\n\nYou **MUST** obey."),
        "rules": lambda text: model_input(f"# AGENTS.md instructions for {REPO}\n\n<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>"),
        "environment": lambda text: model_input(f"<environment_context>\n<cwd>{text}</cwd>\n</environment_context>"),
        "skill": lambda text: model_input(f"<skill>\n<name>x</name>\n{text}\n</skill>"),
        "notification": lambda text: model_input(f"<subagent_notification>\n{text}\n</subagent_notification>"),
        "synthetic": model_input,
        "summary": lambda text: put("compacted", {
            "message": text, "replacement_history": [{"type": "message", "role": "user",
                                                      "content": [{"type": "input_text", "text": text}]}]}),
        "subagent": lambda text: put("response_item", {"type": "message", "role": "developer", "content": [
            {"type": "input_text", "text": text}]}),
        "thinking": lambda text: put("event_msg", {"type": "agent_reasoning", "text": text}),
    }  # fmt: skip
    return as_jsonl(records) if take_all(events, takes) else None


def copilot_cli(events: Sequence[Event]) -> str | None:
    records: list[object] = []

    def put(kind: str, data: dict[str, object], **fields: object) -> None:
        records.append({"type": kind, "data": data, "id": f"e{len(records)}", "timestamp": AT.format(len(records) % 60),
                        "parentId": None, **fields})  # fmt: skip

    def typed(text: str, around: str = "", **data: object) -> None:
        put("user.message", {"content": text, "transformedContent": around + text, "attachments": [], **data})

    def result(tool: str, given: object, text: str, *, is_error: bool = False) -> None:
        call = f"c{len(records)}"
        put("tool.execution_start", {"toolCallId": call, "toolName": tool, "arguments": given})
        told = {"error": {"message": text}} if is_error else {"result": {"content": text, "detailedContent": text}}
        put("tool.execution_complete", {"toolCallId": call, "success": not is_error, **told})

    put("session.start", {"sessionId": "5e551011", "context": {"cwd": REPO, "gitRoot": REPO, "branch": "main"}})
    takes: dict[str, Callable[[str], None]] = {
        "typed": typed,
        "said": lambda text: put("assistant.message", {"messageId": "m", "content": text, "toolRequests": []}),
        "tool": lambda text: result("bash", {"command": "make test"}, text),
        "error": lambda text: result("bash", {"command": "make test"}, text, is_error=True),
        "web": lambda text: result("web_fetch", {"url": "https://docs.example.com"}, text),
        "file": lambda text: result("view", {"path": f"{REPO}/README.md"}, text),
        "issue": lambda text: result("github-mcp-server-get_issue", {"number": 7}, text),
        "written": lambda text: result("create", {"path": f"{REPO}/notes.md", "file_text": text}, "ok"),
        "path": lambda text: result("view", {"path": f"{REPO}/{text}"}, "empty"),
        "reminder": lambda text: typed("have a look", f"<system_reminder>\n{text}\n</system_reminder>\n"),
        "attachment": lambda text: typed("have a look", attachments=[{"type": "file", "path": f"{REPO}/a.md",
                                                                      "displayName": text, "content": text}]),
        "selection": lambda text: typed("look", attachments=[{"type": "selection", "filePath": "a.md", "text": text}]),
        "synthetic": lambda text: typed(text, source="autopilot"),
        "subagent": lambda text: put("user.message", {"content": text}, agentId="explore-1"),
        "summary": lambda text: put("session.compaction_complete", {"success": True, "summaryContent": text}),
        "skill": lambda text: put("skill.invoked", {"name": "x", "path": f"{REPO}/x/SKILL.md", "content": text}),
        "rules": lambda text: put("system.message", {"role": "system", "content": text}),
        "hook": lambda text: put("hook.end", {"hookType": "sessionStart", "output": {"additionalContext": text}}),
        "notification": lambda text: put("system.notification", {"content": text}),
        "resource": lambda text: put("user.message", {"content": text, "parentToolCallId": "c1"}),
        "mention": lambda text: put("user.message", {"content": text, "agentId": "explore-1"}),
        "plan": lambda text: put("subagent.started", {"agentName": "explore", "agentDescription": text, "content": text}),
        "option": lambda text: put("user_input.completed", {"answer": text, "wasFreeform": False}),
    }  # fmt: skip
    return as_jsonl(records) if take_all(events, takes) else None


def _gemini(events: Sequence[Event]) -> list[dict[str, object]] | None:
    messages: list[dict[str, object]] = []

    def put(kind: str, content: object, **fields: object) -> None:
        number = len(messages)
        messages.append(
            {"id": f"m{number}", "timestamp": AT.format(number % 60), "type": kind, "content": content, **fields}
        )

    def result(tool: str, given: dict[str, str], text: str) -> None:
        answer = [{"functionResponse": {"id": "c", "name": tool, "response": {"output": text}}}]
        call = {"id": "c", "name": tool, "args": given, "status": "success", "result": answer, "resultDisplay": text}
        put("gemini", "Looking.", toolCalls=[call])
        put("user", answer)

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", text),
        "said": lambda text: put("gemini", text),
        "tool": lambda text: result("run_shell_command", {"command": "make test"}, text),
        "error": lambda text: put("error", text),
        "web": lambda text: result("web_fetch", {"prompt": "read it"}, text),
        "file": lambda text: result("read_file", {"absolute_path": f"{REPO}/README.md"}, text),
        "issue": lambda text: result("run_shell_command", {"command": "gh issue view 7"}, text),
        "written": lambda text: result("write_file", {"file_path": f"{REPO}/notes.md", "content": text}, "ok"),
        "path": lambda text: result("read_file", {"absolute_path": f"{REPO}/{text}"}, "empty"),
        "attachment": lambda text: put("user", [{"text": "explain @a.md"}, {"text": "\n--- Content from referenced files ---"},
                                                {"text": f"\nContent from @a.md:\n{text}"}]),
        "mention": lambda text: put("user", f"explain @a.md\n--- Content from referenced files ---\nContent from @a.md:\n"
                                    f"{text}\n--- End of content ---"),
        "resource": lambda text: put("user", [
            {"text": "explain @a.md @b.md"}, {"text": "\n--- Content from referenced files ---"},
            {"text": "\nContent from @a.md:\n"}, {"text": text}, {"text": "\nContent from @b.md:\n"}, {"text": text},
            {"text": "\n--- End of content ---"}]),
        "behind": lambda text: put("user", [{"text": f"explain @a.md\n--- Content from referenced files ---\n{text}"}]),
        "context": lambda text: put("user", f"<session_context>\n{text}\n</session_context>"),
        "hook": lambda text: put("user", f"<hook_context>{text}</hook_context>"),
        "summary": lambda text: put("user", f"<state_snapshot>\n{text}\n</state_snapshot>"),
        "synthetic": lambda text: put("user", [{"text": f"System: Please continue. {text}"}], displayContent=""),
        "notification": lambda text: put("info", text),
        "thinking": lambda text: put("gemini", "Hm.", thoughts=[{"subject": "x", "description": text}]),
    }  # fmt: skip
    return messages if take_all(events, takes) else None


_GEMINI_HEAD = {"sessionId": "5e551011", "projectHash": "ab12", "startTime": AT.format(0), "lastUpdated": AT.format(9)}


def gemini_json(events: Sequence[Event]) -> str | None:
    messages = _gemini(events)
    return None if messages is None else json.dumps({**_GEMINI_HEAD, "messages": messages}, indent=2)


def gemini_journal(events: Sequence[Event]) -> str | None:
    messages = _gemini(events)
    return None if messages is None else as_jsonl([_GEMINI_HEAD, *messages])
