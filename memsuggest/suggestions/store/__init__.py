"""What is kept of suggestions between runs: what waits, what was decided, what `undo` needs."""
