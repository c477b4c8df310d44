"""Which file, and which section of it, a rule belongs to."""
