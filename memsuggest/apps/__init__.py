"""Memories of apps: few, short, of one app each, and every one that goes goes by a decision that is written down."""
