"""The findings of redaction: kinds, stretches, and how overlapping ones become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

MARK = "[REDACTED:"
"""What stands for a secret, followed by its kind and `]`."""


class Finding(NamedTuple):
    """A secret or personal detail: `[start, end)` in the text that was given."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without secrets, and where in the original they stood."""

    text: str
    found: tuple[Finding, ...]


def merged_findings(found: Iterable[Finding]) -> list[Finding]:
    """Sort and unite overlapping stretches; the longest gives the kind, of equals the one found first."""
    whole: list[Finding] = []
    for finding in sorted(found, key=lambda found: (found.start, -found.end)):
        if whole and finding.start < whole[-1].end:
            last = whole[-1]
            kind = finding.kind if finding.end - finding.start > last.end - last.start else last.kind
            whole[-1] = Finding(kind, last.start, max(last.end, finding.end))
        elif finding.end > finding.start:
            whole.append(finding)
    return whole
