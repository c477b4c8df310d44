"""OpenCode's own storage, a database or a tree of files, is read as its exports are, and nothing is left beside it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from reader_kit import typed

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.discovery import find_named, find_transcripts
from memsuggest.transcripts.reading import read_transcript
from memsuggest.transcripts.stored import status_of

MS = 1772355600000
SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY);
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT, revert TEXT,
    time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT NOT NULL);
"""


def text(words: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **fields}


def messages(*said: str) -> list[dict[str, Any]]:
    """A session in which the person says these things, and the assistant answers with a big tool result."""
    found: list[dict[str, Any]] = []
    for number, words in enumerate(said):
        found.append({"role": "user", "time": {"created": MS}, "parts": [text(words), text("obey", synthetic=True)]})
        state = {"status": "completed", "input": {"filePath": "/w/a.ts"}, "output": "obey " * 1000}
        parts = [text(f"done {number}"), {"type": "tool", "tool": "write", "state": state}, {"type": "step-start"}]
        found.append({"role": "assistant", "modelID": "big", "time": {"created": MS}, "parts": parts})
    return found


def database(path: Path, *sessions: tuple[str, str, list[dict[str, Any]]], parent: str | None = None) -> Path:
    """Write sessions (id, folder, messages) to a database, as OpenCode does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
        for session, folder, said in sessions:
            connection.execute(
                "INSERT INTO session VALUES (?, ?, ?, 'x', NULL, ?, ?)", (session, parent, folder, MS, MS)
            )
            add(connection, session, said)
    connection.close()
    return path


def add(connection: sqlite3.Connection, session: str, said: list[dict[str, Any]]) -> None:
    for number, message in enumerate(said):
        name = f"msg_{session}{number:03}"
        data = {key: value for key, value in message.items() if key != "parts"}
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, number, json.dumps(data)))
        for place, part in enumerate(message["parts"]):
            row = (f"prt_{session}{number:03}{place}", name, session, json.dumps(part))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)


def tree(data: Path, session: str, folder: str, said: list[dict[str, Any]], **info: Any) -> Path:
    """Write a session as versions before 1.2 did; return the file that describes it."""
    path = data / "storage" / "session" / "project" / f"{session}.json"
    written = {path: {"id": session, "directory": folder, "time": {"created": MS}} | info}
    for number, message in enumerate(said):
        name = f"msg_{number:03}"
        fields = {key: value for key, value in message.items() if key != "parts"}
        written[data / "storage" / "message" / session / f"{name}.json"] = {"id": name, **fields}
        for place, part in enumerate(message["parts"]):
            written[data / "storage" / "part" / name / f"prt_{place}.json"] = {"id": f"prt_{place}", **part}
    for place_of, content in written.items():
        place_of.parent.mkdir(parents=True, exist_ok=True)
        place_of.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["database", "tree"])
def test_sessions(form: str, tmp_path: Path) -> None:
    """Prompts, files, models and times are those of the export; tool results are not even taken out of the store."""
    said = messages("use tabs", "and spaces")
    if form == "database":
        path = Path(f"{database(tmp_path / 'opencode.db', ('ses_1', '/w', said))}#ses_1")
    else:
        path = tree(tmp_path / "opencode", "ses_1", "/w", said)
    transcript = read_transcript(path)

    assert (transcript.format, transcript.session_id, transcript.workspace) == ("opencode", "ses_1", "/w")
    assert typed(transcript) == ["use tabs", "and spaces"]
    assert transcript.files_written == ("a.ts",)
    assert [turn.signals.model for turn in transcript.turns] == [None, "big", None, "big"]
    assert all(turn.at for turn in transcript.turns)


def test_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """Reading changes no file of the assistant's and adds none."""
    path = database(tmp_path / "opencode.db", ("ses_1", "/w", messages("use tabs")))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    read_transcript(Path(f"{path}#ses_1"))

    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("owner", ["running", "crashed"])
def test_what_is_only_in_the_journal(owner: str, tmp_path: Path) -> None:
    """What the assistant wrote last is read, whether it runs or has crashed."""
    path = database(tmp_path / "run" / "opencode.db", ("ses_1", "/w", []))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        add(connection, "ses_1", messages("use tabs"))
    if owner == "crashed":
        path = Path(shutil.copytree(path.parent, tmp_path / "crash")) / path.name
        path.with_name(f"{path.name}-shm").unlink()

    assert typed(read_transcript(Path(f"{path}#ses_1"))) == ["use tabs"]
    connection.close()


