"""Text: tokens, ingredient lines, grams, canonical ingredients, vocabulary, word vectors, verbs."""
