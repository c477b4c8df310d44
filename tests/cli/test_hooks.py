"""Assistants' hooks, installed and run as the assistants do: their payloads through the command that was written."""

from __future__ import annotations

import json
import os
import re
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
from cli.conftest import Run, invoke, json_of, refused, write
from learning.watched import context_of, shop, until, watched

from memsuggest.assistants import hook_command
from memsuggest.core import json_edit as jsonc
from memsuggest.core.hook_payloads import payload_of
from memsuggest.files import lock
from memsuggest.suggestions.marker_files import mark_path, read_status, reviewing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs a shell of POSIX")

RULE = "From now on never mock the database in tests."
TIME = "2026-03-01T10:00:00.000Z"
BASE = {"session_id": "s-1", "timestamp": TIME}
Payload = dict[str, Any]
Chat = Callable[..., Path]


def vscode_chat(home: Path, repo: Path, *said: str) -> Path:
    """What VS Code writes for its hooks."""
    storage = home / ".config/Code/User/workspaceStorage/4711"
    write(storage, {"workspace.json": json.dumps({"folder": repo.as_uri()})})
    start = {"sessionId": "s-1", "version": 1, "producer": "copilot-agent", "context": {}}
    return events(storage / "GitHub.copilot-chat/transcripts/s-1.jsonl", start, said)


def copilot_cli_chat(home: Path, repo: Path, *said: str) -> Path:
    """What Copilot CLI writes."""
    start = {"sessionId": "s-1", "version": 1, "context": {"cwd": str(repo)}}
    return events(home / ".copilot/session-state/s-1/events.jsonl", start, said)


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
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def camel(payload: Payload) -> Payload:
    """The same in the other spelling."""
    words = {key: key.split("_") for key in payload}
    return {first + "".join(map(str.title, rest)): payload[key] for key, (first, *rest) in words.items()}


