"""What the person changes in memory, and what `undo` makes of it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from cli.conftest import invoke, refused
from learning.watched import context_of

from memsuggest.memory.admin import AdminMemories
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source
from memsuggest.memory.memory_entries import add_entry

STAGING = "Staging is reset every night."


@pytest.fixture(name="repo")
def _repo(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(git_repo)
    return git_repo


def stored(repo: Path) -> set[Entry]:
    context = context_of(repo)
    try:
        return set(context.profile.entries.entries(everywhere=True))
    finally:
        context.close()


def noted(repo: Path, content: str) -> Entry:
    """What an assistant noted."""
    context = context_of(repo)
    try:
        return add_entry(context, content, layer=Layer.KNOWLEDGE, source=Source.AGENT).entry
    finally:
        context.close()


def mine(content: str) -> str:
    invoke("memory", "add", content)
    return next(one["id"] for one in browsed() if one["content"] == content)


def browsed() -> list[dict[str, str]]:
    found: list[dict[str, str]] = invoke("memory", "list", "--format", "json").json["entries"]
    return found


def in_any_file(folder: Path, words: str) -> bool:
    return any(words.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_each_decision_is_taken_back(repo: Path, tmp_path: Path) -> None:
    """One after the other, to the same entries as before; `undo --list` names them."""
    written = tmp_path / "memory.json"
    exported = [{"layer": "L1", "content": "The ferry books by phone.", "project": "x"}]
    written.write_text(json.dumps({"version": 1, "entries": exported}))
    own, other = mine("Prices are kept in cents."), noted(repo, "The queue is called pier.").id
    waits = noted(repo, "Prices are kept in euros, not in cents.").id
    line = invoke("memory", "add", "--identity", "Answers short", "--format", "json").json["entry"]["id"]
    for words in (
        ("memory", "add", STAGING, "--tag", "ops"),
        ("memory", "edit", own, "--content", "Prices are kept in cents, as integers."),
        ("memory", "edit", other, "--content", "The queue is called harbor."),
        ("memory", "confirm", waits),
        ("memory", "deactivate", other),
        ("memory", "import", str(written)),
        ("memory", "add", "--identity", "Works from Lisbon"),
        ("memory", "remove", line),
    ):
        before = stored(repo)
        invoke(*words)
        assert stored(repo) != before, words
        assert invoke("undo", "--list", "--format", "json").json["decisions"], words
        invoke("undo")
        assert stored(repo) == before, words


def test_the_identity_as_a_whole(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an editor made of it is one decision."""
    invoke("memory", "add", "--identity", "Answers short")
    before = stored(repo)
    monkeypatch.setenv("EDITOR", "sed -i s/short/long/")
    invoke("memory", "edit", "identity")
    assert {one.content for one in stored(repo)} == {"Answers long"}
    assert "Answers short" in invoke("undo").out
    assert stored(repo) == before


def test_what_changed_since_stays(repo: Path) -> None:
    """Another one's later word is not taken back along."""
    own = mine(STAGING)
    invoke("memory", "edit", own, "--content", "Staging is reset every week.")
    context = context_of(repo)
    (entry,) = context.profile.entries.entries()
    context.profile.entries.update(entry._replace(content="Staging is never reset."))
    context.close()
    invoke("undo")
    assert {one.content for one in stored(repo)} == {"Staging is never reset."}


def test_forgetting_is_final(repo: Path, home: Path) -> None:
    """Neither `undo` nor any file has a word of it, whatever was decided about it before."""
    own = mine(STAGING)
    invoke("memory", "edit", own, "--content", "Staging is reset every week.")
    invoke("memory", "forget", own, "--yes")
    assert not stored(repo)
    assert "every week" not in invoke("undo", "--list").out
    refused("undo", says="nothing to undo")
    assert not in_any_file(home, "reset every week")


