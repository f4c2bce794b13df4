"""One vector a word, the same wherever it stands."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.words.base import Words
from chef.text.vocabulary import PAD


class WordVectors(Words):
    """A table (vocabulary, width) that training may start from word2vec; padding is zero and stays so."""

    contextual = False

    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.empty(vocabulary, width))
        nn.init.normal_(self.weight)
        with torch.no_grad():
            self.weight[PAD] = 0

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "vectors", "width": self.width}

    def forward(self, ids: Tensor) -> Tensor:
        return F.embedding(ids, self.weight, padding_idx=PAD)
