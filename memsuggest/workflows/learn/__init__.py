"""Learning from transcripts: reading them, on all cores where there are many, and storing what is worth remembering."""
