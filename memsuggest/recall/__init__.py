"""Recall: what is known of the person and their work, in three layers, found in time for a prompt."""
