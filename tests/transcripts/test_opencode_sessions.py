"""OpenCode's own storage, a database or a tree of files, is read as its exports are, and nothing is left beside it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from cases import cases
from opencode_kit import MS, add, database, messages, tree
from reader_kit import typed

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.discovery import find_named, find_transcripts
from memsuggest.transcripts.reading import read_transcript
from memsuggest.transcripts.storage.virtual_sessions import status_of


@cases("form", ["database", "tree"])
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


@cases("owner", ["running", "crashed"])
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
        return [transcript.path.name for transcript in found.transcripts]

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

    @cases(
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

    @cases("name", ["opencode.db#ses_9", "opencode.db#ses_", "none.db#ses_1", "opencode.db#"])
    def test_no_such_session(self, name: str, tmp_path: Path) -> None:
        """A session that is not there is an error with a hint."""
        database(tmp_path / "opencode.db", ("ses_1", "/w", []))

        with pytest.raises(TranscriptError) as raised:
            find_named([tmp_path / name])
        assert raised.value.hint

    @cases("content", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"x" * 5000, b"text"])
    def test_no_database(self, content: bytes, tmp_path: Path) -> None:
        """A file that only looks like a database breaks nothing, and gives nothing."""
        data = tmp_path / ".local/share/opencode"
        data.mkdir(parents=True)
        (data / "opencode.db").write_bytes(content)

        assert not find_transcripts(Path("/w"), home=tmp_path, environ={}, platform="linux").transcripts
        with pytest.raises(TranscriptError):
            find_named([data / "opencode.db"])

    @cases("seed", range(60))
    def test_damaged_bytes(self, seed: int, tmp_path: Path) -> None:
        """Bytes that are changed or cut off make at most an error of the expected kind."""
        chance = Random(seed)
        path = database(tmp_path / "opencode.db", ("ses_1", "/w", messages("use tabs")))
        content = bytearray(path.read_bytes())
        for _ in range(chance.randrange(1, 8)):
            place = chance.randrange(len(content))
            content[place : place + 8] = chance.randbytes(8)
        path.write_bytes(content[: chance.randrange(len(content)) if seed % 5 == 0 else None])

        with suppress(TranscriptError):
            for transcript in find_named([path]).transcripts:
                read_transcript(transcript.path)
