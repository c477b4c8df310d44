"""From a transcript to candidates."""
