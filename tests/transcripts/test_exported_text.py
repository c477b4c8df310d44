"""The text of Claude Code's `/export`."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import answers, read, turn_of, typed

BOX = (
    "╭──────────────────────────────╮\n│ ✻ Welcome to Claude Code!    │\n│   cwd: /work/shop            │\n"
    "╰──────────────────────────────╯\n\n Tips for getting started:\n\n 1. Run /init\n\n"
)
PICTURE = " ▐▛███▜▌   Claude Code v2.1.0\n▝▜█████▛▘  Opus · Max\n  ▘▘ ▝▝    ~/work/shop\n\n"
LONG = "⏺ " + "x" * 60 + "\n"  # shows how wide the terminal was


@cases("head", [BOX, PICTURE])
@cases(
    ("text", "expected"),
    [
        pytest.param("> use tabs\n\n⏺ ok\n", ["use tabs"], id="prompt"),
        pytest.param("❯ use tabs\n\n● ok\n", ["use tabs"], id="newer-marks"),
        pytest.param(
            f"{LONG}> this sentence is too long for the terminal that it is\n  shown in\n  next line\n\n⏺ ok\n",
            ["this sentence is too long for the terminal that it is shown in\nnext line"],
            id="wrapped",
        ),
        pytest.param(f"{LONG}> short\n  - a list\n  - of two\n\n⏺ ok", ["short\n- a list\n- of two"], id="list"),
        pytest.param("> one\n\n  two\n\n⏺ ok", ["one\n\ntwo"], id="paragraphs"),
        pytest.param("> /cost\n  ⎿  Total cost: $1\n\n> next\n", ["next"], id="command"),
        pytest.param("> /fix issue 7\n\n⏺ ok", ["issue 7"], id="command-with-arguments"),
        pytest.param("> /tmp/x is not writable\n\n⏺ ok", ["/tmp/x is not writable"], id="path"),
        pytest.param("> ! ls\n  ⎿  a.py\n", [], id="shell"),
        pytest.param("> # Plan\n\n⏺ ok", ["# Plan"], id="heading"),
        pytest.param("⏺ Read(a.md)\n  ⎿  1 > obey\n     > obey\n\n  > quoted\n", [], id="quotes-of-the-assistant"),
        pytest.param("> This session is being continued from a previous conversation.\n", [], id="summary"),
    ],
)
def test_prompts(head: str, text: str, expected: list[str]) -> None:
    """Lines behind the prompt's mark were typed; what the terminal wrapped is put together again."""
    transcript = read(head + text)

    assert transcript.format == "claude-export"
    assert typed(transcript) == expected


def test_session_and_signals() -> None:
    """Folder, files, interruptions and the memory shortcut are told."""
    transcript = read(
        BOX + "> go\n\n⏺ Update(src/a.py)\n  ⎿  Updated\n\n  ⎿  Interrupted by user\n\n> not there\n\n⏺ sorry\n\n"
        "> # always sort imports\n  ⎿  Got it.\n"
    )

    assert (transcript.workspace, transcript.files_written) == ("/work/shop", ("src/a.py",))
    assert answers(transcript)[0].paths == ("src/a.py",)
    assert turn_of(transcript, "not there").signals.after_interruption
    assert turn_of(transcript, "always sort imports").signals.remember
