"""Suggestions between runs: what waits, what was decided, what `undo` needs."""
