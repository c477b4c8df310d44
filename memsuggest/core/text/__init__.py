"""Text as people write it: its words, stems, sentences and stop words. Pure, and imports nothing of ours."""
