"""Deciding about suggestions: look, apply, move, dismiss, undo; and the one way to write a file of the person."""
