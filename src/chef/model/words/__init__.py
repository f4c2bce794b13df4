"""Words as vectors: by a table (`vectors`), or by what stands around them (`context`)."""

from __future__ import annotations

from chef.model.words.base import Words
from chef.model.words.context import ContextWords
from chef.model.words.vectors import WordVectors

__all__ = ["ContextWords", "WordVectors", "Words"]
