"""The transcript formats: a module or a folder for each assistant; `reading` has their table."""
