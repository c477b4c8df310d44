"""Rules that say what to run and when, as entries of hook files."""
