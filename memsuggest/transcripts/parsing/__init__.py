"""Parts that several formats share: tolerant JSON, elements, fences, times, and the builder of transcripts."""
