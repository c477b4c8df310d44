"""Stores of facts, and what happens on the way in: identity, duplicates, contradictions, forgetting."""
