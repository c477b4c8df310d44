"""Following folders over days: when something is due, what changed, when to stop. Knows nothing of facts."""
