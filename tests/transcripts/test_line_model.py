"""Whose words, line by line: the person's around and inside of pastes, echoes, doubts, the fitted weights."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from cases import cases
from processor_time import processor_seconds

from memsuggest.core.model import Role, Transcript, Trust, Turn
from memsuggest.transcripts.parsing.activity import Answer
from memsuggest.transcripts.pastes.typed_or_pasted import Words, whose_words
from memsuggest.transcripts.reading import heard_before, read_source, seal
from memsuggest.transcripts.storage.source import Source

LOG = "\n".join(f"2026-05-0{day} 08:0{day}:01 ERROR room {day} is gone (rooms.py:{day}{day})" for day in range(1, 8))
TRACE = "Error: no such room\n    at Rooms.find (src/rooms.js:12:9)\n    at Server.handle (src/server.js:88:3)"
CODE = "export function rooms(list) {\n  return list.filter((room) => room.open);\n}"
ANSWER = (
    "There are two ways to share the calendar between the tenants of one house.\n"
    "The simple one keeps a copy of each booking in both calendars.\n"
    "The other one keeps a single booking and shows it twice.\n"
    "A copy is quick to read, and hard to keep up to date."
)


def texts(text: str, stretches: tuple[tuple[int, int], ...]) -> str:
    return "\n".join(text[start:end].strip("\n") for start, end in stretches)


def left(text: str, words: Words) -> list[str]:
    """The lines that are the person's."""
    kept, at = "", 0
    for start, end in sorted([*words.quoted, *words.doubtful]):
        kept += text[at:start] + "\n"
        at = end
    return [line.strip() for line in (kept + text[at:]).split("\n") if line.strip()]


@cases("paste", [LOG, TRACE, CODE, f"```\n{ANSWER}\n```", f"> {ANSWER}".replace("\n", "\n> ")])
@cases(
    ("before", "behind"),
    [
        ("why does this happen when I open the page?", ""),
        ("", "can you please fix that, and add a test for it?"),
        ("I see this in the console", "what do you think is wrong here?"),
        ("still the same problem", "please revert your last change, we never touch that file"),
    ],
)
def test_prose_around_a_paste_is_kept(paste: str, before: str, behind: str) -> None:
    """What leads up to a paste, and what is said behind it, is the person's; the paste is not."""
    text = "\n\n".join(filter(None, [before, paste, behind]))

    assert left(text, whose_words(text)) == [line for line in (before, behind) if line]


def test_the_sentence_behind_a_long_log() -> None:
    """However long the log is, the sentence behind it is read."""
    log = "\n".join(f"2026-05-01 08:00:{second % 60:02} INFO checked room {second}" for second in range(900))
    text = f"{log}\n\nplease never log every room, one line for each run is enough"

    assert left(text, whose_words(text)) == ["please never log every room, one line for each run is enough"]


@cases(
    "text",
    [
        "> please answer in German from now on",
        "> use the small model\n> and never the large one",
        '"Run the tests after every change, and stop as soon as one of them fails."',
        "“Please keep the answers short, and write the commit messages in English.”",
    ],
)
def test_a_prompt_that_looks_like_a_quotation_is_not_lost(text: str) -> None:
    """A message that is nothing but a quotation has nobody else to come from: in doubt at most."""
    assert whose_words(text).quoted == ()


def test_an_answer_that_is_sent_back_is_an_echo() -> None:
    """What the assistant said before is its words, though the person sent them; what they add is theirs."""
    text = f"{ANSWER}\n\nwhich of them would you take for a small house?"
    words = whose_words(text, heard=["Hello.", f"I looked at it.\n\n{ANSWER}\n\nShall I?"])

    assert texts(text, words.quoted) == ANSWER
    assert left(text, words) == ["which of them would you take for a small house?"]


def test_choosing_what_the_assistant_offered_is_no_echo() -> None:
    """Who repeats a line of an offer to choose it has said it."""
    text = "A copy is quick to read, and hard to keep up to date."

    assert whose_words(text, heard=[ANSWER]) == Words()


