"""Text: tokens, words and their keys, verbs, vocabulary, word vectors; ingredient lines in `lines`."""
