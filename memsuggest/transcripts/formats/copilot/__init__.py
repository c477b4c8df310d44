"""Copilot's transcripts outside of VS Code's own chat."""
