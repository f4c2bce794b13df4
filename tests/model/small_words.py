"""Small word modules for the tests of what is built on them."""

from typing import Any

import torch

from chef.model.registry import ModelConfig, variant
from chef.model.words import ContextWords, Words, build_words

MINILM: dict[str, Any] = {"kind": "minilm", "pieces": 20, "most": 3, "width": 6, "layers": 2}
MINILM |= {"heads": 2, "middle": 8, "positions": 24}


def config_of(name: str, **sizes: Any) -> ModelConfig:
    """The configuration of a model of the registry, with small words."""
    entry = variant(name)
    words = MINILM if entry.words == "minilm" else {"kind": entry.words}
    return ModelConfig(name, words=words, context=MINILM if entry.context else {}, **sizes)


def small_words(name: str, vocabulary: int, width: int = 6) -> Words:
    """The words of a model of the registry, with random weights and, of MiniLM, random pieces."""
    words = build_words(config_of(name, vocabulary=vocabulary).words, vocabulary, width)
    fill_table(words)
    return words


def small_context(name: str, vocabulary: int) -> Words | None:
    """The MiniLM that reads along in a model of the registry, if one does."""
    if not variant(name).context:
        return None
    words = build_words(MINILM, vocabulary, 6)
    fill_table(words)
    return words


def fill_table(words: Words) -> None:
    """Give each word one to three pieces; padding has none."""
    if isinstance(words, ContextWords):
        random = torch.Generator().manual_seed(0)
        size = words.table.shape
        pieces = torch.randint(1, words.sizes["pieces"], size, generator=random)
        counts = torch.randint(1, size[1] + 1, size[:1], generator=random)
        words.table.copy_(pieces.masked_fill(torch.arange(size[1]) >= counts[:, None], 0))
        words.table[0] = 0
