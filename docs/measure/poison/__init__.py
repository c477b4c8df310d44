"""Chats, texts and people for the figures about poisoning; all invented."""
