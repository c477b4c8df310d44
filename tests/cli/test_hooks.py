"""Assistants' hooks, installed and run as the assistants do: their payloads through the command that was written."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builders import claude_session, tree
from cli.conftest import Run, invoke, refused
from learning.watched import context_of, shop, until, watched

from memsuggest.assistants import hook_command
from memsuggest.assistants import hook_command as hand_over_module
from memsuggest.core import json_edit as jsonc
from memsuggest.core.hook_payloads import payload_of
from memsuggest.files import lock
from memsuggest.suggestions.marker_files import mark_path, read_status, reviewing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs a shell of POSIX")

RULE = "From now on never mock the database in tests."
TIME = "2026-03-01T10:00:00.000Z"
BASE = {"session_id": "s-1", "timestamp": TIME}
Payload = dict[str, Any]


def vscode_chat(home: Path, repo: Path, *said: str) -> Path:
    """What VS Code writes for its hooks."""
    storage = home / ".config/Code/User/workspaceStorage/4711"
    path = storage / "GitHub.copilot-chat/transcripts/s-1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    (storage / "workspace.json").write_text(json.dumps({"folder": repo.as_uri()}))
    return events(path, {"sessionId": "s-1", "version": 1, "producer": "copilot-agent", "context": {}}, said)


def copilot_cli_chat(home: Path, repo: Path, *said: str) -> Path:
    """What Copilot CLI writes."""
    path = home / ".copilot/session-state/s-1/events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return events(path, {"sessionId": "s-1", "version": 1, "context": {"cwd": str(repo)}}, said)


def events(path: Path, start: Payload, said: tuple[str, ...]) -> Path:
    rows = [("session.start", start)]
    for number, text in enumerate(said):
        rows += [
            ("user.message", {"content": text, "attachments": []}),
            ("assistant.turn_start", {"turnId": str(number)}),
            ("assistant.message", {"messageId": f"m{number}", "content": "Done.", "toolRequests": []}),
            ("assistant.turn_end", {"turnId": str(number)}),
        ]
    lines = (
        {"type": kind, "data": data, "id": f"e{number}", "timestamp": TIME, "parentId": None}
        for number, (kind, data) in enumerate(rows)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def camel(payload: Payload) -> Payload:
    """The same in the other spelling."""
    words = {key: key.split("_") for key in payload}
    return {first + "".join(map(str.title, rest)): payload[key] for key, (first, *rest) in words.items()}


VSCODE = [
    pytest.param("vscode", vscode_chat, BASE | {"hook_event_name": "Stop", "stop_hook_active": False}, id="vscode"),
    pytest.param(
        "vscode",
        vscode_chat,
        camel(BASE | {"hook_event_name": "Stop", "stop_hook_active": False}),
        id="vscode-as-its-docs-spell-it",
    ),
    pytest.param(
        "vscode", vscode_chat, BASE | {"hook_event_name": "PreCompact", "trigger": "auto"}, id="vscode-compact"
    ),
]
COPILOT_CLI = [
    pytest.param(
        "copilot-cli",
        copilot_cli_chat,
        BASE | {"hook_event_name": "Stop", "stop_reason": "end_turn", "stop_hook_active": False},
        id="copilot-cli",
    ),
    pytest.param(
        "copilot-cli",
        copilot_cli_chat,
        {"sessionId": "s-1", "timestamp": 1772359200000, "stopReason": "end_turn", "stop_hook_active": False},
        id="copilot-cli-camel-case",
    ),
    pytest.param(
        "copilot-cli",
        copilot_cli_chat,
        {"sessionId": "s-1", "timestamp": 1772359200000, "reason": "user_exit"},
        id="copilot-cli-end-without-a-path",
    ),
]
CLAUDE_CODE = [
    pytest.param(
        "claude-code",
        claude_session,
        BASE
        | {
            "hook_event_name": "Stop",
            "prompt_id": "p-1",
            "permission_mode": "default",
            "stop_hook_active": False,
            "last_assistant_message": "Done.",
        },
        id="claude-code",
    ),
    pytest.param(
        "claude-code",
        claude_session,
        BASE | {"hook_event_name": "PreCompact", "trigger": "manual", "custom_instructions": ""},
        id="claude-code-compact",
    ),
    pytest.param(
        "claude-code",
        claude_session,
        BASE | {"hook_event_name": "SessionEnd", "reason": "prompt_input_exit"},
        id="claude-code-end",
    ),
]
STARTS = [
    pytest.param(BASE | {"hook_event_name": "SessionStart", "source": "new"}, True, id="vscode"),
    pytest.param(camel(BASE | {"hook_event_name": "SessionStart", "source": "new"}), True, id="vscode-docs"),
    pytest.param(
        {"sessionId": "s", "timestamp": 1, "source": "startup", "initialPrompt": "hi"}, True, id="copilot-cli"
    ),
    pytest.param(BASE | {"hook_event_name": "SessionStart", "source": "startup"}, True, id="claude-code"),
    pytest.param(BASE | {"hook_event_name": "SessionStart", "source": "resume"}, True, id="resumed"),
    pytest.param(BASE | {"hook_event_name": "SessionStart", "source": "compact"}, False, id="compacted"),
    pytest.param(BASE | {"hook_event_name": "SessionStart", "source": "clear"}, False, id="cleared"),
]


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repo, with this project's command on the path; programs in the background have ended when it goes."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    repo = shop(tmp_path)
    monkeypatch.chdir(repo)
    yield repo
    settings = Path(os.environ["HOME"]) / ".config/memsuggest/config.yml"
    settings.unlink(missing_ok=True)
    for name in ("next", "once"):
        path = mark_path(context_of(repo), name)
        if path.parent.exists():
            with lock(path, wait_seconds=30):
                pass


def command_of(repo: Path, host: str) -> str:
    """The command line that an assistant finds in its file."""
    name = ".claude/settings.json" if host == "claude-code" else ".github/hooks/memsuggest.json"
    entry: Any = jsonc.loads((repo / name).read_text())["hooks"]["Stop"][0]  # type: ignore[index]
    return str(entry["hooks"][0]["command"] if host == "claude-code" else entry["command"])


def hand_over(
    payload: object, *, cwd: Path, command: str = "memsuggest hook || exit 0"
) -> subprocess.CompletedProcess[str]:
    raw = payload if isinstance(payload, str) else json.dumps(payload)
    return subprocess.run(command, shell=True, input=raw, cwd=cwd, capture_output=True, text=True, check=False)


def pending(repo: Path) -> int:
    return read_status(context_of(repo)).pending


@pytest.mark.parametrize(("host", "chat", "payload"), [VSCODE[0], COPILOT_CLI[0], CLAUDE_CODE[0]])
def test_a_finished_turn(repo: Path, home: Path, host: str, chat: Callable[..., Path], payload: Payload) -> None:
    """Each assistant's own payload, through the command in its own file: the turn is learned from, behind its back."""
    invoke("config", "set", "mode", "eager")
    invoke("hooks", "install", "--for", host, "--yes")
    path = chat(home, repo, "hello", RULE)
    done = hand_over(
        payload | {"cwd": str(repo), "transcript_path": str(path)}, cwd=repo, command=command_of(repo, host)
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    until(lambda: pending(repo) == 1)


def background(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Keep what would be started."""
    started: list[list[str]] = []
    stub = SimpleNamespace(Popen=lambda words, **_: started.append(words), DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr(hand_over_module, "subprocess", stub)
    return started


def answered(payload: str, repo: Path, **flags: object) -> str:
    """What the hook prints, without a program of its own."""
    found = payload_of(payload.encode("utf-8", "surrogatepass"))
    return hand_over_module.answer(found, run=lambda: context_of(repo, **flags)) if found and found.event else ""


@pytest.mark.parametrize(
    ("mode", "event", "minutes", "is_due"),
    [
        pytest.param("eager", "Stop", 0, True, id="eager-turn"),
        pytest.param("eager", "SessionStart", 0, False, id="eager-start"),
        pytest.param("manual", "Stop", 0, True, id="manual-turn"),
        pytest.param("off", "Stop", 0, False, id="off-turn"),
        pytest.param("off", "SessionEnd", 0, False, id="off-end"),
        pytest.param("occasional", "Stop", 0, False, id="occasional-turn"),
        pytest.param("occasional", "Stop", 14, False, id="occasional-within-the-interval"),
        pytest.param("occasional", "Stop", 16, True, id="occasional-after-the-interval"),
        pytest.param("occasional", "SessionEnd", 0, True, id="occasional-end"),
        pytest.param("occasional", "SessionStart", 0, True, id="occasional-start-of-the-next"),
    ],
)
def test_when_there_is_something_to_learn(
    repo: Path, monkeypatch: pytest.MonkeyPatch, mode: str, event: str, minutes: int, is_due: bool
) -> None:
    """Each mode has its own rhythm, also where nobody watches."""
    from memsuggest.suggestions.pending_suggestions import note_run

    with closing(context_of(repo, mode="eager").state) as state:
        note_run(state, context_of(repo).place.worktree_key, now=time.time_ns() // 1_000_000 - minutes * 60_000)
    started = background(monkeypatch)
    payload = {"hook_event_name": event, "source": "new", "cwd": str(repo)}
    assert answered(json.dumps(payload), repo, mode=mode) == ""
    assert bool(started) is is_due
    assert all(words[1:4] == ["-P", "-m", "memsuggest"] for words in started)


TOLD = "memsuggest: 1 suggestion to improve your customizations → review with `memsuggest review`"


def test_the_beginning_of_a_session_through_the_program(repo: Path, home: Path) -> None:
    """One line of what waits, where each assistant looks for it; nothing before there is anything."""
    payload = STARTS[0].values[0] | {"cwd": str(repo)}
    claude_session(home, repo, RULE)
    assert hand_over(payload, cwd=repo).stdout == ""
    invoke("reconcile")
    done = hand_over(payload, cwd=repo)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["systemMessage"].startswith(TOLD)


def test_at_the_beginning_of_a_session(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each assistant's payload is answered in all ways that they look at; nothing when nobody sat down anew."""
    background(monkeypatch)
    monkeypatch.setattr(hook_command, "SECONDS", 0)  # two of them are the same event but for its spelling
    claude_session(home, repo, RULE)
    invoke("reconcile")
    for payload, is_told in (start.values for start in STARTS):
        given = json.dumps(payload | {"cwd": str(repo)})
        printed = answered(given, repo)
        if not is_told:
            assert printed == "", payload
            continue
        (line,) = printed.rstrip("\n").split("\n")
        answer = json.loads(line)
        assert answer["systemMessage"].split("\n")[0] == TOLD, payload
        assert re.search(r"\n  1  [0-9a-f]{7}  .+ → AGENTS.md", answer["systemMessage"]), payload
        assert answer["additionalContext"] == TOLD, "where Copilot CLI looks, in whatever spelling it asks"
        assert answer.get("hookSpecificOutput", answer)["additionalContext"] == TOLD, payload
        assert ("hookSpecificOutput" in answer) is ("hook_event_name" in payload)
        with reviewing(context_of(repo)):
            assert answered(given, repo) == "", payload
        assert answered(given, repo, mode="manual") == "", payload


@pytest.mark.parametrize(("host", "chat", "payload"), VSCODE + COPILOT_CLI + CLAUDE_CODE)
def test_any_payload_of_a_finished_turn(
    repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch, host: str, chat: Callable[..., Path], payload: Payload
) -> None:
    """However an assistant spells that a turn ended, the run behind its back is started, once."""
    started = background(monkeypatch)
    path = chat(home, repo, "hello", RULE)
    given = payload | {"cwd": str(repo), "transcript_path": str(path)}
    assert answered(json.dumps(given), repo, mode="eager") == ""
    assert len(started) == 1, host


def test_where_somebody_watches(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watcher sees the turn by itself; it hears of the session's end."""
    with watched(repo, mode="occasional") as heard:
        until(lambda: len(heard.counts) > 1)
        claude_session(home, repo, RULE)
        time.sleep(0.5)
        started = background(monkeypatch)
        for event in ("Stop", "SessionEnd"):
            answered(json.dumps({"hook_event_name": event, "cwd": str(repo)}), repo, mode="occasional")
        until(lambda: heard.notices)
    assert started == []


def test_many_turns_at_once(repo: Path, home: Path) -> None:
    """One program works and one waits; the others leave it to them, and nothing is lost."""
    invoke("config", "set", "mode", "eager")
    with lock(mark_path(context_of(repo), "once"), wait_seconds=5):
        payload = {"hook_event_name": "Stop", "cwd": str(repo)}
        hand_over(payload, cwd=repo)
        until(lambda: mark_path(context_of(repo), "next").exists() and mark_path(context_of(repo), "next").read_text())
        for _ in range(4):
            hand_over(payload, cwd=repo)
        claude_session(home, repo, RULE)
    until(lambda: pending(repo) == 1)


def test_what_was_learned_in_the_background_was_told_to_nobody(repo: Path, home: Path) -> None:
    """Whoever watches later hears of it."""
    invoke("config", "set", "mode", "eager")
    claude_session(home, repo, RULE)
    hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo)
    until(lambda: pending(repo) == 1)
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.notices)


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half"),
        pytest.param("[]", id="a-list"),
        pytest.param("\x00\x01", id="signs"),
        pytest.param('{"hook_event_name": "Stop", "cwd": "/nowhere"}', id="no-such-folder"),
        pytest.param('{"hook_event_name": "Stop", "cwd": "/"}', id="no-repo"),
        pytest.param('{"hook_event_name": "Stop", "cwd": 7, "transcript_path": ["x"]}', id="other-types"),
        pytest.param('{"hook_event_name": "Stop", "cwd": "\\ud800"}', id="half-a-character"),
        pytest.param('{"hook_event_name": ' + "[" * 50_000, id="deep"),
        pytest.param('{"hook_event_name": "Stop", "last_assistant_message": "' + "x" * 3_000_000 + '"}', id="long"),
        pytest.param('{"hook_event_name": "PostToolUse"}', id="another-event"),
    ],
)
def test_whatever_is_handed_over(repo: Path, monkeypatch: pytest.MonkeyPatch, payload: str) -> None:
    """It ends well, and the assistant reads nothing."""
    background(monkeypatch)
    assert answered(payload, repo) == ""


