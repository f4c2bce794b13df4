"""Words as vectors: the modules (a table, or MiniLM in context) and the folders they come from."""

from __future__ import annotations

from chef.model.words.folder import PIECES, build_words, from_bert, load_words, save_table, save_words
from chef.model.words.modules import ContextWords, Words, WordVectors

__all__ = [
    "PIECES",
    "ContextWords",
    "WordVectors",
    "Words",
    "build_words",
    "from_bert",
    "load_words",
    "save_table",
    "save_words",
]
