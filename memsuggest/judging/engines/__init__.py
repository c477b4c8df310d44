"""Minds beside the Anthropic API: assistant programs that are signed in already, and model servers on this machine."""
