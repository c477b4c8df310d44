"""Memory that answers: what is found for a prompt, and what is kept of sessions that have ended."""
