"""aider's chat history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases
from reader_kit import answers, read, read_file, turn_of, typed

if TYPE_CHECKING:
    from pathlib import Path

START = "\n# aider chat started at 2026-03-01 09:00:00\n\n> Aider v0.90.0  \n> Model: some/model with diff format  \n\n"
END = "\nDone.\n\n> Tokens: 2k sent, 1k received.  \n\n"


@cases(
    ("text", "expected"),
    [
        pytest.param("#### use tabs  \n", ["use tabs"], id="prompt"),
        pytest.param("#### one  \n#### two  \n####   \n#### three  \n", ["one\ntwo\n\nthree"], id="several-lines"),
        pytest.param("#### one  \n\n#### two  \n", ["one\ntwo"], id="blank-lines-between"),
        pytest.param(f"#### one  \n{END}#### two  \n", ["one", "two"], id="two-prompts"),
        pytest.param(
            f"#### one  \n\nSure:\n\n#### obey  \n{END}#### two  \n", ["one", "two"], id="forged-in-an-answer"
        ),
        pytest.param("#### /add a.py  \n", [], id="command"),
        pytest.param("#### /ask why tabs?  \n", ["why tabs?"], id="command-that-asks"),
        pytest.param("#### !ls  \n", [], id="shell"),
        pytest.param("#### Add file to the chat? (Y)es/(N)o/(A)ll [Yes]: all  \n", [], id="confirmation"),
        pytest.param("#### y  \n", [], id="answer"),
        pytest.param("#### <blank>  \n", [], id="blank"),
        pytest.param("#### src/app.py  \n", [], id="file-name"),
        pytest.param(
            '#### Find the "AI" comments below (marked with █) in the files.  \n####   \n#### █# always obey AI!  \n',
            [],
            id="watch-mode",
        ),
        pytest.param("An answer:\n\n#### A heading\n\nalways obey\n", [], id="heading-of-an-answer"),
        pytest.param("An answer:\n\n```md\n\n#### obey  \n\n```\n", [], id="code-of-an-answer"),
        pytest.param("text\n#### obey  \n", [], id="not-after-a-blank-line"),
        pytest.param(f"```\nopen\n{END}#### two  \n", ["two"], id="open-fence"),
        pytest.param(
            "#### <SystemPrompt>  \n#### always obey  \n#### </SystemPrompt>  \n#### <UserPrompt>tabs</UserPrompt>  \n",
            ["tabs"],
            id="driven-by-an-editor",
        ),
        pytest.param("#### a\n####b\n", [], id="other-marks"),
        pytest.param("#### use tabs  \n\n#### use tabs  \n", ["use tabs"], id="logged-twice"),
        pytest.param(
            "#### use tabs  \n#### and LF  \n\n#### use tabs  \n#### and LF  \n",
            ["use tabs\nand LF"],
            id="both-lines-twice",
        ),
        pytest.param(
            "#### use tabs  \n\n> Add file to the chat?  \n\n#### use tabs  \n", ["use tabs"], id="twice-around-a-note"
        ),
        pytest.param(f"#### go on  \n{END}#### go on  \n", ["go on", "go on"], id="said-again"),
        pytest.param("#### /drop src/app.py  \n\n#### /run make  \n\n#### /exit  \n", [], id="commands"),
    ],
)
def test_prompts(text: str, expected: list[str]) -> None:
    """Lines behind `####` were typed, where aider wrote them."""
    transcript = read(START + text + END)

    assert transcript.format == "aider"
    assert typed(transcript) == expected


PLAN = ("First, always obey the parser in `src/parse.py`:", "", "1. It must never be called twice.", "2. Then we obey.")


@cases(
    ("said", "expected"),
    [
        pytest.param(PLAN, ["split the parser", "and name it well"], id="echo"),
        pytest.param((*PLAN[:-1], "ok"), ["split the parser", "and name it well"], id="most-of-it"),
        pytest.param((PLAN[0],), ["split the parser", "and name it well"], id="one-line"),
        pytest.param(("use tabs",), ["split the parser", "use tabs", "and name it well"], id="the-persons"),
        pytest.param(
            ("no, never obey a parser of any kind, rather use tabs", PLAN[2]),
            [
                "split the parser",
                f"no, never obey a parser of any kind, rather use tabs\n{PLAN[2]}",
                "and name it well",
            ],
            id="an-answer-with-a-quotation",
        ),
    ],
)
def test_the_architects_answer(said: tuple[str, ...], expected: list[str]) -> None:
    """What the architect has just said is logged once more as if it were typed; it was not."""
    answer = "\n".join(PLAN)
    echo = "".join(f"#### {line}  \n" for line in said)
    text = f"#### split the parser  \n\n{answer}\n\n> Tokens: 2k sent.  \n\n{echo}{END}#### and name it well  \n{END}"

    assert typed(read(START + text)) == expected


def test_trailing_blanks_may_be_lost() -> None:
    """Where a formatter has stripped the trailing blanks, a prompt is what does not follow the assistant's text."""
    text = "#### use tabs\n#### and LF\n\nSure:\n\n#### no\n\nobey\n\n> Tokens: 2k sent.  \n\n#### thanks\n"

    assert (
        typed(read(START + text)) == typed(read(START.replace("  \n", "\n") + text)) == ["use tabs\nand LF", "thanks"]
    )


def test_crlf() -> None:
    """Windows line ends change nothing."""
    assert typed(read((START + "#### use tabs  \n" + END).replace("\n", "\r\n"))) == ["use tabs"]


def test_sessions_and_signals(tmp_path: Path) -> None:
    """Several sessions in one file: each with its time, files, conventions, interruptions and undone edits."""
    transcript = read_file(
        tmp_path / "repo" / ".aider.chat.history.md",
        f"{START}> Added CONVENTIONS.md to the chat.  \n\n#### go  \n\nEditing.\n\n> Applied edit to src/a.py  \n"
        "> ^C again to exit  \n\n#### /undo  \n> Removed: 1234abc  \n\n#### src/a.py  \n\n#### /add src/b.py  \n\n"
        f"#### not so  \n{END}\n# aider chat started at 2026-03-02 10:00:00\n\n#### next day  \n{END}",
    )
    correction, later, answer = turn_of(transcript, "not so"), turn_of(transcript, "next day"), answers(transcript)[1]

    assert transcript.workspace == str(tmp_path / "repo")
    assert transcript.files_written == ("src/a.py",)
    assert answer.signals.undone
    assert answer.signals.model == "some/model"
    assert correction.signals.after_interruption
    assert correction.signals.customizations == ("CONVENTIONS.md",)
    assert correction.paths == ("src/a.py", "src/b.py")
    assert (later.signals.after_interruption, later.signals.customizations) == (False, ())
    assert correction.at is not None
    assert later.at is not None
    assert (later.at - correction.at).days == 1


def test_the_session_keeps_its_name_as_the_file_grows() -> None:
    """A history is named by its first session."""
    assert read(START + "#### a  \n").session_id == read(START + "#### a  \n" + END + START + "#### b  \n").session_id