def damaged_state(repo: Path) -> None:
    path = context_of(repo).state_path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 200)


def damaged_facts(repo: Path) -> None:
    (repo / ".github/memories").mkdir(parents=True)
    (repo / ".github/memories/facts.json").write_text("{ damaged")


def wrong_settings(repo: Path) -> None:
    (Path(os.environ["HOME"]) / ".config/memsuggest").mkdir(parents=True)
    (Path(os.environ["HOME"]) / ".config/memsuggest/config.yml").write_text("mode: always\n")


def no_folder_for_state(repo: Path) -> None:
    (Path(os.environ["HOME"]) / ".local").write_text("a file")


def damaged_chat(repo: Path) -> None:
    path = claude_session(Path(os.environ["HOME"]), repo, RULE)
    path.write_bytes(b"\xff\xfe" + path.read_bytes()[:-40] + b"\x00" * 50)


@pytest.mark.parametrize("event", ["Stop", "SessionStart", "SessionEnd", "PreCompact"])
@pytest.mark.parametrize("trouble", [damaged_state, damaged_facts, wrong_settings, no_folder_for_state, damaged_chat])
def test_whatever_is_wrong(
    repo: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Path], None], event: str
) -> None:
    """The assistant does not notice; what is damaged stays as it is."""
    trouble(repo)
    background(monkeypatch)
    payload = json.dumps({"hook_event_name": event, "source": "new", "cwd": str(repo)})
    assert answered(payload, repo) == ""