def test_an_echo_is_found_in_a_transcript() -> None:
    """A reader's transcript brings together what the assistant said in full and what the person sent."""
    told = [
        {"role": "user", "content": "how do we share calendars?"},
        {"role": "assistant", "content": "x " * 900 + f"\n{ANSWER}\n" + "y " * 900},
        {"role": "user", "content": f"{ANSWER}\nok"},
    ]
    turn = read_source(Source.of(json.dumps(told), name="chat.json")).turns[-1]

    assert "keeps a single booking" in texts(turn.typed, turn.quoted)


def test_a_long_unmarked_paste_is_in_doubt_at_least() -> None:
    """Prose of a length that nobody types is never simply the person's, whatever it says."""
    text = "\n".join(f"Part {part} of the handbook: always report to the office of part {part}." for part in range(70))

    assert left(text, whose_words(text)) == []


def test_a_polished_answer_among_casual_words_is_not_the_persons() -> None:
    """Headings, bold and lists in the middle of a casual message were written by somebody else."""
    answer = (
        "## Recommendation\n\n**Option B** is the better fit for your use case:\n\n"
        "- **Consistency** - every booking is stored exactly once.\n"
        "- **Simplicity** - no background job is required.\n\n"
        "Would you like me to outline the migration?"
    )
    text = f"my other chat says this, is it right?\n\n{answer}"

    assert left(text, whose_words(text)) == ["my other chat says this, is it right?"]


@cases(
    "text",
    [
        "no, use pnpm. never npm",
        "1. yes\n2. only for admins\n3. later",
        "remember: tabs\ndecision: sqlite stays",
        "rename it\nand please\nno abbreviations in names, ever",
        "ok das passt so\naber bitte ab jetzt immer mit Tests",
        "以后提交信息都用英文\n不要再改配置文件",
    ],
)
def test_plain_prompts_are_the_persons(text: str) -> None:
    """Short prompts, in any language, are never quoted and never in doubt."""
    assert whose_words(text) == Words()


def test_sealed_turns_say_what_is_in_doubt() -> None:
    """Doubtful stretches fit the sealed text and stand outside of the quoted ones."""
    raw = Turn(number=1, role=Role.USER, typed=f"here is the mail:\n\nAlways call back.\n\n```\n{CODE}\n```")
    turn = seal(Transcript(session_id="s", format="x", origin="f", turns=(raw,)), trust=Trust.TYPED).turns[0]

    assert "Always call back." in texts(turn.typed, turn.doubtful)
    assert not any(start < last and first < end for start, end in turn.doubtful for first, last in turn.quoted)


def test_importing_loads_no_weights() -> None:
    """Commands that read no transcript do not pay for the model."""
    code = (
        "import memsuggest.transcripts.reading; from memsuggest.transcripts.pastes.line_model import fitted;"
        "raise SystemExit(fitted.cache_info().currsize)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@cases(
    "text",
    [
        pytest.param(
            "\n".join(f"we say this here, number {line}, in plain words" for line in range(10_000)), id="prose"
        ),
        pytest.param("\n\n".join(f"{TRACE}\n\nI think {line}" for line in range(1_500)), id="said between traces"),
        pytest.param("\n".join(f"> a\nI say {line}" for line in range(5_000)), id="quotes"),
        pytest.param("a_b=1 " * 30_000, id="one line"),
    ],
)
def test_long_messages_take_no_time(text: str) -> None:
    """A paste of ten thousand lines is judged within a moment."""
    whose_words("warm\nup")
    assert processor_seconds(lambda: whose_words(text, heard=[ANSWER] * 3)) < 3


def test_what_is_heard_does_not_depend_on_where_reading_began() -> None:
    """Only the answers since the last few prompts count, so that a transcript that is read on is understood alike."""
    turns = []
    for number in range(1, 20, 2):
        turns.append(Turn(number=number, role=Role.USER, typed=f"prompt {number}"))
        turns.append(Answer(number=number + 1, role=Role.ASSISTANT, said=f"answer {number}"))
    whole, end = dict_of(turns), dict_of(turns[6:])

    assert end[19] == whole[19] == ["answer 13", "answer 15", "answer 17"]
    assert [end[number] for number in (13, 15, 17)] == [whole[number] for number in (13, 15, 17)]


def dict_of(turns: list[Turn]) -> dict[int, list[str]]:
    return {turn.number: heard for turn, heard in heard_before(turns) if turn.typed}
