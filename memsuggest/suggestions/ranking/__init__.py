"""The file, and the section of it, that a rule belongs to."""
