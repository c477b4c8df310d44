"""The shared file on disk: beside other processes, through kills, in real git histories."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from cases import cases
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
    """A file in a form of somebody else's stays as it is while nothing changes."""
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b'{"version":1,\r\n"facts":[{"id":"x","content":"Use uv"}]}')
    before = (file.path.read_bytes(), file.path.stat().st_mtime_ns)
    file.add([fact("Use uv", id="x", reason="other")])
    file.update([file.contents().facts[0]])
    assert (file.path.read_bytes(), file.path.stat().st_mtime_ns) == before


def test_only_lf(file: FactsFile) -> None:
    """What we write has LF and a final newline, whatever the file had."""
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b'{"version":1,\r\n"facts":[]}\r\n')
    file.add([fact("Use uv")])
    assert b"\r" not in file.path.read_bytes()
    assert file.path.read_bytes().endswith(b"}\n")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_mode_follows_the_umask(file: FactsFile) -> None:
    """The team's file is as readable as any other file of the repo, and keeps the mode it has."""
    before = os.umask(0o027)
    try:
        file.add([fact("Use uv")])
    finally:
        os.umask(before)
    assert file.path.stat().st_mode & 0o777 == 0o640
    file.path.chmod(0o664)
    file.add([fact("Use tabs")])
    assert file.path.stat().st_mode & 0o777 == 0o664


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
    stone = entries.tombstone_entry(Tombstone(fact_id=forgotten.id))
    held = Document(facts={forgotten.id: entries.entry_of(forgotten)}, tombstones={forgotten.id: stone})
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


def test_the_team_s_entry_wins(file: FactsFile) -> None:
    """A fact that two people have is one entry, as the first wrote it."""
    file.add([fact("Use uv", confidence=0.7, timestamp=5)])
    before = file.path.read_bytes()
    file.add([fact("Use uv", confidence=0.9, timestamp=1)])
    assert file.path.read_bytes() == before


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


def test_git_is_asked_only_when_needed(file: FactsFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A projection without news does not look into the history."""
    file.add([fact("Use uv")])
    monkeypatch.setattr(FactsFile, "ids_in_history", lambda _: pytest.fail("asked git"))
    assert file.project([fact("Use uv"), fact("weak", confidence=0.1)], threshold=0.6) == ()


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


def _add_some(path: Path, lock_path: Path | None, worker: int) -> None:
    file = FactsFile(path, lock_path=lock_path)
    for number in range(6):
        file.add([fact(f"rule {number} of worker {worker}")])


@cases("has_lock", [True, False])
def test_concurrent_writers_lose_nothing(tmp_path: Path, has_lock: bool) -> None:
    """Facts that several processes add at once are all there, with a lock and without."""
    path = tmp_path / "repo" / PLACE
    context = multiprocessing.get_context("spawn")
    lock_path = tmp_path / "lock" if has_lock else None
    crowd = [context.Process(target=_add_some, args=(path, lock_path, worker)) for worker in range(4)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    assert [process.exitcode for process in crowd] == [0] * 4
    assert len(ids(FactsFile(path))) == 24
    assert [entry.name for entry in path.parent.iterdir()] == ["facts.json"]


ENDLESS = """
import sys
from pathlib import Path
from facts.fakes import fact
from memsuggest.facts.facts_file import FactsFile
file, number = FactsFile(Path(sys.argv[1])), 0
while True:
    file.add([fact(f"rule {sys.argv[2]} {number}")])
    print(number, flush=True)
    number += 1
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_killed_writer(tmp_path: Path) -> None:
    """Whenever a writer is killed, the file is whole and holds everything that was reported as written."""
    file = FactsFile(tmp_path / PLACE)
    chance = random.Random(7)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    for round_ in range(6):
        command = [sys.executable, "-c", ENDLESS, str(file.path), str(round_)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
            assert process.stdout
            last = int(process.stdout.readline())
            time.sleep(chance.random() * 0.1)
            process.send_signal(signal.SIGKILL)
            last = max([last, *map(int, process.stdout.read().split())])
        contents = {one.content for one in file.contents().facts}
        assert {f"rule {round_} {number}" for number in range(last + 1)} <= contents


def _merges(repo: Path, base: list[str], ours: list[str], theirs: list[str]) -> bool:
    file = FactsFile(repo / PLACE)
    git(repo, "checkout", "-q", "--orphan", "base")
    file.path.unlink(missing_ok=True)
    file.add(map(fact, base))
    for branch, contents in (("base", []), ("ours", ours), ("theirs", theirs)):
        if branch != "base":
            git(repo, "checkout", "-q", "-B", branch, "base")
        file.add(map(fact, contents))
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", branch)
    merge = subprocess.run(["git", "-C", str(repo), "merge", "-q", "ours"], capture_output=True, check=False)
    if merge.returncode:
        git(repo, "merge", "--abort")
    else:
        assert ids(file) == {fact(content).id for content in (*base, *ours, *theirs)}
        assert file.path.read_text() == codec.render(codec.parse(file.path.read_text(), name="merged"))
    git(repo, "branch", "-q", "-D", "base")
    return merge.returncode == 0


def test_merges_in_git(git_repo: Path) -> None:
    """Two branches that add facts to a file of fifty merge mostly without our help, and then exactly."""
    clean = [
        _merges(
            git_repo,
            [f"rule {round_} {number}" for number in range(50)],
            [f"ours {round_} {number}" for number in range(2)],
            [f"theirs {round_} {number}" for number in range(2)],
        )
        for round_ in range(8)
    ]
    assert sum(clean) >= 6


def test_other_parts_merge(git_repo: Path) -> None:
    """A fact on one branch and a decision on the other do not meet, even in an empty file."""
    file = FactsFile(git_repo / PLACE)
    file.add([fact("Use uv")])
    git(git_repo, "add", ".")
    git(git_repo, "commit", "-q", "-m", "base")
    git(git_repo, "checkout", "-q", "-b", "theirs")
    file.add([fact("Use tabs")])
    git(git_repo, "commit", "-q", "-a", "-m", "fact")
    git(git_repo, "checkout", "-q", "main")
    file.decide([Decision(fact_id=fact("Use uv").id, target="AGENTS.md", status=SuggestionStatus.APPLIED)])
    git(git_repo, "commit", "-q", "-a", "-m", "decision")
    git(git_repo, "merge", "-q", "theirs")
    assert len(file.contents().facts) == 2
    assert len(file.contents().decisions) == 1


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
