"""Memory: recall, entries and their places, the identity, the archive, and what each app remembers."""
