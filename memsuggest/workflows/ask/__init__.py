"""Asking a model: which one, with whose consent, what waits to be asked, and taking in what it answers."""
