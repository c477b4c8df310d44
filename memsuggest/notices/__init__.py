"""Notices: one line that something waits; when there is one, what it says, who was told."""