STOP = BASE | {"hook_event_name": "Stop", "stop_hook_active": False}
TURNS: list[tuple[str, Chat, Payload]] = [
    ("vscode", vscode_chat, STOP),
    ("copilot-cli", copilot_cli_chat, STOP | {"stop_reason": "end_turn"}),
    ("claude-code", claude_session, STOP | {"prompt_id": "p-1", "last_assistant_message": "Done."}),
]
START = BASE | {"hook_event_name": "SessionStart"}
STARTS = [
    (START | {"source": "new"}, True),
    (camel(START | {"source": "new"}), True),
    ({"sessionId": "s", "timestamp": 1, "source": "startup", "initialPrompt": "hi"}, True),
    (START | {"source": "startup"}, True),
    (START | {"source": "resume"}, True),
    (START | {"source": "compact"}, False),
    (START | {"source": "clear"}, False),
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


def hand_over(payload: object, *, cwd: Path, command: str = "memsuggest hook || exit 0") -> str:
    """Let a program of its own answer, which always ends well and complains of nothing; what it prints."""
    raw = payload if isinstance(payload, str) else json.dumps(payload)
    done = subprocess.run(command, shell=True, input=raw, cwd=cwd, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def pending(repo: Path) -> int:
    return read_status(context_of(repo)).pending


def background(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Keep what would be started."""
    started: list[list[str]] = []
    stub = SimpleNamespace(Popen=lambda words, **_: started.append(words), DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr(hook_command, "subprocess", stub)
    return started


def answered(payload: str, repo: Path, **flags: object) -> str:
    """What the hook prints, without a program of its own."""
    found = payload_of(payload.encode("utf-8", "surrogatepass"))
    return hook_command.answer(found, run=lambda: context_of(repo, **flags)) if found and found.event else ""


@pytest.mark.parametrize(("host", "chat", "payload"), TURNS, ids=["vscode", "copilot-cli", "claude-code"])
def test_a_finished_turn(repo: Path, home: Path, host: str, chat: Chat, payload: Payload) -> None:
    """Each assistant's own payload, through the command in its own file: learned from behind its back, told later."""
    invoke("config", "set", "mode", "eager")
    invoke("hooks", "install", "--for", host, "--yes")
    path = chat(home, repo, "hello", RULE)
    given = payload | {"cwd": str(repo), "transcript_path": str(path)}
    assert hand_over(given, cwd=repo, command=command_of(repo, host)) == ""
    until(lambda: pending(repo) == 1)
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.notices)


@pytest.mark.parametrize(
    ("mode", "event", "minutes", "is_due"),
    [
        ("eager", "SessionStart", 0, False),
        ("manual", "Stop", 0, True),
        ("off", "Stop", 0, False),
        ("off", "SessionEnd", 0, False),
        ("occasional", "Stop", 14, False),
        ("occasional", "Stop", 16, True),
        ("occasional", "SessionEnd", 0, True),
        ("occasional", "SessionStart", 0, True),
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


TOLD = "memsuggest: 1 suggestion to improve your customizations → review with `memsuggest review`"


def test_at_the_beginning_of_a_session(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of what waits, in all ways that assistants look at; nothing when nobody sat down anew, or reviews."""
    claude_session(home, repo, RULE)
    first = STARTS[0][0] | {"cwd": str(repo)}
    assert hand_over(first, cwd=repo) == ""
    invoke("reconcile")
    assert json.loads(hand_over(first, cwd=repo))["systemMessage"].startswith(TOLD)
    background(monkeypatch)
    monkeypatch.setattr(hook_command, "SECONDS", 0)  # two of them are the same event but for its spelling
    for payload, is_told in STARTS:
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


def test_many_turns_at_once_and_a_busy_store(repo: Path, home: Path) -> None:
    """One program works and one waits; the others leave it to them, the hook ends at once, and nothing is lost."""
    invoke("config", "set", "mode", "eager")
    stop = {"hook_event_name": "Stop", "cwd": str(repo)}
    waits = mark_path(context_of(repo), "next")
    with lock(mark_path(context_of(repo), "once"), wait_seconds=5):
        hand_over(stop, cwd=repo)
        until(lambda: waits.exists() and waits.read_text())
        for _ in range(3):
            hand_over(stop, cwd=repo)
        claude_session(home, repo, RULE)
    until(lambda: pending(repo) == 1)
    claude_session(home, repo, RULE, "Never log a customer's address.")
    with lock(context_of(repo).state_path.with_name("work.lock"), wait_seconds=5):
        hand_over(stop, cwd=repo)
        time.sleep(0.3)
        assert pending(repo) == 1
    until(lambda: pending(repo) == 2)


def test_whatever_is_handed_over(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends well, and the assistant reads nothing."""
    background(monkeypatch)
    stop = '{"hook_event_name": "Stop", '
    for payload in (
        *("", "{", "[]", "\x00\x01", stop + '"cwd": "/nowhere"}', stop + '"cwd": "/"}', stop + '"cwd": "\\ud800"}'),
        *(stop + '"cwd": 7, "transcript_path": ["x"]}', '{"hook_event_name": ' + "[" * 50_000),
        *(stop + '"last_assistant_message": "' + "x" * 3_000_000 + '"}', '{"hook_event_name": "PostToolUse"}'),
    ):
        assert answered(payload, repo) == "", payload[:60]


def damaged_state(repo: Path) -> None:
    write(context_of(repo).state_path.parent, {"state.db": "no database" * 200})


def damaged_facts(repo: Path) -> None:
    write(repo, {".github/memories/facts.json": "{ damaged"})


def wrong_settings(_: Path) -> None:
    write(Path(os.environ["HOME"]), {".config/memsuggest/config.yml": "mode: always\n"})


def no_folder_for_state(_: Path) -> None:
    (Path(os.environ["HOME"]) / ".local").write_text("a file")


def damaged_chat(repo: Path) -> None:
    path = claude_session(Path(os.environ["HOME"]), repo, RULE)
    path.write_bytes(b"\xff\xfe" + path.read_bytes()[:-40] + b"\x00" * 50)


@pytest.mark.parametrize("trouble", [damaged_state, damaged_facts, wrong_settings, no_folder_for_state, damaged_chat])
def test_whatever_is_wrong(repo: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Path], None]) -> None:
    """The assistant does not notice, what is damaged stays as it is; also in a program of its own."""
    trouble(repo)
    before = {name: data for name, data in tree(repo).items() if "memories" in name}
    payload = {"source": "new", "cwd": str(repo)}
    with monkeypatch.context() as patch:
        background(patch)
        for event in ("Stop", "SessionStart", "SessionEnd", "PreCompact"):
            assert answered(json.dumps(payload | {"hook_event_name": event}), repo) == ""
    assert hand_over(payload | {"hook_event_name": "SessionEnd"}, cwd=repo) == ""
    assert {name: data for name, data in tree(repo).items() if name in before} == before


def test_pipes(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole payload is enough, though the pipe stays open; one into which nothing comes is not waited for."""
    from memsuggest.cli import stdin_payload

    invoke("config", "set", "mode", "off")
    with subprocess.Popen([sys.executable, "-m", "memsuggest", "hook"], stdin=subprocess.PIPE, cwd=repo) as running:
        assert running.stdin
        running.stdin.write(json.dumps({"hook_event_name": "Stop", "cwd": str(repo)}).encode())
        running.stdin.flush()
        assert running.wait(30) == 0
    monkeypatch.setattr(stdin_payload, "PATIENCE", 0.05)
    ours, theirs = os.pipe()
    assert stdin_payload.handed(ours) == b""
    os.write(theirs, b'{"half": ')
    assert stdin_payload.handed(ours) == b'{"half": '
    os.close(ours)
    os.close(theirs)


def test_where_the_program_is(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, it disturbs no colleague; off the path it is named whole; what will be silent elsewhere is told."""
    install = ("hooks", "install", "--yes", "--for")
    invoke(*install, "vscode")
    before = os.environ["PATH"]
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert subprocess.run(command_of(repo, "vscode"), shell=True, stderr=subprocess.PIPE, check=False).returncode == 0
    invoke("undo")
    invoke("config", "set", "mode", "eager")
    assert "this machine" in invoke(*install, "vscode").err
    command = command_of(repo, "vscode")
    assert command.startswith("/")
    claude_session(home, repo, RULE)
    hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo, command=command)
    until(lambda: pending(repo) == 1)
    program = home / "env/bin/memsuggest"
    write(home, {"env/bin/memsuggest": "#!/bin/sh\n"})
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{before}")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    assert "virtual environment" not in invoke(*install, "claude-code").err
    invoke("undo")
    monkeypatch.setenv("VIRTUAL_ENV", str(home / "env"))
    assert "only while this virtual environment is active" in invoke(*install, "claude-code").err


def test_a_repo_that_brings_a_program_of_that_name(repo: Path, home: Path) -> None:
    """It is not run: what lies in the folder is no part of the program."""
    names = ("memsuggest/__init__.py", "memsuggest/__main__.py", "typer.py", "json.py")
    write(repo, dict.fromkeys(names, "open('pwned', 'w')\n"))
    invoke("config", "set", "mode", "eager")
    claude_session(home, repo, RULE)
    hand_over({"hook_event_name": "Stop", "cwd": str(repo)}, cwd=repo)
    until(lambda: pending(repo) == 1)
    assert not (repo / "pwned").exists()


PLAIN = '{\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      { "command": "make check" }\n    ]\n  }\n}\n'
OTHERS = PLAIN.replace("{\n", "{\n  // mine\n", 1)
PLACES = {
    ("vscode",): ".github/hooks/memsuggest.json",
    ("claude-code",): ".claude/settings.json",
    ("copilot-cli", "--user"): "~/.copilot/hooks/memsuggest.json",
    ("claude-code", "--user"): "~/.claude/settings.json",
}


@pytest.mark.parametrize("words", PLACES, ids=" ".join)
@pytest.mark.parametrize("before", [None, PLAIN.replace("\n", "\r\n")], ids=["new", "others"])
def test_install_and_undo(repo: Path, home: Path, words: tuple[str, ...], before: str | None) -> None:
    """Shown as a diff, written beside what others have, with recall or not; undo and uninstall bring the bytes back."""
    place = PLACES[words]
    path = home / place[2:] if place.startswith("~") else repo / place
    if before is not None:
        write(path.parent, {path.name: before})
    install, uninstall = (("hooks", verb, "--yes", "--for", *words) for verb in ("install", "uninstall"))
    assert f"+++ b/{place}" in invoke(*install).err
    plain: Any = jsonc.loads(path.read_text())["hooks"]  # type: ignore[index]
    assert sorted(plain) == ["PreCompact", "SessionEnd", "SessionStart", "Stop"]
    assert f"installed     {place}" in invoke("hooks", "show").out
    assert "nothing to change" in invoke(*install).err
    invoke("undo")
    assert (path.read_bytes().decode() if path.exists() else None) == before
    invoke(*install)
    without = path.read_bytes()
    invoke(*install, "--recall")
    assert "UserPromptSubmit" in path.read_text()
    assert path.read_text().count("memsuggest hook --recall || exit 0") == 5
    assert "(with memory)" in invoke("hooks", "show").out
    assert json_of(*install, "--recall")["changed"] is False
    invoke(*uninstall, "--recall")
    assert path.read_bytes() == without
    invoke(*uninstall)
    assert f"not installed {place}" in invoke("hooks", "show").out
    assert (path.read_bytes().decode() if path.exists() else None) == before


def test_what_is_said_of_a_place(run: Run) -> None:
    """Folders that a person has to trust first."""
    assert "only in folders that you trust" in run("hooks", "install", "--for", "copilot-cli", "--yes").err


def test_what_is_no_file_of_hooks(run: Run, git_repo: Path) -> None:
    """It is left as it is, with what to do; so are settings that Claude Code would not read for their comments."""
    path, local = git_repo / ".claude/settings.json", git_repo / ".claude/settings.local.json"
    path.parent.mkdir()
    bad = dict.fromkeys(("{ damaged", '{"hooks": []}', "[1]"), "fix the file by hand")
    for text, says in {**bad, **dict.fromkeys((OTHERS, '{"hooks": {},}\n'), "ignores its hooks")}.items():
        path.write_text(text)
        said = refused("hooks", "install", "--for", "claude-code", "--yes", says=says)
        assert says != "ignores its hooks" or "hooks install --for claude-code --local" in said
        assert path.read_text() == text
    run("hooks", "install", "--for", "claude-code", "--local", "--yes")
    assert "hook || exit 0" in local.read_text()
    local.write_text("// later\n" + local.read_text())
    assert "not run       .claude/settings.local.json: not plain JSON" in run("hooks", "show").out
    run("hooks", "uninstall", "--for", "claude-code", "--local", "--yes")
    assert local.read_text().startswith("// later\n") and "memsuggest" not in local.read_text()
    refused("hooks", "install", "--for", "vscode", "--local", "--yes", says="remove `--local`")
    refused("hooks", "install", "--for", "emacs", "--yes", says="vscode, copilot-cli, claude-code")
    refused("hooks", "install", "--for", "vscode", says="--yes`")


def test_the_person_s_own_file_may_be_a_link(run: Run, git_repo: Path, home: Path) -> None:
    """To their dotfiles; it stays a link, and undo brings the bytes back. One that leads out of home is refused."""
    real, link = home / "dotfiles/claude.json", home / ".claude/settings.json"
    write(home, {"dotfiles/claude.json": PLAIN})
    link.parent.mkdir()
    link.symlink_to(real)
    run("hooks", "install", "--for", "claude-code", "--user", "--yes")
    assert link.is_symlink() and "hook || exit 0" in real.read_text()
    run("undo")
    assert link.is_symlink() and real.read_text() == PLAIN
    link.unlink()
    link.symlink_to("/etc/hosts")
    refused("hooks", "install", "--for", "claude-code", "--user", "--yes", says="links to another location")
    (git_repo / ".claude").symlink_to(home / ".claude")
    link.unlink()
    refused("hooks", "install", "--for", "claude-code", "--yes", says="links to another location")
