"""Learning from transcripts: reading them, and storing what is worth remembering."""
