"""A session that grows is read on where reading stopped, and comes to the same as reading it whole."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_kit import jsonl

from memsuggest.database import open_database
from memsuggest.errors import TranscriptError
from memsuggest.model import Trust
from memsuggest.transcripts.continuing import Checkpoint
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.progress import MIGRATIONS, Progress
from memsuggest.transcripts.reading import read_on, read_source
from memsuggest.transcripts.source import Position, Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.model import Transcript

SAID = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"


def lines_of(*steps: str) -> list[dict[str, Any]]:
    """Records for some steps: what happens in a session, by name."""
    made: list[dict[str, Any]] = []
    last = None
    for number, step in enumerate(steps):
        common = {"parentUuid": last, "isSidechain": False, "cwd": "/w", "sessionId": "s", "uuid": f"u{number}"}
        if step == "queue":
            made.append(
                {"type": "queue-operation", "operation": "enqueue", "content": f"queued {number}", "sessionId": "s"}
            )
            continue
        if step == "dequeue":
            waiting = [one["content"] for one in made if one["type"] == "queue-operation"]
            made.append(user(common, waiting[-1] if waiting else f"prompt {number}"))
        elif step == "rewind":
            parents = [one["parentUuid"] for one in made if one["type"] == "user" and one.get("parentUuid")]
            made.append(user(common | {"parentUuid": parents[-1] if parents else None}, f"instead {number}"))
        elif step == "prompt":
            made.append(user(common, f"prompt {number}"))
        elif step == "stop":
            made.append(user(common, "[Request interrupted by user]"))
        elif step == "reject":
            block = {"tool_use_id": "t", "type": "tool_result", "is_error": True, "content": f"{SAID}no {number}"}
            made.append(user(common, [block]))
        else:
            block = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": f"/w/{number}.ts"}}
            message = {"model": "m", "type": "message", "role": "assistant", "content": [block]}
            made.append(common | {"type": "assistant", "message": message})
        last = f"u{number}"
    return made


def user(common: dict[str, Any], content: Any) -> dict[str, Any]:
    return common | {"type": "user", "message": {"role": "user", "content": content}}


STEPS = st.lists(
    st.sampled_from(["prompt", "prompt", "work", "work", "queue", "dequeue", "rewind", "stop", "reject"]),
    min_size=1,
    max_size=14,
)


@settings(max_examples=300, deadline=None)
@given(steps=STEPS, cuts=st.lists(st.integers(0, 14), max_size=3))
def test_in_pieces_like_whole(steps: list[str], cuts: list[int]) -> None:
    """However a session grows, the turns read in pieces are those of the whole, under the same numbers."""
    lines = lines_of(*steps)
    known: dict[int, Any] = {}
    checkpoint = None
    for end in [*sorted(cut for cut in cuts if 0 < cut < len(lines)), len(lines)]:
        content = jsonl(*lines[:end])
        transcript, checkpoint = read_on(Source.of(content), checkpoint)
        whole = read_source(Source.of(content))
        news = {turn.number: turn for turn in transcript.turns}
        expected = {turn.number: turn for turn in whole.turns}
        assert news.items() <= expected.items()
        known = {number: turn for number, turn in known.items() if number in expected and number not in news} | news
        assert {number: known[number].typed for number in known} == {
            number: expected[number].typed for number in expected
        }


def test_only_the_end_is_read() -> None:
    """Of a session that grew, reading begins at the last prompt."""
    lines = lines_of("prompt", "work", "prompt", "work", "prompt", "work")
    first, checkpoint = read_on(Source.of(jsonl(*lines[:4])), None)
    assert [turn.number for turn in first.turns] == [1, 2, 3, 4]
    assert checkpoint
    assert checkpoint.place == Position(len(jsonl(*lines[:2])), 2)

    second, _ = read_on(Source.of(jsonl(*lines)), checkpoint)
    assert [turn.number for turn in second.turns] == [3, 4, 5, 6]
    assert (second.session_id, second.workspace) == ("s", "/w")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda content: content.replace("prompt 0", "Prompt 0"), id="beginning-changed"),
        pytest.param(lambda content: content.replace("prompt 2", "prompt two")[:300], id="cut-off"),
        pytest.param(lambda _: jsonl(*lines_of("prompt")), id="replaced"),
    ],
)
def test_another_file(change: Any) -> None:
    """A file that was rewritten is read from its beginning."""
    content = jsonl(*lines_of("prompt", "work", "prompt", "work"))
    _, checkpoint = read_on(Source.of(content), None)
    other = change(content)

    transcript, _ = read_on(Source.of(other), checkpoint)
    assert transcript == read_source(Source.of(other))


def test_byte_by_byte() -> None:
    """A session that grows byte by byte loses nothing and tells nothing twice."""
    content = jsonl(*lines_of("prompt", "work", "queue", "prompt", "stop", "prompt", "reject")).encode()
    whole = read_source(Source.of(content))
    known: dict[int, str] = {}
    checkpoint = None
    for end in itertools.chain(range(1, len(content), 7), [len(content)]):
        try:
            transcript, checkpoint = read_on(Source.of(content[:end]), checkpoint)
        except TranscriptError as error:
            assert "known format" in error.message
            continue
        known |= {turn.number: turn.typed for turn in transcript.turns}

    assert known == {turn.number: turn.typed for turn in whole.turns}


def test_other_formats() -> None:
    """A format that is rewritten is read whole."""
    content = json.dumps([{"role": "user", "content": "use tabs"}, {"role": "assistant", "content": "ok"}])
    transcript, checkpoint = read_on(Source.of(content), None)

    assert (transcript.turns[0].typed, checkpoint) == ("use tabs", None)


def test_notes_hold_no_text() -> None:
    """What is remembered between two readings tells nothing of what was said."""
    _, checkpoint = read_on(Source.of(jsonl(*lines_of("prompt", "work", "queue", "prompt", "work", "prompt"))), None)

    assert checkpoint
    assert not any(word in checkpoint.as_text() for word in ("prompt 0", "queued 2", "Edit", ".ts"))


class TestRemembering:
    """Checkpoints in the state database."""

    def test_round_trip(self, tmp_path: Path) -> None:
        """A checkpoint comes back as it was, for the same trust only, and not after a failure."""
        connection = open_database(tmp_path / "state.db", MIGRATIONS)
        progress = Progress(connection)
        one = FoundTranscript(path=tmp_path / "a.jsonl", format="claude-code", size=1, mtime_ns=2, inode=3)
        transcript: Transcript
        transcript, checkpoint = read_on(Source.of(jsonl(*lines_of("prompt", "work", "prompt"))), None)
        assert progress.checkpoint(one) is None
        progress.mark(one, transcript, checkpoint=checkpoint, now=1)

        assert progress.checkpoint(one) == checkpoint
        assert (
            progress.checkpoint(
                FoundTranscript(path=one.path, format="", size=1, mtime_ns=2, inode=3, trust=Trust.CLAIMED)
            )
            is None
        )
        progress.fail(one, why="x", now=2)
        assert progress.checkpoint(one) is None
        connection.close()

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"place": [1]}', '{"place": ["a", "b"]}', '{"place": 7}'])
    def test_damaged(self, text: str) -> None:
        """A damaged checkpoint is none."""
        found = Checkpoint.from_text(text)

        assert found is None or not found.fits(Source.of("x"))
