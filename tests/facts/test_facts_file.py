"""The shared file on disk: beside other processes, through kills, in real git histories."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from facts.fakes import fact

from memsuggest.core.errors import StoreError
from memsuggest.core.model import Decision, FactStatus, Scope, SuggestionStatus, Tombstone
from memsuggest.facts import codec, entries
from memsuggest.facts.codec import Document
from memsuggest.facts.facts_file import PLACE, FactsFile


@pytest.fixture
def file(tmp_path: Path) -> FactsFile:
    return FactsFile(tmp_path / PLACE)


def ids(file: FactsFile) -> set[str]:
    return {one.id for one in file.contents().facts}


def git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_not_made_for_nothing(file: FactsFile) -> None:
    """Steps that have nothing to say create no file and no folder."""
    file.add([])
    file.add([fact("Answer tersely", scope=Scope.USER)])
    file.update([fact("Use uv")])
    file.forget([Tombstone(fact_id="x")])
    file.decide([Decision(fact_id="x", target=None, status=SuggestionStatus.DISMISSED)])
    file.project([fact("weak", confidence=0.4), fact("retired", status=FactStatus.INACTIVE)], threshold=0.6)
    assert list(file.root.iterdir()) == []


def test_not_written_again(file: FactsFile) -> None:
    """A file in a form of somebody else's stays as it is while nothing changes; what we write has LF."""
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b'{"version":1,\r\n"facts":[{"id":"x","content":"Use uv"}]}')
    before = (file.path.read_bytes(), file.path.stat().st_mtime_ns)
    file.add([fact("Use uv", id="x", reason="other")])
    file.update([file.contents().facts[0]])
    assert (file.path.read_bytes(), file.path.stat().st_mtime_ns) == before
    file.add([fact("Use tabs")])
    assert b"\r" not in file.path.read_bytes()


def test_damage_stays(file: FactsFile) -> None:
    """A file cut at any point is never overwritten, whatever is asked for."""
    facts = [fact(f"rule {number}") for number in range(5)]
    file.add(facts)
    whole = file.path.read_bytes()
    for percent in range(1, 100):
        file.path.write_bytes(whole[: len(whole) * percent // 100])
        before = file.path.read_bytes()
        for step in (file.contents, lambda: file.add([fact("new")]), lambda: file.update(facts)):
            with pytest.raises(StoreError, match="is damaged"):
                step()
        assert file.path.read_bytes() == before


@pytest.mark.parametrize("data", [b"\xff\xfe{\0", b"\xef\xbb\xbf{}", b'{"version": 2, "facts": []}', b"\x80", b""])
def test_unreadable_stays(file: FactsFile, data: bytes) -> None:
    """Other encodings and later versions are refused and left alone."""
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(data)
    with pytest.raises(StoreError):
        file.add([fact("new")])
    assert file.path.read_bytes() == data


@pytest.mark.skipif(os.name != "posix", reason="links need no rights on POSIX only")
def test_link_out_of_the_repo(file: FactsFile, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link that link to a file outside the repo is neither read nor written."""
    outside = tmp_path_factory.mktemp("outside") / "facts.json"
    outside.write_text('{"version": 1, "facts": []}')
    file.path.parent.mkdir(parents=True)
    file.path.symlink_to(outside)
    for step in (file.contents, lambda: file.add([fact("new")])):
        with pytest.raises(StoreError, match="link to a file outside the repo"):
            step()


def test_tombstone_beside_its_fact(file: FactsFile) -> None:
    """After a merge in which one side forgot a fact and the other changed it, it stays forgotten."""
    forgotten = fact("Use uv")
    tombstone = entries.tombstone_entry(Tombstone(fact_id=forgotten.id))
    held = Document(facts={forgotten.id: entries.entry_of(forgotten)}, tombstones={forgotten.id: tombstone})
    file.path.parent.mkdir(parents=True)
    file.path.write_text(codec.render(held))
    assert file.contents().facts == ()
    assert file.project([forgotten], threshold=0) == ()


def test_project(file: FactsFile) -> None:
    """What is strong, active, of this workspace and not forgotten is written once."""
    strong, weak = fact("strong", confidence=0.6), fact("weak", confidence=0.59)
    mine, retired = fact("mine", scope=Scope.USER), fact("retired", status=FactStatus.INACTIVE)
    forgotten = fact("forgotten")
    file.add([forgotten])
    file.forget([Tombstone(fact_id=forgotten.id)])
    every = [strong, weak, mine, retired, forgotten]
    assert file.project(every, threshold=0.6) == (strong,)
    assert file.project(every, threshold=0.6) == ()
    assert ids(file) == {strong.id}


def test_branches_and_removals(git_repo: Path) -> None:
    """Another branch gets the fact again; the branch whose history removed it does not (D.1b)."""
    file = FactsFile(git_repo / PLACE)
    uv, tabs = fact("Use uv"), fact("Use tabs")
    git(git_repo, "commit", "-q", "--allow-empty", "-m", "start")
    git(git_repo, "branch", "other")
    file.project([uv, tabs], threshold=0)
    git(git_repo, "add", ".")
    git(git_repo, "commit", "-q", "-m", "facts")
    file.change(lambda old: replace(old, facts={uv.id: old.facts[uv.id]}))
    assert file.project([uv, tabs], threshold=0) == ()
    git(git_repo, "commit", "-q", "-a", "-m", "no tabs")
    assert file.project([uv, tabs], threshold=0) == ()
    git(git_repo, "checkout", "-q", "other")
    assert file.project([uv, tabs], threshold=0) == (uv, tabs)


def test_hostile_git_config(git_repo: Path) -> None:
    """Looking into the history runs nothing that the repo's configuration names."""
    file = FactsFile(git_repo / PLACE)
    file.add([fact("Use uv")])
    (git_repo / ".gitattributes").write_text("*.json diff=evil\n")
    trap = f"touch {git_repo}/trapped; false"
    for key in ("diff.evil.textconv", "diff.evil.command", "diff.external", "core.pager", "core.fsmonitor"):
        git(git_repo, "config", key, trap)
    git(git_repo, "add", ".")
    (git_repo / "trapped").unlink(missing_ok=True)
    git(git_repo, "-c", "core.fsmonitor=", "commit", "-q", "-m", "facts")
    (git_repo / "trapped").unlink(missing_ok=True)
    assert file.ids_in_history() == {fact("Use uv").id}
    assert not (git_repo / "trapped").exists()


def test_no_volatile_fields(file: FactsFile) -> None:
    """The file says nothing that would change with the next scan."""
    file.add([fact("Use uv")])
    (entry,) = json.loads(file.path.read_text())["facts"]
    assert list(entry) == [
        *("id", "content", "reason", "kind", "scope", "confidence", "citations"),
        *("timestamp", "sourceSessionId", "status"),
    ]


def test_tidy(tmp_path: Path) -> None:
    """Entries in another order are told, and put in order with nothing lost; then there is nothing to do."""
    entry = {"content": "Use pnpm.", "note": [1.50, {"z": 1, "a": 2}]}
    path = tmp_path / ".github/memories/facts.json"
    path.parent.mkdir(parents=True)
    text = json.dumps({"version": 1, "facts": [{"id": "b", **entry}, {"id": "a", **entry}]})
    path.write_text(text, encoding="utf-8")
    store = FactsFile(path)
    assert not store.is_in_usual_form()
    assert store.tidy()
    assert store.is_in_usual_form()
    assert not store.tidy()
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["facts"] == [{"id": "a", **entry}, {"id": "b", **entry}]
