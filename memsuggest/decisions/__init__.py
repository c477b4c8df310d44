"""Decisions about suggestions: what is pending, its diff, the journal that `undo` takes entries from."""
