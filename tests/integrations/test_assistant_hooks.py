"""Our entries in files of hooks, and the payloads that come back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders import claude_session

from memsuggest import jsonc
from memsuggest.integrations.assistant_hooks import HOSTS, installed, is_ours, uninstalled
from memsuggest.integrations.payloads import payload_of

MINE = '{\n  // mine\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      { "command": "make check" }\n    ]\n  }\n}\n'


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{}\n", id="empty"),
        pytest.param(MINE, id="with-another-hook"),
        pytest.param(MINE.replace("\n", "\r\n").replace("  ", "\t"), id="crlf-and-tabs"),
        pytest.param('{"hooks": {"Stop": []}, "a": [1, 2],}', id="trailing-comma"),
    ],
)
def test_entries_are_added_once_and_taken_out(host: str, text: str) -> None:
    """All events have ours, everything else reads as before, and taking ours out leaves the others."""
    added = installed(text, HOSTS[host], "memsuggest hook")
    hooks = jsonc.loads(added)["hooks"]  # type: ignore[index]
    assert all(event in hooks for event in HOSTS[host].events)
    assert added.count("memsuggest hook") == len(HOSTS[host].events)
    assert installed(added, HOSTS[host], "memsuggest hook") == added
    back = uninstalled(added)
    assert "memsuggest" not in back
    before = jsonc.loads(text)
    after = jsonc.loads(back)
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert {key: value for key, value in after.items() if key != "hooks"} == {
        key: value for key, value in before.items() if key != "hooks"
    }
    if "make check" in text:
        assert back == text


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        pytest.param("memsuggest hook", True, id="by-name"),
        pytest.param("/opt/x/bin/memsuggest hook", True, id="by-path"),
        pytest.param('"C:\\a b\\memsuggest.exe" hook', True, id="windows"),
        pytest.param("memsuggest hooks show", False, id="another-command"),
        pytest.param("not-memsuggest hook", False, id="another-program"),
        pytest.param(None, False, id="none"),
    ],
)
def test_which_commands_are_ours(command: object, ours: bool) -> None:
    """Only the one that we write."""
    assert is_ours(command) is ours


@pytest.mark.parametrize(
    ("fields", "event"),
    [
        pytest.param({"hook_event_name": "Stop", "session_id": "x", "stop_hook_active": True}, "Stop", id="snake-case"),
        pytest.param({"hookEventName": "SessionStart", "source": "new"}, "SessionStart", id="camel-case"),
        pytest.param({"sessionId": "x", "timestamp": 1, "stopReason": "end_turn"}, "Stop", id="copilot-cli-stop"),
        pytest.param({"sessionId": "x", "reason": "complete"}, "SessionEnd", id="copilot-cli-end"),
        pytest.param(
            {"sessionId": "x", "source": "new", "initialPrompt": "hi"}, "SessionStart", id="copilot-cli-start"
        ),
        pytest.param({"sessionId": "x", "trigger": "auto"}, "PreCompact", id="copilot-cli-compact"),
        pytest.param({"hook_event_name": "PreToolUse", "tool_name": "x"}, "", id="none-of-ours"),
    ],
)
def test_payloads(fields: dict[str, object], event: str) -> None:
    """Every spelling is understood."""
    found = payload_of(json.dumps(fields).encode())
    assert found is not None
    assert found.event == event


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_what_is_no_payload(raw: bytes) -> None:
    """Nothing comes of it."""
    assert payload_of(raw) is None


def hand_over(command: str, payload: object, *, cwd: Path) -> subprocess.CompletedProcess[str]:
    raw = payload if isinstance(payload, str) else json.dumps(payload)
    return subprocess.run(
        command, shell=True, input=raw, cwd=cwd, capture_output=True, text=True, timeout=50, check=False
    )


def run(*words: str, repo: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memsuggest", *words], cwd=repo, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="runs a shell of POSIX")
def test_a_round_trip_through_the_installed_command(git_repo: Path, home: Path) -> None:
    """Installed, a finished turn is learned from; the next session says what waits; bad input is no matter; undo."""
    settings = git_repo / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(MINE)
    run("config", "set", "mode", "eager", repo=git_repo)
    run("hooks", "install", "--for", "claude-code", "--yes", repo=git_repo)
    hooks = jsonc.loads(settings.read_text())["hooks"]  # type: ignore[index]
    command = hooks["SessionStart"][0]["hooks"][0]["command"]
    path = claude_session(home, git_repo, "From now on never mock the database in tests.")
    stop = {"hook_event_name": "Stop", "session_id": "x", "transcript_path": str(path), "cwd": str(git_repo)}
    for payload in (stop, "", "{", {"hook_event_name": "Stop", "cwd": "/nowhere"}, {"hook_event_name": "Other"}):
        done = hand_over(command, payload, cwd=git_repo)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    end = time.monotonic() + 40
    while run("status", "--short", repo=git_repo) != "mem 1\n":
        assert time.monotonic() < end
        time.sleep(0.2)
    done = hand_over(
        command, {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(git_repo)}, cwd=git_repo
    )
    line = json.loads(done.stdout)
    assert line["additionalContext"] == line["hookSpecificOutput"]["additionalContext"]
    assert "1 suggestion" in line["additionalContext"]
    assert "mock" not in done.stdout
    quiet = hand_over(
        command, {"hook_event_name": "SessionStart", "source": "compact", "cwd": str(git_repo)}, cwd=git_repo
    )
    assert quiet.stdout == ""
    assert ".claude/settings.json" in run("undo", repo=git_repo)
    assert settings.read_text() == MINE


def test_in_the_mode_off_nothing_is_read_or_written(git_repo: Path, home: Path) -> None:
    """A turn is handed over, and nobody takes it."""
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    environ = {**os.environ, "MEMSUGGEST_MODE": "off"}
    for event in ("Stop", "SessionStart", "SessionEnd"):
        done = subprocess.run(
            [sys.executable, "-m", "memsuggest", "hook"],
            input=json.dumps({"hook_event_name": event, "cwd": str(git_repo)}),
            cwd=git_repo,
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == ""
    time.sleep(0.5)
    assert not (home / ".local").exists()
    assert not (git_repo / ".github").exists()