@pytest.mark.parametrize("trouble", [damaged_state, damaged_facts, wrong_settings, no_folder_for_state, damaged_chat])
def test_whatever_is_wrong_for_the_program(repo: Path, trouble: Callable[[Path], None]) -> None:
    """The same, in a program of its own, and in the one that it starts."""
    event = "SessionEnd"
    trouble(repo)
    before = {name: data for name, data in tree(repo).items() if "memories" in name}
    done = hand_over({"hook_event_name": event, "source": "new", "cwd": str(repo)}, cwd=repo)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {name: data for name, data in tree(repo).items() if name in before} == before


def test_a_busy_store_holds_nobody_up(repo: Path, home: Path) -> None:
    """While another command is at work, the hook ends at once; what it started waits."""
    invoke("config", "set", "mode", "eager")
    claude_session(home, repo, RULE)
    with lock(context_of(repo).state_path.with_name("work.lock"), wait_seconds=5):
        done = hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo)
        assert done.returncode == 0
        time.sleep(0.3)
        assert pending(repo) == 0
    until(lambda: pending(repo) == 1)


def test_a_pipe_that_stays_open(repo: Path) -> None:
    """A whole payload is enough; the assistant need not close its end."""
    invoke("config", "set", "mode", "off")
    with subprocess.Popen([sys.executable, "-m", "memsuggest", "hook"], stdin=subprocess.PIPE, cwd=repo) as running:
        assert running.stdin
        running.stdin.write(json.dumps({"hook_event_name": "Stop", "cwd": str(repo)}).encode())
        running.stdin.flush()
        assert running.wait(30) == 0