class TestFinding:
    """Which sessions there are."""

    def find(self, root: Path, home: Path, **environ: str) -> list[str]:
        found = find_transcripts(root, home=home, environ=environ, platform="linux")
        return [one.path.name for one in found.transcripts]

    def test_own_workspace(self, tmp_path: Path) -> None:
        """Sessions of the workspace and below it are found, in the database and in the tree; moved ones once."""
        root, data = tmp_path / "w", tmp_path / "home/.local/share/opencode"
        said = messages("use tabs")
        database(
            data / "opencode.db",
            ("ses_1", str(root), said),
            ("ses_2", str(root / "web"), said),
            ("ses_3", f"{root}2", said),
        )
        for session, folder in (("ses_1", root), ("ses_4", root), ("ses_5", tmp_path)):
            tree(data, session, str(folder), said)

        assert self.find(root, tmp_path / "home") == ["opencode.db#ses_1", "opencode.db#ses_2", "ses_4.json"]

    @pytest.mark.parametrize(
        ("place", "environ"),
        [
            pytest.param("xdg/opencode/opencode.db", {"XDG_DATA_HOME": "xdg"}, id="xdg"),
            pytest.param("else/my.db", {"OPENCODE_DB": "else/my.db"}, id="named"),
        ],
    )
    def test_moved(self, place: str, environ: dict[str, str], tmp_path: Path) -> None:
        """The assistant's own variables move its storage."""
        database(tmp_path / place, ("ses_1", "/w", messages("use tabs")))
        told = {key: str(tmp_path / value) for key, value in environ.items()}

        assert self.find(Path("/w"), tmp_path, **told) == [f"{Path(place).name}#ses_1"]

    def test_sub_agents(self, tmp_path: Path) -> None:
        """Nobody types in the session of a sub-agent."""
        database(tmp_path / ".local/share/opencode/opencode.db", ("ses_1", "/w", messages("use tabs")), parent="ses_0")

        assert self.find(Path("/w"), tmp_path) == []

    def test_named_whole(self, tmp_path: Path) -> None:
        """A database that the person names stands for all its sessions."""
        path = database(
            tmp_path / "opencode.db", ("ses_1", "/w", messages("use tabs")), ("ses_2", "/v", messages("use spaces"))
        )

        for named in (path, tmp_path):
            found = find_named([named]).transcripts
            assert [(one.path.name, one.format, one.size) for one in found] == [
                ("opencode.db#ses_1", "opencode", 2),
                ("opencode.db#ses_2", "opencode", 2),
            ]

    def test_status(self, tmp_path: Path) -> None:
        """A session that goes on has another status; the others keep theirs."""
        path = database(tmp_path / "opencode.db", ("ses_1", "/w", []), ("ses_2", "/w", []))
        first, second = (Path(f"{path}#ses_{number}") for number in (1, 2))
        before = status_of(first), status_of(second)
        with sqlite3.connect(path) as connection:
            add(connection, "ses_2", messages("use tabs"))
            connection.execute("UPDATE session SET time_updated = ? WHERE id = 'ses_2'", (MS + 1,))
        connection.close()

        assert status_of(first) == before[0]
        assert status_of(second) != before[1]

    def test_status_of_a_tree(self, tmp_path: Path) -> None:
        """A new message of a session in a tree changes its status."""
        path = tree(tmp_path, "ses_1", "/w", messages("use tabs"))
        before = status_of(path)
        tree(tmp_path, "ses_1", "/w", messages("use tabs", "and spaces"))

        assert status_of(path) != before


class TestDamage:
    """Storage that cannot be read as it should."""

    def test_what_is_lost_is_said(self, tmp_path: Path) -> None:
        """A damaged message or part is said; the others are read."""
        path = database(tmp_path / "opencode.db", ("ses_1", "/w", messages("use tabs", "and spaces", "always")))
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE message SET data = '{' WHERE id = 'msg_ses_1000'")
            connection.execute("UPDATE part SET data = ? WHERE id = 'prt_ses_10020'", (b"\xff\xfe",))
        connection.close()
        transcript = read_transcript(Path(f"{path}#ses_1"))

        assert typed(transcript) == ["always"]
        assert [skip.why for skip in transcript.skipped] == [
            "the message msg_ses_1000 cannot be read",
            "1 parts of the message msg_ses_1002 cannot be read",
        ]

    @pytest.mark.parametrize("name", ["opencode.db#ses_9", "opencode.db#ses_", "none.db#ses_1", "opencode.db#"])
    def test_no_such_session(self, name: str, tmp_path: Path) -> None:
        """A session that is not there is an error with a hint."""
        database(tmp_path / "opencode.db", ("ses_1", "/w", []))

        with pytest.raises(TranscriptError) as raised:
            find_named([tmp_path / name])
        assert raised.value.hint

    @pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"x" * 5000, b"text"])
    def test_no_database(self, content: bytes, tmp_path: Path) -> None:
        """A file that only looks like a database breaks nothing, and gives nothing."""
        data = tmp_path / ".local/share/opencode"
        data.mkdir(parents=True)
        (data / "opencode.db").write_bytes(content)

        assert not find_transcripts(Path("/w"), home=tmp_path, environ={}, platform="linux").transcripts
        with pytest.raises(TranscriptError):
            find_named([data / "opencode.db"])

    def test_other_databases(self, tmp_path: Path) -> None:
        """A database of another program is none; the person is told what to do."""
        with sqlite3.connect(tmp_path / "opencode.db") as connection:
            connection.execute("CREATE TABLE session (id TEXT)")
        connection.close()

        with pytest.raises(TranscriptError, match="a database"):
            read_transcript(tmp_path / "opencode.db")

    @pytest.mark.parametrize("damage", ["", "{", "[]", '{"directory": 7}', "[" * 100_000])
    def test_trees(self, damage: str, tmp_path: Path) -> None:
        """A damaged description of a session makes it no session of this workspace."""
        path = tree(tmp_path / ".local/share/opencode", "ses_1", "/w", messages("use tabs"))
        path.write_text(damage, encoding="utf-8")

        assert not find_transcripts(Path("/w"), home=tmp_path, environ={}, platform="linux").transcripts
