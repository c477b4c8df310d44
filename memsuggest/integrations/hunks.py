"""What a diff shows of one file: the lines to which a review tool can attach a suggestion. Pure."""

from __future__ import annotations

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

_HEADER = "--- a/file\n+++ b/file\n"


def lines_shown(patch: str) -> frozenset[int]:
    """Return the numbers, from 1, of the lines of the new text that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that GitHub's API gives; a patch that cannot be read (it
    is cut, or binary) shows nothing.
    """
    start = 0 if patch.startswith("@@ ") else patch.find("\n@@ ") + 1
    if not patch.startswith("@@ ", start):
        return frozenset()
    hunks = patch[start:]
    try:
        files = PatchSet.from_string(_HEADER + hunks + ("" if hunks.endswith("\n") else "\n"))
    except (UnidiffParseError, ValueError):
        return frozenset()
    lines = (line for file in files for hunk in file for line in hunk)
    return frozenset(
        line.target_line_no for line in lines if line.target_line_no is not None and (line.is_added or line.is_context)
    )
