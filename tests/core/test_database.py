"""Opening databases: private, migrated once, never harming a file that is not ours to change."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest
from cases import cases

from memsuggest.core.database import BACKUP_SUFFIX, execute_script, light_transaction, open_database, transaction
from memsuggest.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def m001_initial(connection: sqlite3.Connection) -> None:
    execute_script(connection, "CREATE TABLE words (word TEXT);\nINSERT INTO words VALUES ('first');")


def m002_length(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE words ADD COLUMN length INTEGER")


def m003_broken(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (x)")
    raise RuntimeError("power cut")


def words(path: Path, *, read_only: bool = False) -> list[str]:
    with closing(open_database(path, [m001_initial], read_only=read_only)) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM words")]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_created_privately(tmp_path: Path) -> None:
    """Folders are 0700 and the file (with its log) 0600, whatever the umask; a wider mode is narrowed."""
    path = tmp_path / "a" / "b" / "x.db"
    words(path)
    path.chmod(0o644)
    with closing(open_database(path, [m001_initial])) as connection, transaction(connection):
        connection.execute("INSERT INTO words VALUES ('x')")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]


def newer(path: Path) -> None:
    open_database(path, [m001_initial, m002_length]).close()


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE history (url TEXT)")


def no_database(path: Path) -> None:
    path.write_text("not a database, but long enough to look at\n" * 20)


@cases(
    ("make", "says", "hint"),
    [
        pytest.param(newer, r"newer version of memsuggest \(migration m002_length\)", "update memsuggest", id="newer"),
        pytest.param(foreign, "another program", "choose another", id="somebody else's"),
        pytest.param(no_database, "is damaged", "move the file out of the way", id="no database at all"),
    ],
)
def test_what_is_not_ours_is_untouched(tmp_path: Path, make: Callable[[Path], None], says: str, hint: str) -> None:
    """A file that is newer, foreign or no database stops us before its first byte is changed."""
    path = tmp_path / "x.db"
    make(path)
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreError, match=says) as caught:
            open_database(path, [m001_initial], read_only=read_only)
        assert hint in str(caught.value.hint)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["x.db"]


def test_settings(tmp_path: Path) -> None:
    """Readers do not wait for writers, foreign keys hold, deleted text is overwritten."""
    with closing(open_database(tmp_path / "x.db", [m001_initial])) as connection:
        pragmas = ("journal_mode", "foreign_keys", "secure_delete")
        values = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
    assert values == ["wal", 1, 1]


def test_migrations_run_once_and_in_order(tmp_path: Path) -> None:
    """Opening again runs only what is new, and keeps the old content beside the file."""
    path = tmp_path / "x.db"
    words(path)
    with closing(open_database(path, [m001_initial, m002_length])) as connection:
        assert [tuple(row) for row in connection.execute("SELECT * FROM words")] == [("first", None)]
    with closing(sqlite3.connect(path.with_name(path.name + BACKUP_SUFFIX))) as backup:
        assert backup.execute("SELECT * FROM words").fetchall() == [("first",)]


def test_failing_migration_leaves_nothing(tmp_path: Path) -> None:
    """Several migrations are one transaction: all or none."""
    path = tmp_path / "x.db"
    words(path)
    with pytest.raises(RuntimeError, match="power cut"):
        open_database(path, [m001_initial, m002_length, m003_broken])
    with closing(sqlite3.connect(path)) as connection:
        assert [name for (name,) in connection.execute("SELECT name FROM migrations")] == ["m001_initial"]
        assert [name for (_, name, *_) in connection.execute("PRAGMA table_info(words)")] == ["word"]


@cases("read_only", [False, True])
def test_truncated_file_is_untouched(tmp_path: Path, read_only: bool) -> None:
    """A file cut anywhere is named as damaged and left alone; only an empty one is a fresh start."""
    path = tmp_path / "x.db"
    words(path)
    whole = path.read_bytes()
    for percent in range(1, 100):
        path.write_bytes(whole[: len(whole) * percent // 100])
        before = path.read_bytes()
        with pytest.raises(StoreError, match="damaged"):
            open_database(path, [m001_initial], read_only=read_only)
        assert path.read_bytes() == before


@cases("shape", ["folder in the way", "file as folder"])
def test_unusable_place(tmp_path: Path, shape: str) -> None:
    """A place that cannot hold the file is an expected failure with a hint."""
    path = tmp_path / "x.db"
    if shape == "folder in the way":
        path.mkdir()
    else:
        path.write_text("")
        path = path / "x.db"
    with pytest.raises(StoreError, match="cannot be used|is not a regular file") as caught:
        open_database(path, [m001_initial])
    assert "MEMSUGGEST_DATA_DIR" in str(caught.value.hint)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder(tmp_path: Path) -> None:
    """A folder that cannot be written is an expected failure; reading still works."""
    path = tmp_path / "d" / "x.db"
    words(path)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert words(path, read_only=True) == ["first"]
        with pytest.raises(StoreError):
            open_database(path.with_name("y.db"), [m001_initial])
    finally:
        path.parent.chmod(0o700)


def test_full_disk(tmp_path: Path) -> None:
    """When the space runs out, the transaction is undone and the hint says why."""
    path = tmp_path / "x.db"
    with closing(open_database(path, [m001_initial])) as connection:
        connection.execute("PRAGMA max_page_count = 8")
        with pytest.raises(StoreError) as caught, transaction(connection):
            for _ in range(100):
                connection.execute("INSERT INTO words VALUES (?)", ("x" * 5000,))
        assert "disk is full" in str(caught.value.hint)
        assert not connection.in_transaction
    assert words(path) == ["first"]


def test_read_only_changes_nothing(tmp_path: Path) -> None:
    """Reading creates no file and no folder, and shows an older file as if it were migrated."""
    missing = tmp_path / "none" / "x.db"
    assert words(missing, read_only=True) == ["first"]
    assert not missing.parent.exists()
    path = tmp_path / "old.db"
    words(path)
    before = path.read_bytes()
    with closing(open_database(path, [m001_initial, m002_length], read_only=True)) as connection:
        assert connection.execute("SELECT length FROM words").fetchone()["length"] is None
    assert path.read_bytes() == before


def test_read_only_writes_to_a_copy(tmp_path: Path) -> None:
    """A dry run may write through its connection; the file does not see it."""
    path = tmp_path / "x.db"
    words(path)
    with closing(open_database(path, [m001_initial], read_only=True)) as connection, transaction(connection):
        connection.execute("DELETE FROM words")
    assert words(path) == ["first"]


def test_transactions_nest_and_undo(tmp_path: Path) -> None:
    """An inner transaction belongs to the outer one; an exception undoes both."""
    path = tmp_path / "x.db"
    with closing(open_database(path, [m001_initial])) as connection:
        with pytest.raises(KeyError), transaction(connection):
            with transaction(connection):
                connection.execute("INSERT INTO words VALUES ('inner')")
            raise KeyError
        with transaction(connection):
            connection.execute("INSERT INTO words VALUES ('kept')")
    assert words(path) == ["first", "kept"]


def test_bugs_keep_their_traceback(tmp_path: Path) -> None:
    """A broken constraint is a bug of the caller, not a damaged store."""
    with closing(open_database(tmp_path / "x.db", [m001_initial])) as connection:
        connection.execute("CREATE UNIQUE INDEX one ON words (word)")
        with pytest.raises(sqlite3.IntegrityError), transaction(connection):
            connection.execute("INSERT INTO words VALUES ('first')")


def _open_and_add(path: Path, word: str) -> None:
    with closing(open_database(path, [m001_initial, m002_length])) as connection:
        for number in range(5):
            with transaction(connection):
                connection.execute("INSERT INTO words (word) VALUES (?)", (f"{word}{number}",))


def test_many_processes_create_one_database(tmp_path: Path) -> None:
    """Processes that open a missing file at the same moment migrate it once and lose no row."""
    path = tmp_path / "x.db"
    context = multiprocessing.get_context("spawn")
    crowd = [context.Process(target=_open_and_add, args=(path, word)) for word in "abcd"]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    assert [process.exitcode for process in crowd] == [0] * 4
    with closing(open_database(path, [m001_initial, m002_length])) as connection:
        assert connection.execute("SELECT count(*) FROM words").fetchone()[0] == 21


@cases("fails", [False, True])
def test_light_transaction(tmp_path: Path, fails: bool) -> None:
    """It is all or nothing like any other, and the ones behind it wait for the disk again."""
    with closing(open_database(tmp_path / "a.db", [m001_initial])) as connection:
        with suppress(RuntimeError), light_transaction(connection):
            assert connection.execute("PRAGMA synchronous").fetchone()[0] == 1
            connection.execute("INSERT INTO words VALUES ('second')")
            if fails:
                raise RuntimeError
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
        with transaction(connection), light_transaction(connection):
            assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert words(tmp_path / "a.db") == (["first"] if fails else ["first", "second"])


def test_opening_again_keeps_the_locks(tmp_path: Path) -> None:
    """After a second opening by this process, another one that comes and goes takes nothing away from the first."""
    path = tmp_path / "x.db"
    with closing(open_database(path, [m001_initial])) as first:
        with transaction(first):
            first.execute("INSERT INTO words VALUES ('before')")
        words(path)
        look = "import contextlib, sqlite3, sys\nwith contextlib.closing(sqlite3.connect(sys.argv[1])) as c: print({})"
        read = look.format("c.execute('SELECT count(*) FROM words').fetchone()[0]")
        ask = [sys.executable, "-c", read, str(path)]
        assert subprocess.run(ask, capture_output=True, check=True).stdout.split() == [b"2"]
        with transaction(first):
            first.execute("INSERT INTO words VALUES ('after')")
        assert subprocess.run(ask, capture_output=True, check=True).stdout.split() == [b"3"]
