"""The engine that asks a model: what it is shown, what it may answer, and what becomes of that."""
