"""A session that grows is read on where reading stopped, and comes to the same as reading it whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from cases import cases
from growing_kit import GROWING, STEPS, USUAL, claude
from hypothesis import given
from hypothesis import strategies as st
from reader_kit import jsonl

from memsuggest.core.database import open_database
from memsuggest.core.model import Trust
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.formats.table import CONTINUING
from memsuggest.transcripts.parsing.continuing import Checkpoint, Reach
from memsuggest.transcripts.progress import MIGRATIONS, Progress
from memsuggest.transcripts.reading import read_on, read_source
from memsuggest.transcripts.storage.source import Position, Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.core.model import Transcript

SHORT = Reach(prompts=2, size=10**9, least=1)
"""So short that sessions of a dozen steps are read on."""
CASES = [(name, STEPS.get(name, USUAL)) for name in GROWING]


def prompt(number: int) -> str:
    return f"prompt {number}"


def session(*steps: str) -> str:
    return jsonl(*claude(steps, prompt))


def test_every_format() -> None:
    """Each reader that can go on is tried here."""
    assert GROWING.keys() == CONTINUING.keys()


@given(data=st.data())
@pytest.mark.parametrize(("name", "steps"), [pytest.param(*case, id=case[0]) for case in CASES])
def test_in_pieces_like_whole(name: str, steps: tuple[str, ...], data: st.DataObject) -> None:
    """However a session grows, what is read in pieces is what is in the whole, under the same numbers."""
    chosen = data.draw(st.lists(st.sampled_from(steps), min_size=1, max_size=24))
    lines = GROWING[name](["prompt", *chosen], prompt)
    cuts = data.draw(st.lists(st.integers(1, len(lines)), max_size=4))
    checkpoint = None
    for end in [*sorted(cuts), len(lines)]:
        source = Source.of(jsonl(*lines[:end]))
        read = read_on(source, checkpoint, reach=SHORT)
        whole = read_source(source)
        if whole.format != name:
            return  # too little to tell
        compare(read.transcript, whole, checkpoint)
        assert (read.transcript.context > 0) == (read.after is not None)
        checkpoint = read.checkpoint and Checkpoint.from_text(read.checkpoint.as_text())
        assert checkpoint == read.checkpoint


def compare(read: Transcript, whole: Transcript, checkpoint: Checkpoint | None) -> None:
    """Hold what was read on against the whole."""
    first = checkpoint.number if checkpoint and read.context else 0
    assert (read.session_id, read.workspace) == (whole.session_id, whole.workspace)
    assert read.turns == tuple(turn for turn in whole.turns if turn.number >= first)


def test_only_the_end_is_read() -> None:
    """Of a session that grew, reading begins some prompts before what is new."""
    steps = ["prompt", "work"] * 40
    reach = Reach(prompts=5, size=10**9, least=2)
    first = read_on(Source.of(session(*steps)), None, reach=reach)
    assert first.after is None
    assert len(first.transcript.turns) == 80
    assert first.checkpoint
    assert first.checkpoint.place == Position(len(session(*steps[:70])), 70)
    assert first.checkpoint.number == 71

    second = read_on(Source.of(session(*steps, "prompt", "work")), first.checkpoint, reach=reach)
    assert second.after == first.checkpoint
    assert [turn.number for turn in second.transcript.turns] == list(range(71, 83))
    assert (second.transcript.session_id, second.transcript.workspace) == ("s", "/w")
    assert second.transcript.context == 75
    assert second.checkpoint
    assert second.checkpoint.number == 73


@cases(
    "change",
    [
        pytest.param(lambda content: content.replace("prompt 0", "Prompt 0"), id="beginning-changed"),
        pytest.param(lambda content: content.replace("prompt 8", "prompt x"), id="changed-before-the-place"),
        pytest.param(lambda content: content[:300], id="cut-off"),
        pytest.param(lambda _: session("prompt"), id="replaced"),
    ],
)
def test_another_file(change: Any) -> None:
    """A file that was rewritten is read from its beginning."""
    content = session(*["prompt", "work"] * 8)
    checkpoint = read_on(Source.of(content), None, reach=SHORT).checkpoint
    assert checkpoint
    other = change(content)

    read = read_on(Source.of(other), checkpoint, reach=SHORT)
    assert (read.transcript, read.after) == (read_source(Source.of(other)), None)


@cases("name", GROWING)
def test_notes_hold_no_text(name: str) -> None:
    """What is remembered between two readings tells nothing of what was said."""
    steps = ["prompt", "work", "say", "queue", "reject", "again", "prompt"] * 3
    content = jsonl(*GROWING[name](steps, lambda number: f"secret {number}"))
    checkpoint = read_on(Source.of(content), None, reach=SHORT).checkpoint

    assert checkpoint
    words = ("secret", "queued 3", "go on", "I see", "Edit", "write", ".ts", "no 4")
    assert not any(word in checkpoint.as_text() for word in words)


class TestRemembering:
    """Checkpoints in the state database."""

    def test_round_trip(self, tmp_path: Path) -> None:
        """A checkpoint comes back as it was, for the same trust only, and not after a failure."""
        connection = open_database(tmp_path / "state.db", MIGRATIONS)
        progress = Progress(connection)
        one = FoundTranscript(place=str(tmp_path / "a.jsonl"), format="claude-code", size=1, mtime_ns=2, inode=3)
        read = read_on(Source.of(session("prompt", "work", "prompt", "prompt")), None, reach=SHORT)
        assert progress.checkpoint(one) is None
        progress.mark(one, read.transcript, checkpoint=read.checkpoint, now=1)

        kept = progress.checkpoint(one)
        assert kept
        assert read.checkpoint
        assert replace(kept, said={}) == read.checkpoint
        claimed = replace(one, format="", trust=Trust.CLAIMED)
        assert progress.checkpoint(claimed) is None
        progress.fail(one, why="x", now=2)
        assert progress.checkpoint(one) is None
        connection.close()

    @cases(
        "text",
        ["", "{", "[]", "{}", '{"place": [1]}', '{"place": ["a", "b"]}', '{"place": 7}', '{"place":[0,0],"number":1}'],
    )
    def test_damaged(self, text: str) -> None:
        """A damaged checkpoint, or one of another version, is none."""
        assert Checkpoint.from_text(text) is None
