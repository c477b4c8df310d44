"""Claude Code itself, at a local server that has it write a memory as its documentation says: found, applied, undone.

Run with `pytest -m programs`; PROGRAMS names the folder that holds `claude`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import tree
from model_server import Exchange, Server, event

CLAUDE = shutil.which("claude", path=os.environ.get("PROGRAMS") or os.environ["PATH"])
TYPED = "no, keep prices as integers in cents, never as floats please"
RULE = "Keep prices as integers in cents, never as floats."
pytestmark = [
    pytest.mark.programs,
    pytest.mark.timeout(300),
    pytest.mark.skipif(CLAUDE is None, reason="claude is not installed"),
]


def memory_told(body: dict[str, Any]) -> str:
    """The folder that the program tells its model to keep memories in."""
    told = json.dumps([body.get("system"), body.get("messages")], ensure_ascii=False)
    found = re.search(r"(/[^\s\"`\\]+/projects/[^\s\"`\\]+/memory)\b", told)
    return found[1] if found else ""


def speak(exchange: Exchange) -> None:
    """Write the memory once, where the program says; then say so."""
    if exchange.method != "POST" or "/messages" not in exchange.path or "count_tokens" in exchange.path:
        exchange.respond(b'{"input_tokens": 10}')
        return
    body = exchange.body
    is_done = "tool_result" in json.dumps(body["messages"])
    folder = memory_told(body)
    if is_done or not folder or not any(tool.get("name") == "Write" for tool in body.get("tools", [])):
        exchange.stream(reply({"type": "text", "text": ""}, {"type": "text_delta", "text": "Noted."}, "end_turn"))
        return
    text = (
        f"---\nname: prices-in-cents\ndescription: prices are integers\nmetadata:\n  node_type: memory\n"
        f"  type: feedback\n---\n\n{RULE}\n\n**Why:** asked for.\n\n**How to apply:** I should check each column.\n"
    )
    written = json.dumps({"file_path": f"{folder}/feedback_prices.md", "content": text})
    block = {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": {}}
    exchange.stream(reply(block, {"type": "input_json_delta", "partial_json": written}, "tool_use"))


def reply(block: dict[str, Any], delta: dict[str, Any], stop: str) -> list[bytes]:
    usage = {"input_tokens": 10, "output_tokens": 1}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    return [
        event("message_start", message=head | {"stop_reason": None, "stop_sequence": None}),
        event("content_block_start", index=0, content_block=block),
        event("content_block_delta", index=0, delta=delta),
        event("content_block_stop", index=0),
        event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 9}),
        event("message_stop"),
    ]


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server([speak])
    yield server
    server.close()


def memsuggest(repo: Path, *words: str) -> str:
    command = [sys.executable, "-m", "memsuggest", *words]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_memory_that_it_wrote(server: Server, home: Path, git_repo: Path) -> None:
    """Its note is suggested with what was typed in that session, applied by a yes of its own, and undone."""
    assert CLAUDE
    (git_repo / "CLAUDE.md").write_text("# Rules\n\n- Keep commits small.\n", encoding="utf-8")
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "x",
    }
    environ |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    command = [CLAUDE, "-p", TYPED, "--allowedTools", "Write", "--permission-mode", "acceptEdits"]
    done = subprocess.run(
        command,
        cwd=git_repo,
        env=environ,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = home.rglob("feedback_prices.md")
    session = re.search(r"originSessionId: (\S+)", written.read_text(encoding="utf-8"))  # which the program adds itself
    assert session and (written.parent.parent / f"{session[1]}.jsonl").is_file()
    before = tree(written.parent)
    (row,) = (one for one in json.loads(memsuggest(git_repo, "notes", "--format", "json"))["notes"] if one["rules"])
    assert (row["assistant"], row["verdict"]) == ("claude-code", "suggested")
    assert [(rule["content"], rule["quote"], rule["isTyped"]) for rule in row["rules"]] == [(RULE, TYPED, True)]
    (suggestion,) = json.loads(memsuggest(git_repo, "list", "--format", "json"))["suggestions"]
    assert TYPED in {cited["quote"] for cited in suggestion["citations"]}
    memsuggest(git_repo, "apply", suggestion["id"], "--yes")
    assert RULE in (git_repo / "CLAUDE.md").read_text(encoding="utf-8")
    assert "Remove feedback_prices.md from your memory; CLAUDE.md now contains the same rules." in memsuggest(
        git_repo, "notes"
    )
    memsuggest(git_repo, "undo")
    assert (git_repo / "CLAUDE.md").read_text(encoding="utf-8") == "# Rules\n\n- Keep commits small.\n"
    assert tree(written.parent) == before
