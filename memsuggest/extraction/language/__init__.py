"""How people put things into words: plain text, sentences, verbs, words of the trade, in several languages."""
