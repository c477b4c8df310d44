"""Files that hold chats but are no transcripts."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import read

from memsuggest.core.errors import TranscriptError


@cases(
    ("content", "name", "what"),
    [
        (b"SQLite format 3\0" + b"\0" * 90, "state.vscdb", "a database"),
        (b"PK\x03\x04" + b"\0" * 90, "export.zip", "a zip archive"),
        (b"\x8a\x01\x02", "/home/ada/.codeium/windsurf/cascade/1.pb", "an encrypted Windsurf session"),
    ],
)
def test_what_to_do_instead_is_said(content: bytes, name: str, what: str) -> None:
    """Each kind is named, with a hint."""
    with pytest.raises(TranscriptError, match=what) as failure:
        read(content, name=name)

    assert failure.value.hint
