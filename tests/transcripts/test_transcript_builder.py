"""Transcripts in the making."""

from __future__ import annotations

from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source


def builder() -> TranscriptBuilder:
    return TranscriptBuilder(Source.of("", name="f"), name="x")


def test_the_assistants_doings_are_one_turn() -> None:
    """All between two messages of the person is one turn; numbers go on without gaps."""
    made = builder()
    made.type("one")
    made.activity.say("a")
    made.use("Read", {"file_path": "a.py"})
    made.type("  ")
    made.type("two")

    assert [(turn.number, turn.role, turn.typed) for turn in made.finished().turns] == [
        (1, "user", "one"), (2, "assistant", ""), (3, "user", "two"),
    ]  # fmt: skip


def test_hints_wait_for_the_next_typed_message() -> None:
    """A signal counts for the next message that the person typed, and for no other."""
    made = builder()
    made.hint(after_interruption=True)
    made.listen("<system-reminder>x</system-reminder>")
    made.listen("stop")
    made.listen("go")

    assert [turn.signals.after_interruption for turn in made.finished().turns] == [True, False]


def test_interruptions_and_remembering_are_heard() -> None:
    """What the wrapping of a message tells becomes a signal."""
    made = builder()
    made.listen("[Request interrupted by user]")
    made.listen("<user-memory-input>use tabs</user-memory-input>")
    (turn,) = made.finished().turns

    assert (turn.typed, turn.signals.after_interruption, turn.signals.remember) == ("use tabs", True, True)


def test_rewinding_takes_back_what_followed() -> None:
    """Messages that were taken back go with the answers to them; odd counts take nothing."""
    made = builder()
    for words in ("one", "two", "three"):
        made.type(words)
        made.activity.say("ok")
    made.rewind("x")
    made.rewind(-1)
    made.rewind(2)

    assert [turn.typed for turn in made.finished().turns] == ["one", ""]


def test_withdrawing_keeps_the_assistants_turns() -> None:
    """What was not typed after all leaves; the others are numbered anew."""
    made = builder()
    made.type("one")
    made.activity.say("ok")
    made.type("two")
    made.withdraw()

    assert [(turn.number, turn.text) for turn in made.finished().turns] == [(1, "ok")]


def test_repetition() -> None:
    """The same words are a repetition only until the assistant does something."""
    made = builder()
    made.type("again")
    assert made.is_repeated("again")
    made.activity.say("ok")
    assert not made.is_repeated("again")


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
