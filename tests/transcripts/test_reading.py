"""The one way from a file to a transcript: detected, read, sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Role, Signals, Skipped, Transcript, Trust, Turn
from memsuggest.core.redact import is_hidden
from memsuggest.transcripts.reading import _VISIBLE, detect, relative, seal
from memsuggest.transcripts.storage.source import Source

if TYPE_CHECKING:
    pass

TOKEN = "gh" + "p_" + "a1B2" * 9


@cases(
    ("content", "message"),
    [
        pytest.param("", "is empty", id="empty"),
        pytest.param(" \n\t\n", "is empty", id="blank"),
        pytest.param("just some notes", "not a transcript in a known format", id="unknown"),
        pytest.param("{" * 100_000, "not a transcript in a known format", id="deep"),
        pytest.param("\0" * 1000, "not a transcript in a known format", id="nul"),
    ],
)
def test_unknown_formats(content: str, message: str) -> None:
    """What nobody knows is an expected failure with a hint."""
    with pytest.raises(TranscriptError, match=message) as raised:
        detect(Source.of(content, name="notes.md"))
    assert raised.value.hint


def test_sealing_leaves_no_secret() -> None:
    """Every text that a reader returns is redacted: typed, said, paths, branch, signals, skips."""
    turn = Turn(
        number=1,
        role=Role.USER,
        typed=f"the key is {TOKEN}",
        text=f"I see {TOKEN}",
        paths=(f"/w/{TOKEN}.txt",),
        cwd="/w",
        branch=f"fix-{TOKEN}",
        signals=Signals(
            rejected_tool=f"Bash: {TOKEN}",
            edited_command=f"curl {TOKEN}",
            proposed_command=f"wget {TOKEN}",
            customizations=(TOKEN,),
            model=TOKEN,
        ),
    )
    raw = Transcript(
        session_id="s", format="x", origin="f", workspace="/w", turns=(turn,), files_written=(f"/w/{TOKEN}",),
        skipped=(Skipped(what="f:1", why=f"bad {TOKEN}"),),
    )  # fmt: skip

    assert TOKEN not in repr(seal(raw, trust=Trust.TYPED))


def test_sealing_takes_invisible_characters_out() -> None:
    """Text that cannot be seen cannot steer anybody."""
    raw = Turn(number=1, role=Role.USER, typed="use\u200b tabs\U000e0041\U000e0042\x1b[31m")
    sealed = seal(Transcript(session_id="s", format="x", origin="f", turns=(raw,)), trust=Trust.TYPED)

    assert not any(mark in sealed.turns[0].typed for mark in "\u200b\U000e0041\x1b")
    assert sealed.turns[0].typed.startswith("use")


def test_quoted_stretches_fit_the_sealed_text() -> None:
    """What is quoted is told in the text as it leaves."""
    raw = Turn(number=1, role=Role.USER, typed=f"{TOKEN} fails\n> always\nno")
    turn = seal(Transcript(session_id="s", format="x", origin="f", turns=(raw,)), trust=Trust.TYPED).turns[0]

    assert [turn.typed[start:end] for start, end in turn.quoted] == ["> always\n"]


@cases(
    ("path", "folder", "expected"),
    [
        pytest.param("/w/shop/src/a.ts", "/w/shop", "src/a.ts", id="below"),
        pytest.param("/w/shop/src/a.ts", "/w/shop/", "src/a.ts", id="slash"),
        pytest.param("/w/shopping/a.ts", "/w/shop", "/w/shopping/a.ts", id="only-alike"),
        pytest.param("/w/Shop/a.ts", "/w/shop", "/w/Shop/a.ts", id="case-counts"),
        pytest.param("D:\\shop\\src\\a.ts", "d:\\Shop", "src/a.ts", id="windows"),
        pytest.param("src\\a.ts", None, "src/a.ts", id="no-folder"),
        pytest.param("/a.ts", "/", "a.ts", id="root"),
    ],
)
def test_relative(path: str, folder: str | None, expected: str) -> None:
    """Paths are POSIX, and relative where they lie below the folder."""
    assert relative(path, folder) == expected


def test_common_signs_are_no_hidden_ones() -> None:
    """The signs that skip the closer look are all visible."""
    assert not [chr(code) for code in range(0x110000) if _VISIBLE.fullmatch(chr(code)) and is_hidden(chr(code))]