def test_a_pipe_into_which_nothing_comes(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for long."""
    from memsuggest.cli import stdin_payload

    monkeypatch.setattr(stdin_payload, "PATIENCE", 0.05)
    ours, theirs = os.pipe()
    assert stdin_payload.handed(ours) == b""
    os.write(theirs, b'{"half": ')
    assert stdin_payload.handed(ours) == b'{"half": '
    os.close(ours)
    os.close(theirs)


def test_a_program_that_is_missing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A colleague without it is not disturbed by the team's file."""
    invoke("hooks", "install", "--for", "vscode", "--yes")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert hand_over("{}", cwd=repo, command=command_of(repo, "vscode")).returncode == 0


def test_a_program_that_is_not_on_the_path(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file names it by its path, which works here, and what to do before sharing it is said."""
    invoke("config", "set", "mode", "eager")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "this machine" in invoke("hooks", "install", "--for", "vscode", "--yes").err
    command = command_of(repo, "vscode")
    assert command.startswith("/")
    claude_session(home, repo, RULE)
    hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo, command=command)
    until(lambda: pending(repo) == 1)
    invoke("hooks", "uninstall", "--for", "vscode", "--yes")
    assert "not installed" in invoke("hooks", "show").out.split("\n")[1]


def test_a_program_of_a_virtual_environment(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by name only while it is active: what will be silent elsewhere is told."""
    program = home / "env/bin/memsuggest"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    install = ("hooks", "install", "--for", "claude-code", "--yes")
    assert "virtual environment" not in invoke(*install).err
    invoke("undo")
    monkeypatch.setenv("VIRTUAL_ENV", str(home / "env"))
    assert "only while this virtual environment is active" in invoke(*install).err


def test_folders_that_a_person_trusts(repo: Path) -> None:
    """Copilot CLI runs a repo's hooks nowhere else: it is said where the entries go into the repo."""
    install = ("hooks", "install", "--for", "copilot-cli", "--yes")
    assert "only in folders that you trust" in invoke(*install).err
    assert "only in folders that you trust" not in invoke(*install, "--user").err


def test_a_repo_that_brings_a_program_of_that_name(repo: Path, home: Path) -> None:
    """It is not run: what lies in the folder is no part of the program."""
    (repo / "memsuggest").mkdir()
    for name in ("memsuggest/__init__.py", "memsuggest/__main__.py", "typer.py", "json.py"):
        (repo / name).write_text("open('pwned', 'w')\n")
    invoke("config", "set", "mode", "eager")
    claude_session(home, repo, RULE)
    hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo)
    until(lambda: pending(repo) == 1)
    assert not (repo / "pwned").exists()


def test_off_reads_and_writes_nothing(repo: Path, home: Path) -> None:
    """A turn is handed over, and nobody takes it."""
    claude_session(home, repo, RULE)
    wrong_settings(repo)
    (home / ".config/memsuggest/config.yml").write_text("mode: off\n")
    before = tree(home) | tree(repo)
    for event in ("Stop", "SessionStart", "SessionEnd"):
        assert hand_over({"hook_event_name": event, "source": "new", "cwd": str(repo)}, cwd=repo).stdout == ""
    time.sleep(0.5)
    assert tree(home) | tree(repo) == before


OTHERS = (
    '{\n  // mine\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      { "command": "make check" }\n    ]\n  }\n}\n'
)

PLAIN = OTHERS.replace("  // mine\n", "")
"""The same as Claude Code reads it."""


@pytest.mark.parametrize(
    ("host", "options", "place"),
    [
        pytest.param("vscode", (), ".github/hooks/memsuggest.json", id="vscode"),
        pytest.param("copilot-cli", (), ".github/hooks/memsuggest.json", id="copilot-cli"),
        pytest.param("claude-code", (), ".claude/settings.json", id="claude-code"),
        pytest.param("vscode", ("--user",), "~/.copilot/hooks/memsuggest.json", id="vscode-user"),
        pytest.param("copilot-cli", ("--user",), "~/.copilot/hooks/memsuggest.json", id="copilot-cli-user"),
        pytest.param("claude-code", ("--user",), "~/.claude/settings.json", id="claude-code-user"),
    ],
)
@pytest.mark.parametrize("before", [None, OTHERS, OTHERS.replace("\n", "\r\n")], ids=["new", "others", "crlf"])
def test_install_and_undo(
    repo: Path, home: Path, host: str, options: tuple[str, ...], place: str, before: str | None
) -> None:
    """Shown as a diff, written beside what others have, found by `show`; undo and uninstall bring the bytes back."""
    path = home / place[2:] if place.startswith("~") else repo / place
    if before is not None and host == "claude-code":  # which reads no comments
        before = before.replace("// mine", "")
    if before is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before.encode())
    done = invoke("hooks", "install", "--for", host, *options, "--yes")
    assert f"+++ b/{place}" in done.err
    assert "+" in done.err
    hooks: Any = jsonc.loads(path.read_text())["hooks"]  # type: ignore[index]
    assert {"SessionStart", "Stop", "SessionEnd", "PreCompact"} <= hooks.keys()
    assert path.read_bytes().startswith((before or "").encode()[:30])
    assert f"installed     {place}" in invoke("hooks", "show").out
    assert "nothing to change" in invoke("hooks", "install", "--for", host, *options, "--yes").err
    invoke("undo")
    assert (path.read_bytes().decode() if path.exists() else None) == before
    invoke("hooks", "install", "--for", host, *options, "--yes")
    invoke("hooks", "uninstall", "--for", host, *options, "--yes")
    assert f"not installed {place}" in invoke("hooks", "show").out
    if before is not None:
        assert path.read_bytes().decode() == before


