"""Cursor's chats and agent transcripts."""
