"""What is new since last time: nothing twice, nothing lost, nothing opened for no reason."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from reader_kit import jsonl

from memsuggest.core.database import open_database
from memsuggest.core.model import Role, Transcript, Trust, Turn
from memsuggest.transcripts.discovery import FoundTranscript, find_transcripts
from memsuggest.transcripts.progress import MIGRATIONS, Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = 1_772_355_600_000


@pytest.fixture
def progress(tmp_path: Path) -> Iterator[Progress]:
    connection = open_database(tmp_path / "state.db", MIGRATIONS)
    yield Progress(connection)
    connection.close()


def found(name: str = "/c/a.jsonl", **fields: Any) -> FoundTranscript:
    return FoundTranscript(place=name, **({"format": "claude-code", "size": 1, "mtime_ns": 2, "inode": 3} | fields))


def transcript(*typed: str, keys: str = "", session: str = "s", trust: Trust = Trust.TYPED) -> Transcript:
    turns = tuple(
        Turn(number=number, role=Role.USER, typed=text, key=f"{keys}{number:030}" if keys else "")
        for number, text in enumerate(typed, 1)
    )
    return Transcript(session_id=session, format="x", origin="f", turns=turns, trust=trust)


class TestFiles:
    """Which files are worth opening."""

    def test_new_then_processed(self, progress: Progress) -> None:
        """A file is new until it is marked, and then left alone."""
        assert progress.changed([found()]) == [found()]
        assert progress.state_of(found()).name == "new"
        progress.mark(found(), transcript("use tabs"), now=NOW)

        assert progress.changed([found()]) == []
        assert progress.state_of(found()).name == "processed"

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param({"size": 9}, id="grown"),
            pytest.param({"mtime_ns": 9}, id="same-size-written-again"),
            pytest.param({"mtime_ns": 1}, id="clock-set-back"),
            pytest.param({"inode": 9}, id="replaced"),
        ],
    )
    def test_changed(self, progress: Progress, change: dict[str, int]) -> None:
        """A file that is not exactly as it was is opened again."""
        progress.mark(found(), transcript("x"), now=NOW)

        assert progress.changed([found(**change)]) == [found(**change)]
        assert progress.state_of(found(**change)).name == "changed"

    def test_failed(self, progress: Progress) -> None:
        """A failure is remembered with its reason; the file is tried again when it changes or is named."""
        progress.fail(found(), why="cut off", now=NOW)

        assert (progress.state_of(found()).name, progress.state_of(found()).why) == ("failed", "cut off")
        assert progress.changed([found()]) == []
        assert progress.changed([found(is_named=True), found(size=5)]) == [found(is_named=True), found(size=5)]
        progress.mark(found(), transcript("x"), now=NOW)
        assert progress.state_of(found()).name == "processed"

    def test_better_trust(self, progress: Progress) -> None:
        """A file whose words count more now is read again; one whose words count less is not."""
        progress.mark(found(trust=Trust.CLAIMED), transcript("x", trust=Trust.CLAIMED), now=NOW)
        assert progress.changed([found()]) == [found()]
        progress.mark(found(), transcript("x"), now=NOW)
        assert progress.changed([found(trust=Trust.CLAIMED)]) == []


class TestTurns:
    """Which turns are new, whatever file they stand in."""

    def test_grown(self, progress: Progress) -> None:
        """A session that grew has news, and keeps what is known as context."""
        progress.mark(found(), transcript("a", "b"), now=NOW)
        grown = transcript("a", "b", "c")

        assert not progress.has_news(transcript("a", "b"))
        assert progress.has_news(grown)
        assert progress.only_news(found(), grown) == grown

    def test_said_again(self, progress: Progress) -> None:
        """The same words said once more are news."""
        progress.mark(found(), transcript("use tabs"), now=NOW)

        assert progress.has_news(transcript("use tabs", "use tabs"))

    @pytest.mark.parametrize(
        "copy",
        [
            pytest.param(transcript("a", "b", session="s"), id="by-another-program"),
            pytest.param(transcript("a", "b", keys="u", session="t"), id="exported"),
        ],
    )
    def test_copies_count_once(self, progress: Progress, copy: Transcript) -> None:
        """A copy of a session teaches nothing, by its id and words or by its messages' ids."""
        progress.mark(found(), transcript("a", "b", keys="u"), now=NOW)

        assert not progress.has_news(copy)
        assert progress.only_news(found("/c/b.md"), copy).turns == ()

    def test_resumed(self, progress: Progress) -> None:
        """A resumed session, which begins with a copy, teaches only what is new."""
        progress.mark(found(), transcript("a", "b", keys="u"), now=NOW)
        resumed = transcript("a", "b", "c", keys="u", session="t")

        assert progress.has_news(resumed)
        assert [turn.typed for turn in progress.only_news(found("/c/b.jsonl"), resumed).turns] == ["c"]

    def test_better_copies_count(self, progress: Progress) -> None:
        """What was only claimed counts when this person's own copy turns up, not the other way round."""
        progress.mark(found(), transcript("a", trust=Trust.CLAIMED), now=NOW)
        own = transcript("a")
        assert progress.has_news(own)
        assert progress.only_news(found("/c/b.jsonl"), own) == own
        progress.mark(found("/c/b.jsonl"), own, now=NOW)

        assert not progress.has_news(replace(own, trust=Trust.CLAIMED))


def test_elsewhere(progress: Progress, tmp_path: Path) -> None:
    """Files about other workspaces are known while they stay as they are; this workspace's stay its own."""
    path = tmp_path / "a.jsonl"
    path.write_text("x")
    assert progress.is_elsewhere(str(path), path.stat()) is None
    progress.note_elsewhere([(str(path), path.stat())])
    assert progress.is_elsewhere(str(path), path.stat()) is True
    path.write_text("more")
    assert progress.is_elsewhere(str(path), path.stat()) is None


def test_a_run_without_news_opens_nothing(progress: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second search over known transcripts, here and elsewhere, opens none of them."""
    root = tmp_path / "w"
    for number in range(20):
        path = tmp_path / ".codex/sessions/2026/03/01" / f"rollout-{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            jsonl({"type": "session_meta", "payload": {"cwd": str(root if number % 2 else tmp_path / "else")}})
        )

    def search() -> list[FoundTranscript]:
        return list(find_transcripts(root, home=tmp_path, environ={}, platform="linux", memory=progress).transcripts)

    first = search()
    assert len(first) == 10
    for one in first:
        progress.mark(one, transcript(session=one.path.name), now=NOW)
    again = Progress(progress._connection)
    opened: list[object] = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda *given, **more: opened.append(given[0]) or real(*given, **more))

    found_again = find_transcripts(root, home=tmp_path, environ={}, platform="linux", memory=again).transcripts
    assert list(found_again) == first
    assert again.changed(found_again) == []
    assert not opened
