"""Transcripts in the making."""

from __future__ import annotations

from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source


def builder() -> TranscriptBuilder:
    return TranscriptBuilder(Source.of("", name="f"), name="x")


def test_calls_are_forgotten_in_time() -> None:
    """Only the last calls can be refused by name."""
    made = builder()
    for number in range(1000):
        made.use("run", {"command": f"step {number}"}, call_id=str(number))
    made.reject("999")
    made.type("no")
    made.reject("0")
    made.type("neither")

    assert [turn.signals.rejected_tool for turn in made.finished().turns if turn.typed] == ["run: step 999", "tool"]


def test_a_session_without_an_id_is_named_by_its_beginning() -> None:
    """The name stays while the session grows, from its first message on, and differs from that of another session."""
    ids = set()
    for told in ([], ["hello"], ["hello", "one"], ["hello", "two"]):
        made = builder()
        made.type("hi")
        for said in told[:1]:
            made.activity.say(said)
        for said in told[1:]:
            made.type(said)
        ids.add(made.finished().session_id)
    other = builder()
    other.type("good day")

    assert len(ids) == 1
    assert other.finished().session_id not in ids


def test_exports_that_began_alike() -> None:
    """Two exported sessions that began with the same words are told apart by their first answers."""
    ids = set()
    for answer, more in (("hello", "one"), ("hello", "two"), ("good day", "one")):
        made = builder()
        made.type("hi")
        made.activity.say(answer)
        made.type(more)
        ids.add(made.finished(is_export=True).session_id)

    assert len(ids) == 2
