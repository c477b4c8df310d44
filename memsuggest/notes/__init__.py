"""Notes that assistants keep for themselves: found, read, and turned into rules that wait for the person."""
