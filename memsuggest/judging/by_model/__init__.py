"""The engine that asks a model: what it is told, what it may answer, and what becomes of that."""
