"""Diffs that git applies, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cases import cases
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memsuggest.core.model import Edit
from memsuggest.customizations.diff import line_change, unified

PIECES = [
    "a",
    "b",
    "- x",
    "# H",
    "",
    "\r",
    "x\ry",
    " ",
    "\t",
    "+",
    "-",
    "---",
    "\\ No newline",
    "ä",
    "\u2028",
    "\x0b",
    "\x85",
]
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n", "\r\n"])), max_size=12).map(
    lambda rows: "".join(line + end for line, end in rows)
)
FILES = st.builds(
    lambda text, cut, bom: ("\ufeff" if bom else "") + (text[:-1] if cut else text), TEXTS, st.booleans(), st.booleans()
)


def applied(folder: Path, edit: Edit, diff: str) -> bytes | None:
    """What git makes of the file with this diff."""
    target = folder / edit.path
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    if edit.before is not None:
        target.write_bytes(edit.before.encode())
    for words in (["--check"], []):
        subprocess.run(
            ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *words, "-"],
            cwd=folder,
            input=diff.encode(),
            check=True,
            capture_output=True,
        )
    return target.read_bytes() if target.exists() else None


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=FILES, after=FILES, name=st.sampled_from(["a.md", "ä b.md", 'q"\\.md', "d/e f/x.md", "t\tab.md"]))
@example(before="", after="x", name="a.md")
@example(before="a", after="a\n", name="a.md")
@example(before="a\r\n", after="a\n", name="a.md")
def test_git_applies_every_diff_to_the_same_bytes(folder: Path, before: str, after: str, name: str) -> None:
    """Whatever the line ends, the last line and the name: git agrees with the edit."""
    edit = Edit(path=name, before=before, after=after)
    diff = unified(edit)
    if before == after:
        assert diff == ""
    else:
        assert applied(folder, edit, diff) == after.encode()


@pytest.mark.parametrize("text", ["", "x", "# New\n\n- rule\n", "\ufeffx\r\n"])
def test_new_and_removed_files(folder: Path, text: str) -> None:
    """A new file comes from /dev/null, a removed one goes there."""
    new = Edit(path="n.md", before=None, after=text)
    assert applied(folder, new, unified(new)) == text.encode()
    gone = Edit(path="n.md", before=text, after=None)
    assert applied(folder, gone, unified(gone)) is None


def test_the_text() -> None:
    """The form is git's own."""
    edit = Edit(path="AGENTS.md", before="# A\n\n- one\n- two", after="# A\n\n- one\n- two\n- three\n")
    assert unified(edit) == (
        "diff --git a/AGENTS.md b/AGENTS.md\n--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1,4 +1,5 @@\n # A\n \n - one\n"
        "-- two\n\\ No newline at end of file\n+- two\n+- three\n"
    )


@cases(
    ("before", "after", "first", "last", "lines"),
    [
        pytest.param("a\nb\n", "a\nx\nb\n", 1, 1, ("a", "x"), id="added"),
        pytest.param("a\nb\n", "x\na\nb\n", 1, 1, ("x", "a"), id="at-the-top"),
        pytest.param("a\nb\n", "a\nb\nx\n", 2, 2, ("b", "x"), id="at-the-end"),
        pytest.param("a\nb", "a\nb\nx\n", 2, 2, ("b", "x"), id="no-final-newline"),
        pytest.param("a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n", 2, 2, ("x",), id="replaced-crlf"),
        pytest.param("a\nb\nc\n", "a\nc\n", 2, 2, (), id="removed"),
    ],
)
def test_line_change(before: str, after: str, first: int, last: int, lines: tuple[str, ...]) -> None:
    """An edit is told as lines that take the place of others; what is only added brings the line beside it."""
    found = line_change(Edit(path="a.md", before=before, after=after))
    assert found is not None
    assert (found.first, found.last, found.lines) == (first, last, lines)


@cases(("before", "after"), [(None, "a\n"), ("", "a\n"), ("a\n", "a\n")])
def test_no_line_change(before: str | None, after: str) -> None:
    """Where there was no line, or nothing changes, there is nothing to replace."""
    assert line_change(Edit(path="a.md", before=before, after=after)) is None
