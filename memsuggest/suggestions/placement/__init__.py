"""Where in a file a rule goes, and how its line is written there."""
