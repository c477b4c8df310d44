"""What a diff shows of one file: the stretches of lines to which a review tool can attach a suggestion. Pure."""

from __future__ import annotations

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

_HEADER = "--- a/file\n+++ b/file\n"


def hunks_shown(patch: str) -> tuple[range, ...]:
    """Return the stretches of lines of the new text, from 1, that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that GitHub's API gives; a patch that cannot be read (it
    is cut, or binary) shows nothing.
    """
    start = 0 if patch.startswith("@@ ") else patch.find("\n@@ ") + 1
    if not patch.startswith("@@ ", start):
        return ()
    hunks = patch[start:]
    try:
        files = PatchSet.from_string(_HEADER + hunks + ("" if hunks.endswith("\n") else "\n"))
    except (UnidiffParseError, ValueError):
        return ()
    found = [range(hunk.target_start, hunk.target_start + hunk.target_length) for file in files for hunk in file]
    return tuple(stretch for stretch in found if stretch)
