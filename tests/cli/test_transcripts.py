"""`transcripts`: what was found in every assistant's place, how far it was learned from, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import invoke, refused

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
    assert "1 of 1 not read yet; to read them, run `memsuggest reconcile`" in lines
    assert any("1 Windsurf session" in line for line in lines)


QUOTED = [{"role": "user", "content": f"```\n{words}\n```"} for words in ("one", "two", "three")]
MOSTLY_QUOTED = "1 of 4 messages contain typed text; the others are only quotes"


def test_mostly_quoted(sessions: Path, tmp_path: Path) -> None:
    """A session of which most is quoted says so, in the list and by itself: a reader may be wrong."""
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([*CHAT, *QUOTED]))
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(CHAT))
    listed = invoke("transcripts", str(chat), str(plain), "--format", "json").json["transcripts"]
    shown = invoke("transcripts", "show", str(chat), "--format", "json").json

    assert invoke("transcripts", str(chat)).out.count(MOSTLY_QUOTED) == 1
    assert invoke("transcripts", "show", str(chat)).out.split("\n")[1] == MOSTLY_QUOTED
    assert "only quotes" not in invoke("transcripts", str(plain)).out
    assert "only quotes" not in invoke("transcripts", "show", str(plain)).out
    assert {Path(row["path"]).name: (row["typedMessages"], row["allMessages"]) for row in listed} == {
        "chat.json": (1, 4),
        "plain.json": (1, 1),
    }
    assert (shown["typedMessages"], shown["allMessages"]) == (1, 4)


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
    """Where nothing is, it is said where was looked, and what to do."""
    monkeypatch.chdir(git_repo)
    out = invoke("transcripts").out

    assert "no transcripts found for this workspace" in out
    assert "Claude Code" in out
    assert "memsuggest transcripts PATH" in out


def test_nothing_typed(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session in which nobody typed says so."""
    monkeypatch.chdir(git_repo)
    path = git_repo / "chat.json"
    path.write_text(json.dumps([{"role": "assistant", "content": "hello"}]))

    assert "no typed messages" in invoke("transcripts", "show", str(path)).out


def test_signals(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a format tells besides text is in the JSON, turn by turn."""
    monkeypatch.chdir(git_repo)
    path = git_repo / "chat.json"
    path.write_text(json.dumps([*CHAT, {"role": "assistant", "content": "ok", "model": "big"}]))
    first, second = invoke("transcripts", "show", str(path), "--format", "json").json["turns"]

    assert (first["signals"], second["signals"]) == ({}, {"model": "big"})
    assert (first["paths"], first["branch"]) == ([], None)


def test_missing(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not there is an error with a hint."""
    monkeypatch.chdir(git_repo)

    refused("transcripts", "nowhere.jsonl", says="does not exist")
