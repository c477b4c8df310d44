"""Which lines a diff shows."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.pull_requests.code_host import hunks_shown


@cases(
    ("patch", "lines"),
    [
        pytest.param("@@ -1,3 +1,4 @@\n a\n+b\n c\n d", {1, 2, 3, 4}, id="bare-hunk-without-end"),
        pytest.param("@@ -9,2 +8,1 @@ # Title\n-x\n y\n", {8}, id="removal"),
        pytest.param(
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n@@ -20,1 +21,1 @@\n-c\n+d\n",
            {1, 2, 21},
            id="git",
        ),
        pytest.param("@@ -5,2 +5,3 @@\n a\u2028b\n+\x0c\n c\n\\ No newline at end of file", {5, 6, 7}, id="odd-breaks"),
        pytest.param("", set(), id="empty"),
        pytest.param("Binary files a/x and b/x differ\n", set(), id="binary"),
        pytest.param("@@ -1,3 +1,9 @@\n a\n+b", set(), id="cut"),
    ],
)
def test_lines(patch: str, lines: set[int]) -> None:
    """Lines that were added or stand around a change are shown; of what cannot be read, none."""
    assert {line for shown in hunks_shown(patch) for line in shown} == lines


@given(st.text(max_size=200).map(lambda text: "@@ -1,2 +1,2 @@\n" + text) | st.text(max_size=200))
def test_never_fails(patch: str) -> None:
    """Whatever a patch holds, lines come of it or nothing."""
    assert all(number > 0 for shown in hunks_shown(patch) for number in shown)