def test_what_is_no_file_of_hooks(run: Run, git_repo: Path) -> None:
    """It is left as it is, with what to do."""
    path = git_repo / ".claude/settings.json"
    path.parent.mkdir()
    for text in ("{ damaged", '{"hooks": []}', "[1]"):
        path.write_text(text)
        assert "fix it by hand" in refused("hooks", "install", "--for", "claude-code", "--yes")
        assert path.read_text() == text
    assert "vscode, copilot-cli, claude-code" in refused("hooks", "install", "--for", "emacs", "--yes")
    assert "--yes`" in refused("hooks", "install", "--for", "vscode")


def test_settings_that_claude_code_would_not_read(run: Run, git_repo: Path) -> None:
    """With a comment in them none of their hooks is run: said before, with the file that is; and of what is there."""
    path, local = git_repo / ".claude/settings.json", git_repo / ".claude/settings.local.json"
    path.parent.mkdir()
    for text in (OTHERS, '{"hooks": {},}\n'):
        path.write_text(text)
        said = refused("hooks", "install", "--for", "claude-code", "--yes")
        assert "ignores its hooks" in said and "hooks install --for claude-code --local" in said
        assert path.read_text() == text
    run("hooks", "install", "--for", "claude-code", "--local", "--yes")
    assert "hook || exit 0" in local.read_text()
    local.write_text("// later\n" + local.read_text())
    shown = run("hooks", "show")
    assert "not run       .claude/settings.local.json: not plain JSON" in shown.out
    run("hooks", "uninstall", "--for", "claude-code", "--local", "--yes")
    assert local.read_text().startswith("// later\n") and "memsuggest" not in local.read_text()
    assert "remove `--local`" in refused("hooks", "install", "--for", "vscode", "--local", "--yes")


