"""The place of a rule within a file, and its wording there."""
