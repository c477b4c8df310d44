"""What the tests of growing sessions share: records of each format that only grows, made from named steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SAID = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
Records = list[dict[str, Any]]
USUAL = ("prompt", "prompt", "again", "work", "work", "say", "stop", "reject", "move", "skill")
"""Steps that every format knows, or passes over."""


def claude(steps: Sequence[str], text: Callable[[int], str]) -> Records:
    """Records of Claude Code."""
    made: Records = []
    last, cwd = None, "/w"
    for number, step in enumerate(steps):
        at = f"2026-03-01T{number // 60:02}:{number % 60:02}:00.000Z"
        common = {"parentUuid": last, "isSidechain": False, "cwd": cwd, "sessionId": "s", "uuid": f"u{number}"}
        common["timestamp"] = at
        if step == "queue":
            made.append(
                {"type": "queue-operation", "operation": "enqueue", "content": f"queued {number}", "sessionId": "s"}
            )
            continue
        if step == "move":
            cwd = f"/w/{number}"
            continue
        if step == "copy" and made:
            made.append(made[number % len(made)])
            continue
        made.append(_claude_record(step, common, made, number, text))
        last = f"u{number}"
    return made


def _claude_record(
    step: str, common: dict[str, Any], made: Records, number: int, text: Callable[[int], str]
) -> dict[str, Any]:
    if step == "dequeue":
        waiting = [one["content"] for one in made if one["type"] == "queue-operation"]
        return _user(common, waiting[-1] if waiting else text(number))
    if step == "rewind":
        parents = [one["parentUuid"] for one in made if one["type"] == "user" and one.get("parentUuid")]
        return _user(common | {"parentUuid": parents[-(number % 3 + 1) :][0] if parents else None}, text(number))
    if step in {"prompt", "again", "skill"}:
        return _user(common, "go on" if step == "again" else text(number))
    if step == "stop":
        return _user(common, "[Request interrupted by user]")
    if step == "reject":
        block = {"tool_use_id": "t", "type": "tool_result", "is_error": True, "content": f"{SAID}no {number}"}
        return _user(common, [block])
    block = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": f"/w/{number}.ts"}}
    if step == "say":
        block = {"type": "text", "text": f"I see {number}"}
    return common | {"type": "assistant", "message": {"model": "m", "role": "assistant", "content": [block]}}


def _user(common: dict[str, Any], content: Any) -> dict[str, Any]:
    return common | {"type": "user", "message": {"role": "user", "content": content}}


def codex(steps: Sequence[str], text: Callable[[int], str]) -> Records:
    """Records of Codex; the model's input has copies, and is all there is before the first event."""
    made: Records = [_line("session_meta", id="c", cwd="/w", source="cli")]
    for number, step in enumerate(steps):
        at = f"2026-03-01T{number // 60:02}:{number % 60:02}:00.000Z"
        if step in {"prompt", "again", "copy"}:
            said = "go on" if step == "again" else text(number)
            made.append(_codex_input(said, at))
            if step != "copy":
                made.append(_line("event_msg", at, type="user_message", message=said))
        elif step == "rewind":
            made.append(_line("event_msg", at, type="thread_rolled_back", num_turns=number % 3 + 1))
        elif step == "stop":
            made.append(_line("event_msg", at, type="turn_aborted", reason="interrupted"))
        elif step == "move":
            made.append(_line("turn_context", at, cwd=f"/w/{number}", model=f"m{number}"))
        elif step == "say":
            made.append(_line("event_msg", at, type="agent_message", message="I see"))
            made.append(_line("response_item", at, type="message", role="assistant", content="I see"))
        elif step == "reject":
            made.append(_line("response_item", at, type="function_call_output", call_id="t", output="rejected by user"))
        elif step == "work":
            given = f'{{"command": "cat src/{number}.ts"}}'
            made.append(_line("response_item", at, type="function_call", name="shell", call_id="t", arguments=given))
    return made


def _codex_input(text: str, at: str) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}]
    return _line("response_item", at, type="message", role="user", content=content)


def _line(kind: str, at: str = "2026-03-01T00:00:00.000Z", /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload}


def copilot(steps: Sequence[str], text: Callable[[int], str]) -> Records:
    """Events of Copilot CLI."""
    made: Records = [_event("session.start", 0, sessionId="e", context={"cwd": "/w", "branch": "main"})]
    for number, step in enumerate(steps):
        made.append(
            {
                "prompt": _event("user.message", number, content=text(number)),
                "again": _event("user.message", number, content="go on"),
                "say": _event("assistant.message", number, content="I see", model=f"m{number}"),
                "work": _event(
                    "tool.execution_start", number, toolName="edit", toolCallId="t", arguments={"path": f"/w/{number}"}
                ),
                "stop": _event("abort", number),
                "move": _event("session.context_changed", number, cwd=f"/w/{number}", branch=f"b{number}"),
                "skill": _event("skill.invoked", number, name=f"skill{number}"),
                "reject": _event(
                    "permission.completed",
                    number,
                    requestId="t",
                    result={"kind": "denied-interactively-by-user", "feedback": f"no {number}"},
                ),
            }.get(step, _event("session.info", number))
        )
    return made


def _event(kind: str, number: int, /, **data: Any) -> dict[str, Any]:
    at = f"2026-03-01T{number // 60:02}:{number % 60:02}:00.000Z"
    return {"type": kind, "data": data, "id": f"id-{number:030}", "timestamp": at}


def cursor(steps: Sequence[str], text: Callable[[int], str]) -> Records:
    """Messages of Cursor's agent."""
    made: Records = []
    for number, step in enumerate(steps):
        if step in {"prompt", "again"}:
            said = "go on" if step == "again" else text(number)
            made.append({"role": "user", "message": {"content": [{"type": "text", "text": said}]}})
        elif step in {"work", "say"}:
            block: dict[str, Any] = {"type": "text", "text": f"I see {number}"}
            if step == "work":
                block = {"type": "tool_use", "name": "write", "input": {"path": f"{number}.ts"}}
            made.append({"role": "assistant", "message": {"content": [block]}})
        elif step == "stop":
            made.append({"type": "turn_ended", "status": "cancelled"})
    return made


def generic(steps: Sequence[str], text: Callable[[int], str]) -> Records:
    """Messages of any program, one a line."""
    made: Records = []
    cwd = "/w"
    for number, step in enumerate(steps):
        if step == "move":
            cwd = f"/w/{number}"
        elif step in {"prompt", "again"}:
            at = f"2026-03-01T{number // 60:02}:{number % 60:02}:00.000Z"
            said = "go on" if step == "again" else text(number)
            made.append({"role": "user", "content": said, "cwd": cwd, "timestamp": at})
        else:
            made.append({"role": "assistant", "content": f"I see {number}", "model": f"m{number}"})
    return made


GROWING: dict[str, Callable[[Sequence[str], Callable[[int], str]], Records]] = {
    "claude-code": claude,
    "codex": codex,
    "copilot-cli": copilot,
    "cursor-agent": cursor,
    "generic": generic,
}
"""How to make a session of each format that only grows."""
STEPS: dict[str, tuple[str, ...]] = {
    "claude-code": (*USUAL, "queue", "dequeue", "rewind", "copy"),
    "codex": (*USUAL, "rewind", "copy"),
}
"""Steps of formats that know more than others."""
