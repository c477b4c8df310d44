"""Stretches of lines that a diff shows of a file, to which a review tool can attach a suggestion. Pure."""

from __future__ import annotations

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchSet

_HEADER = "--- a/file\n+++ b/file\n"


def hunks_shown(patch: str) -> tuple[range, ...]:
    """Return the stretches of lines of the new text, from 1, that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that a code host's API gives; a patch that cannot be read
    (it is cut, or binary) shows nothing.
    """
    found = [range(hunk.target_start, hunk.target_start + hunk.target_length) for hunk in _hunks(patch)]
    return tuple(stretch for stretch in found if stretch)


def old_line(patch: str, line: int) -> int | None:
    """Return the number that a line of the new text had before; None for one that was added, or is not shown."""
    shown = (one for hunk in _hunks(patch) for one in hunk)
    return next((one.source_line_no for one in shown if one.target_line_no == line), None)


def _hunks(patch: str) -> list[Hunk]:
    start = 0 if patch.startswith("@@ ") else patch.find("\n@@ ") + 1
    if not patch.startswith("@@ ", start):
        return []
    hunks = patch[start:]
    try:
        files = PatchSet.from_string(_HEADER + hunks + ("" if hunks.endswith("\n") else "\n"))
    except (UnidiffParseError, ValueError):
        return []
    return [hunk for file in files for hunk in file]
