"""`transcripts`: what was found in every assistant's place, how far it was learned from, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import invoke, json_of, refused, write

CHAT = [{"role": "user", "content": "From now on never mock the database in tests."}]


def codex(folder: Path | str, words: str, *, damage: str = "") -> str:
    records: list[dict[str, Any]] = [
        {"timestamp": "2026-03-01T09:00:00Z", "type": "session_meta", "payload": {"id": words, "cwd": str(folder)}},
        {
            "timestamp": "2026-03-01T09:01:00Z",
            "type": "event_msg",
            "payload": {"type": "user_message", "message": words},
        },
    ]
    return "".join(json.dumps(record) + "\n" for record in records) + damage


@pytest.fixture
def sessions(git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repo with two sessions of Codex and one of Windsurf."""
    monkeypatch.chdir(git_repo)
    day = home / ".codex/sessions/2026/03/01"
    day.mkdir(parents=True)
    (day / "rollout-1.jsonl").write_text(codex(git_repo, "From now on never mock the database in tests."))
    (day / "rollout-2.jsonl").write_text(codex(git_repo / "web", "have a look"))
    (day / "rollout-3.jsonl").write_text(codex("/elsewhere", "have a look"))
    (home / ".codeium/windsurf/cascade").mkdir(parents=True)
    (home / ".codeium/windsurf/cascade/1.pb").write_bytes(b"x")
    return day


def states() -> dict[str, str]:
    return {
        Path(row["path"]).name: row["state"] for row in invoke("transcripts", "--format", "json").json["transcripts"]
    }


def test_how_far(sessions: Path) -> None:
    """Every session says whether it was learned from; one that goes on says that too."""
    assert states() == {"rollout-1.jsonl": "new", "rollout-2.jsonl": "new"}
    invoke("reconcile")
    assert states() == {"rollout-1.jsonl": "processed", "rollout-2.jsonl": "processed"}
    with (sessions / "rollout-2.jsonl").open("a") as stream:
        stream.write(codex("/w", "and now?").split("\n")[1] + "\n")
    assert states() == {"rollout-1.jsonl": "processed", "rollout-2.jsonl": "changed"}


def test_page(sessions: Path) -> None:
    """The page tells format, size and last turn, shortens the home folder, and names what nobody can read."""
    (sessions / "rollout-2.jsonl").unlink()
    lines = invoke("transcripts").out.split("\n")

    assert lines[1].startswith("new        codex")
    assert lines[1].endswith("~/.codex/sessions/2026/03/01/rollout-1.jsonl")
    assert " B " in lines[1]
    assert " ago " in lines[1]
    assert "1 of 1 not read yet; to read the rest, run `memsuggest reconcile`" in lines
    assert any("1 Windsurf session" in line for line in lines)


def test_failed(sessions: Path) -> None:
    """A session that cannot be read says why, once, and what helps."""
    (sessions / "rollout-1.jsonl").write_bytes(b'{"payload": {"cwd": "%b"}}\n' % bytes(Path.cwd()))
    invoke("reconcile")
    assert states() == {"rollout-1.jsonl": "failed", "rollout-2.jsonl": "processed"}
    out = invoke("transcripts").out

    assert "    is not a transcript in a known format\n" in out
    assert "1 could not be read; to try again, run `memsuggest reconcile PATH`" in out
    assert "not read yet" not in out


def test_nothing_found(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is, it is said where was looked; of a chat that most of it is quoted, or that nobody typed."""
    monkeypatch.chdir(git_repo)
    out = invoke("transcripts").out
    assert "no transcripts found for this workspace" in out and "memsuggest transcripts PATH" in out
    refused("transcripts", "nowhere.jsonl", says="does not exist")
    quoted = [{"role": "user", "content": f"```\n{words}\n```"} for words in ("one", "two", "three")]
    write(git_repo, {"chat.json": json.dumps([*CHAT, *quoted, {"role": "assistant", "content": "ok", "model": "big"}])})
    for words in ("transcripts", "transcripts show"):
        assert (
            "messages with typed text: 1 of 4; the others contain only quotes"
            in invoke(*words.split(), "chat.json").out
        )
    shown = json_of("transcripts", "show", "chat.json")
    assert (shown["typedMessages"], shown["allMessages"]) == (1, 4)
    assert (shown["turns"][0]["signals"], shown["turns"][-1]["signals"]) == ({}, {"model": "big"})
    write(git_repo, {"none.json": json.dumps([{"role": "assistant", "content": "hello"}])})
    assert "no typed messages" in invoke("transcripts", "show", "none.json").out
