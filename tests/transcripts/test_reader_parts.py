"""The small pure parts that readers share."""

from __future__ import annotations

from cases import cases

from memsuggest.transcripts.parsing.json_records import files_patched, files_read
from memsuggest.transcripts.parsing.plain_text import Fences, outside
from memsuggest.transcripts.storage.source import is_other_than


@cases(
    ("command", "files"),
    [
        ("cat a.py", ("a.py",)),
        ("sed -n '1,80p' src/a.ts && rg -n 'x.y' lib/b.go", ("src/a.ts", "x.y", "lib/b.go")),
        ("cd x; head -5 'docs/a.md' | wc -l", ("docs/a.md",)),
        ("npm test -- a.test.ts", ()),
        ("cat", ()),
        ("", ()),
    ],
)
def test_files_read(command: str, files: tuple[str, ...]) -> None:
    """Commands that look into files name them."""
    assert files_read(command) == files


def test_files_patched() -> None:
    """All four headings of a patch name files, each once."""
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@\n*** Delete File: b\n"

    assert files_patched(patch) == ("a", "b", "c")


@cases(
    ("text", "expected"),
    [("a<x>b</x>c<x>d</x>", "ac"), ("a<x>b", "a"), ("a</x>b", "a</x>b"), ("<x><x>a</x>b", "b"), ("", "")],
)
def test_outside(text: str, expected: str) -> None:
    """What is inside an element is left out, to the end if it is not closed."""
    assert "".join(outside(text, "x")) == expected


@cases(
    ("lines", "inside"),
    [
        (["a", "```", "b", "```", "c"], [False, True, True, True, False]),
        (["````", "```", "b", "````", "c"], [True, True, True, True, False]),
        (["~~~js", "```", "~~~", "c"], [True, True, True, False]),
        (["- ```", "x"], [True, True]),
        (["use `a` and ```b```"], [False]),
    ],
)
def test_fences(lines: list[str], inside: list[bool]) -> None:
    """A fence is closed by one of its kind, at least as long, with nothing behind it."""
    fences = Fences()

    assert [fences.take(line) for line in lines] == inside


def test_prefilter_looks_at_the_beginning_only() -> None:
    """A kind counts where records have it, not far inside, and not inside a text."""
    is_wanted = is_other_than("x", unless=lambda _kind, data, start, end: b"keep" in data[start:end])
    lines = [b'{"type":"x"}', b'{"type": "x"}', b'{"type":"x","keep":1}', b'{"a":"' + b"y" * 300 + b'","type":"x"}']

    assert [is_wanted(line, 0, len(line)) for line in lines] == [False, False, True, True]
    assert is_wanted(rb'{"a":"\"type\":\"x\""}', 0, 24)
