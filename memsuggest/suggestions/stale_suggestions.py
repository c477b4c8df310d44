"""Lines about what is gone, as suggestions to take them out. Pure.

Only what git shows was there, and that a commit took away without moving it, is gone for certain. A line is never put
right: of three new names that were put in, one was what the line meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import Cause, MemorySuggestion
from memsuggest.suggestions.maintenance import made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.customizations.staleness.removal import Removal
    from memsuggest.customizations.staleness.stale_lines import Stale
    from memsuggest.model import Target


def of_stale(target: Target, stale: Stale, removals: Sequence[Removal | None]) -> MemorySuggestion | None:
    """Suggest taking out lines all of whose matter is gone; `removals` are those of `stale.gone`, in its order."""
    known = [one for one in removals if one]
    if not known or len(known) < len(stale.gone):
        return None
    last = max(known, key=lambda removal: removal.day)
    names = " and ".join(f"`{one.shown}`" for one in stale.gone)
    return made(
        target,
        cause=Cause.STALE,
        name="stale",
        content=f"It speaks of {names}, which {'are' if len(stale.gone) > 1 else 'is'} gone",
        why=f"commit {last.commit} removed it on {last.day}" + (f": “{last.subject}”" if last.subject else ""),
        after=stale.edit.after or "",
    )
