"""Asking a model: consent, endpoint, prompts, one client, a ledger. Knows no transcript, fact or target."""
