"""Transcripts: find them, read them, know what the person typed in them."""