def test_entries_in_two_files_are_said(run: Run, git_repo: Path) -> None:
    """The assistant starts both."""
    assert "also in" not in run("hooks", "install", "--for", "claude-code", "--user", "--yes").err
    said = run("hooks", "install", "--for", "claude-code", "--yes").err
    assert "these hooks are also in ~/.claude/settings.json" in said


@pytest.mark.parametrize("made", [pytest.param(b"", id="empty"), pytest.param(None, id="first-page")])
def test_a_database_that_is_just_being_made(repo: Path, made: bytes | None) -> None:
    """Nothing waits yet; nobody's prompt shows an error."""
    path = context_of(repo).state_path
    path.parent.mkdir(parents=True)
    path.write_bytes(made or b"")
    if made is None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    assert invoke("status", "--short").out == "\n"


def test_the_person_s_own_file_may_be_a_link(run: Run, git_repo: Path, home: Path) -> None:
    """To their dotfiles; it stays a link, and undo brings the bytes back. One that leads out of home is refused."""
    real, link = home / "dotfiles/claude.json", home / ".claude/settings.json"
    for path in (real, link):
        path.parent.mkdir()
    real.write_text(PLAIN)
    link.symlink_to(real)
    run("hooks", "install", "--for", "claude-code", "--user", "--yes")
    assert link.is_symlink()
    assert "hook || exit 0" in real.read_text()
    run("undo")
    assert link.is_symlink()
    assert real.read_text() == PLAIN
    link.unlink()
    link.symlink_to("/etc/hosts")
    refused("hooks", "install", "--for", "claude-code", "--user", "--yes", says="is a link to another place")
    (git_repo / ".claude").symlink_to(home / ".claude")
    link.unlink()
    refused("hooks", "install", "--for", "claude-code", "--yes", says="is a link to another place")
