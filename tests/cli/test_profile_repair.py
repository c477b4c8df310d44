"""A damaged profile: what is said of it, and what a repair keeps."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli.conftest import Run, invoke, json_of, refused

from memsuggest.core.database import open_database
from memsuggest.core.errors import StoreError
from memsuggest.facts.profile_rows import MIGRATIONS, damage_of, repair_profile

PAGE = 4096
KEPT = ("The queue is called harbour", "The lamp is red", "The team meets on Mondays")


@pytest.fixture(name="profile")
def _profile(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile with entries, a fact, a line of the identity and an app's memory."""
    monkeypatch.setenv("MEMSUGGEST_DATA_DIR", str(tmp_path / "data"))
    for sentence in KEPT:
        run("memory", "add", sentence)
    run("memory", "add", "--identity", "Ada")
    run("remember", "use pnpm, not npm")
    run("memory", "add", "--app", "codex", "They said that it rains")
    return tmp_path / "data" / "profile.db"


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def remembered() -> set[str]:
    return {one["content"] for one in invoke("memory", "list", "--format", "json").json["entries"]}


ALL = {*KEPT, "Ada", "use pnpm, not npm"}


def test_an_index_that_is_refused(profile: Path) -> None:
    """Is named by `doctor`, which changes nothing, and made anew; no row is lost."""
    for breaking in (
        "DELETE FROM said_words_data",
        "DROP TABLE said_words",
        "UPDATE said_words_data SET block = x'00' WHERE id = 10",
    ):
        change(profile, breaking)
        checks = json_of("doctor", code=3)["checks"]
        assert [check["health"] for check in checks if check["name"] == "profile"] == ["bad"]
        report = json_of("memory", "repair")
        assert (report["entries"], report["facts"], report["appMemories"], report["lost"]) == (5, 1, 1, [])
        assert Path(report["aside"]).stat().st_size
    assert remembered() == ALL
    assert "harbour" in invoke("recall", "queue").out
    assert "pnpm" in invoke("memory", "list", "--facts", "npm").out
    assert "it rains" in invoke("memory", "show", "codex").out


@pytest.mark.parametrize("value", ["tags = 'x'", "content = x'00ff'", "created_at = 1e30"])
def test_a_row_that_no_program_of_ours_has_written(profile: Path, value: str) -> None:
    """Is refused with what to do; a repair keeps all others."""
    change(profile, f"UPDATE entries SET {value} WHERE content = '{KEPT[0]}'", "UPDATE recalls SET hits = '7'")
    assert "memory repair" in refused("memory", "list", says="damaged")
    assert json_of("memory", "repair")["lost"] == ["1 of the `entries` rows"]
    assert remembered() == ALL - {KEPT[0]}
    invoke("recall", "--last")


def test_any_broken_page(profile: Path) -> None:
    """Costs no more than what stood on it: the repaired profile is sound, or it is refused and left as it is."""
    whole = profile.read_bytes()
    outcomes = []
    for page in range(1, len(whole) // PAGE):
        profile.write_bytes(whole[: page * PAGE] + b"\x55" * PAGE + whole[(page + 1) * PAGE :])
        before = profile.read_bytes()
        try:
            repaired = repair_profile(profile)
        except StoreError:
            outcomes.append("refused")
            assert profile.read_bytes() == before
            continue
        with closing(open_database(profile, MIGRATIONS)) as connection:
            assert damage_of(connection) == ""
            found = {row["content"] for row in connection.execute("SELECT content FROM entries")}
        assert found <= ALL
        assert found == ALL or repaired.lost
        outcomes.append("lost" if repaired.lost else "whole")
    assert outcomes.count("whole") > len(outcomes) / 2
    assert "lost" in outcomes


def test_what_is_no_profile(tmp_path: Path) -> None:
    """Is left as it is: nothing there, another program's, a newer one."""
    path = tmp_path / "profile.db"
    with pytest.raises(StoreError, match="does not exist"):
        repair_profile(path)
    change(path, "CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program"):
        repair_profile(path)
    path.unlink()
    open_database(path, MIGRATIONS).close()
    change(path, "INSERT INTO migrations (name) VALUES ('m999_later')")
    with pytest.raises(StoreError, match="newer"):
        repair_profile(path)
