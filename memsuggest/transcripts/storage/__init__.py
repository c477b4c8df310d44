"""Storage of transcripts: files, archives, databases of other programs."""
