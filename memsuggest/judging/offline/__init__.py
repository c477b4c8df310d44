"""The offline engine: what can be found in a chat by rules alone. Pure."""