def test_the_identity_has_room_for_what_comes_back(repo: Path) -> None:
    """Else nothing is taken back, and it is said what makes room."""
    line = invoke("memory", "add", "--identity", "a" * 600, "--format", "json").json["entry"]["id"]
    invoke("memory", "remove", line)
    context = context_of(repo)
    entry = Entry(
        id="x" * 16,
        layer=Layer.IDENTITY,
        content="b" * 600,
        source=Source.USER,
        status=EntryStatus.ACTIVE,
        created_at=1,
        updated_at=1,
    )
    context.profile.entries.add([entry])
    context.close()
    refused("undo", says="the limit is 1,000")
    assert {one.content for one in stored(repo)} == {"b" * 600}


def test_an_apps_memories(repo: Path, home: Path) -> None:
    """What was written, and what was forgotten of it; a purge is final."""

    invoke("config", "set", "maxAppMemories", "2", "--user")
    context = context_of(repo)
    profile = context.folders.data / "profile.db"
    context.close()
    invoke("memory", "add", "--app", "claude-code", "The person likes short answers.")
    first = invoke("memory", "show", "claude-code", "--format", "json").json["memories"]
    invoke("memory", "forget", "--app", "claude-code", str(first[0]["id"]))
    invoke("undo")
    assert invoke("memory", "show", "claude-code", "--format", "json").json["memories"] == first
    invoke("memory", "add", "--app", "claude-code", "The person works from Lisbon.")
    invoke("memory", "add", "--app", "claude-code", "The person reviews on Fridays.")
    assert len(invoke("memory", "show", "claude-code", "--format", "json").json["memories"]) == 2
    invoke("undo")
    invoke("undo")
    assert invoke("memory", "show", "claude-code", "--format", "json").json["memories"] == first
    invoke("memory", "forget", "--app", "claude-code", str(first[0]["id"]))
    for told in ("The person works from Porto.", "The person reviews on Mondays."):
        with sqlite3.connect(profile) as connection:
            connection.execute(
                "INSERT INTO app_memories (app_id, content, created_at, updated_at) VALUES ('claude-code', ?, 1, 1)",
                (told,),
            )
        connection.close()
    refused("undo", says="the limit is 2")
    invoke("memory", "purge", "claude-code", "--yes")
    refused("undo", says="nothing to undo")
    assert not in_any_file(home, "short answers")


def test_an_operator_purges_for_good(repo: Path, home: Path) -> None:
    """Through the API, too, nothing is left that `undo` could bring back."""
    for sentence in ("The person likes zanzibarfish.", "The person feeds quokkabears."):
        invoke("memory", "add", "--app", "claude-code", sentence)
    bears, fish = invoke("memory", "show", "claude-code", "--format", "json").json["memories"]
    invoke("memory", "forget", "--app", "claude-code", str(bears["id"]))
    context = context_of(repo)
    memories = AdminMemories(folders=context.folders, now=context.now)
    context.close()
    assert memories.forget("claude-code", fish["id"])
    assert not in_any_file(home, "zanzibarfish")
    assert memories.purge("claude-code") == 0
    assert not in_any_file(home, "quokkabears")
    refused("undo", says="nothing to undo")


def test_what_was_removed_can_be_forgotten(repo: Path, home: Path) -> None:
    """It is only kept for `undo`, and found by its id."""
    line = invoke("memory", "add", "--identity", "Feeds quokkabears", "--format", "json").json["entry"]["id"]
    invoke("memory", "remove", line)
    assert in_any_file(home, "quokkabears")
    assert "Feeds quokkabears" in invoke("memory", "forget", line[:7], "--yes").out
    assert not in_any_file(home, "quokkabears")
    refused("memory", "forget", line[:7], "--yes", says="no entry")


def test_old_copies_forget_too(repo: Path, home: Path) -> None:
    """What a migration or a repair left beside a database goes with the first thing that is forgotten for good."""
    own = mine("The host is called quokkabears.")
    invoke("memory", "repair")
    context = context_of(repo)
    for path in (context.folders.data / "profile.db", context.state_path):
        path.with_name(f"{path.name}.backup").write_bytes(path.read_bytes())
    context.close()
    invoke("memory", "forget", own, "--yes")
    assert not in_any_file(home, "quokkabears")
    assert not [path for path in home.rglob("*") if path.suffix in (".backup", ".damaged")]
