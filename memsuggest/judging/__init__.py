"""Question two to a model: what becomes of each new rule. What is shown, the answer, what code makes of it."""
