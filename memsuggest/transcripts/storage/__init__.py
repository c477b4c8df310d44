"""Where the bytes of transcripts come from: files, archives, databases of other programs."""
