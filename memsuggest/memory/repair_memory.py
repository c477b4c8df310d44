"""Repairing the profile database from what can be read of it, and saying what could not."""

from __future__ import annotations

from memsuggest.core.context import Context
from memsuggest.facts.profile_rows import repair_profile
from memsuggest.memory.recall_reports import MemoryRepaired


def repair_memory(context: Context) -> MemoryRepaired:
    """Make the profile anew from the rows that can be read; raises StoreError where that cannot be."""
    with context.exclusive():
        repaired = repair_profile(context.folders.data / "profile.db")
    lost = [
        f"some rows of `{table}`" if count < 0 else f"{count} of `{table}`"
        for table, count in repaired.lost.items()
        if count
    ]
    return MemoryRepaired(
        entries=repaired.kept.get("entries", 0),
        facts=repaired.kept.get("facts", 0),
        app_memories=repaired.kept.get("app_memories", 0),
        lost=lost,
        aside=repaired.aside,
    )
