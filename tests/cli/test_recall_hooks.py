"""Memory in the assistants: what their hooks install, what they print for a prompt, and what they never do."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builders import fake_token
from cli.conftest import invoke
from cli.test_hooks import _repo, hand_over  # noqa: F401 - the fixture `repo`
from learning.watched import context_of, until

from memsuggest.assistants import fast_hook, hook_command
from memsuggest.memory.recall_entries import last_recalls

KNOWN = "The berth prices come from the harbour office's spreadsheet."
PROMPT = "where do the berth prices come from?"


def said(repo: Path, prompt: str = PROMPT, **others: object) -> dict[str, object]:
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt": prompt, "cwd": str(repo)}
    return payload | others


def handed(payload: object, capsys: pytest.CaptureFixture[str], *, with_recall: bool = True) -> Any:
    """What the hook prints, in this process, however busy the machine is."""
    fast_hook.answer(json.dumps(payload).encode(), with_recall=with_recall)
    out = capsys.readouterr().out
    return json.loads(out) if out else None


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may stop for long; the deadline has tests of its own."""
    monkeypatch.setattr(fast_hook, "DEADLINE", 60.0)
    stub = SimpleNamespace(Popen=lambda _words, **_: None, DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr(hook_command, "subprocess", stub)  # what learns in the background has tests of its own


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"hook_event_name": "UserPromptSubmit", "session_id": "s-1"}, id="vscode-and-claude"),
        pytest.param({"hookEventName": "userPromptSubmitted", "sessionId": "s-1"}, id="camel-case"),
        pytest.param({"sessionId": "s-1", "timestamp": 1772359200000}, id="copilot-cli"),
    ],
)
def test_beside_a_prompt(repo: Path, capsys: pytest.CaptureFixture[str], payload: dict[str, object]) -> None:
    """What is known, once, where the host looks for it, in a block that says what it is."""
    invoke("memory", "add", KNOWN)
    answer = handed(payload | {"prompt": PROMPT, "cwd": str(repo)}, capsys)
    block = answer["additionalContext"]  # Copilot CLI reads this one alone, in whatever spelling it asks
    nested = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": block}}
    assert answer == {"additionalContext": block} | (nested if "hook_event_name" in payload else {})
    assert block.startswith("<memory-context id=")
    assert block.endswith("</memory-context>\n")
    assert f"- {KNOWN} [the person said" in block


def test_nothing_is_printed_where_nothing_fits(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No block, no empty answer; and without recall, or in `off` mode, no prompt is searched."""
    assert handed(said(repo), capsys) is None  # nothing is stored yet
    assert not (context_of(repo).folders.data / "profile.db").exists()
    invoke("memory", "add", KNOWN)
    assert handed(said(repo, "rename the variable x"), capsys) is None
    assert handed(said(repo, " "), capsys) is None
    assert handed(said(repo), capsys, with_recall=False) is None
    assert handed(said(repo), capsys) is not None
    invoke("config", "set", "mode", "off")
    assert handed(said(repo), capsys) is None


def test_at_a_sessions_start(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who the person is, and what was done last on this branch; the first prompt comes as one, too."""
    start = {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(repo)}
    assert handed(start, capsys) is None
    invoke("memory", "add", "--identity", "Ada, harbour software")
    invoke("memory", "add", KNOWN)
    assert (
        "- Ada, harbour software"
        in handed(start | {"source": "compact"}, capsys)["hookSpecificOutput"]["additionalContext"]
    )
    with_prompt = handed(start | {"initialPrompt": PROMPT}, capsys)
    assert KNOWN not in with_prompt["hookSpecificOutput"]["additionalContext"]
    assert "systemMessage" not in with_prompt
    prompted = {"sessionId": "s-1", "timestamp": 1772359200000, "cwd": str(repo), "prompt": PROMPT}
    assert KNOWN in handed(prompted, capsys)["additionalContext"]
    assert handed(start, capsys, with_recall=False) is None


def test_hooks_in_two_files_give_memory_once(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person's file and the repo's have the same entries: what one of them gave, the other does not give again."""
    invoke("memory", "add", KNOWN)
    invoke("memory", "add", "--identity", "Ada, harbour software")
    start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s-1", "cwd": str(repo)}
    for event in (start, said(repo)):
        assert handed(event, capsys) is not None
        assert handed(event, capsys) is None
        assert handed(event | {"session_id": "s-2"}, capsys) is not None
    monkeypatch.setattr(hook_command, "SECONDS", 0)  # the same prompt again, later
    assert handed(said(repo), capsys) is not None


def test_what_was_given_is_noted(repo: Path) -> None:
    """By the program itself, behind its answer, without a secret, and with little loaded: it runs at every prompt."""
    invoke("memory", "add", KNOWN)
    # a machine that is busy for longer than the deadline gives nothing
    until(lambda: KNOWN in hand_over(said(repo), cwd=repo, command="memsuggest hook --recall || exit 0"))
    until(lambda: last_recalls(context_of(repo), 1).recalls)
    (logged,) = last_recalls(context_of(repo), 1).recalls
    assert (logged.via, logged.query) == ("hook", PROMPT)
    assert [hit.entry.content for hit in logged.hits if hit.entry] == [KNOWN]
    given = fast_hook.answer(json.dumps(said(repo, session_id="s-2")).encode(), with_recall=True)
    assert given is not None
    fast_hook.note(given._replace(query=f"{PROMPT} my key is {fake_token()}"))
    logged = last_recalls(context_of(repo), 1).recalls[0]
    assert logged.query.startswith(PROMPT) and fake_token() not in logged.query
    command = [sys.executable, "-X", "importtime", "-m", "memsuggest", "hook", "--recall"]
    told = subprocess.run(command, input=json.dumps(said(repo)), capture_output=True, text=True, check=True).stderr
    names = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert "memsuggest.assistants.fast_hook" in names
    assert not names & {"typer", "rich", "pydantic", "anthropic", "numpy"}


def test_a_busy_store_is_not_waited_for(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the deadline the prompt goes on."""
    invoke("memory", "add", KNOWN)
    path = context_of(repo).folders.data / "profile.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(fast_hook, "DEADLINE", 0.1)
        assert handed(said(repo), capsys) is None
        other.execute("ROLLBACK")
