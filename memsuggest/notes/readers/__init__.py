"""A reader for the notes of each assistant: where they lie, and what stands in them."""
