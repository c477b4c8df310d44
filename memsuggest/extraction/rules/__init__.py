"""Rules by what they listen for; each table is a tuple of rows with their examples."""
