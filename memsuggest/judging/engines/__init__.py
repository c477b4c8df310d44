"""Engines beside the Anthropic API: programs that are signed in already, and model servers on this machine."""
