"""Rules of files that are loaded together and contradict each other; git tells which was written first."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.git import run_git
from memsuggest.suggestions.clashing_rules import clashing_rules, of_clash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.model import MemorySuggestion, Target
    from memsuggest.workflows.context import Context

_WRITTEN = re.compile(r"^committer-time (\d+)$(?:\n(?!\t).*)*\n\t(.*)$", re.MULTILINE)
_MOST = 5
"""Pairs of which git is asked."""


def clash_suggestions(context: Context, targets: Sequence[Target]) -> Iterator[MemorySuggestion]:
    """Suggest taking out the older rule of each pair, where git knows which that is."""
    for pair in clashing_rules(targets)[:_MOST]:
        dated = [(_written_at(context, one.target.uri).get(one.first_line, 0), one) for one in pair]
        (first, older), (last, newer) = sorted(dated, key=lambda one: one[0])
        if 0 < first < last:
            yield of_clash(older, newer, day=datetime.fromtimestamp(last, UTC).date().isoformat())


def _written_at(context: Context, uri: str) -> dict[str, int]:
    """Return when each line of a file was written, as it was committed last, by its text."""
    told = run_git(context.root, "blame", "--no-textconv", "--line-porcelain", "HEAD", "--", uri) or b""
    found = _WRITTEN.findall(told.decode("utf-8", "replace"))
    return {line.rstrip("\r"): int(at) for at, line in found}
