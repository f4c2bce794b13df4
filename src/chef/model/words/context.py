"""MiniLM in plain torch: a word's vector depends on the words around it.

Importing transformers costs several times more than importing torch, and a transformer over word pieces
does not fit under trees over words. `tests/model/words` checks that both give the same numbers.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.words.base import Words
from chef.text.pieces import END_PIECE, NO_PIECE, START_PIECE

_EPSILON = 1e-12  # BERT's


class ContextWords(Words):
    """Words -> word pieces -> BERT -> for each word the mean of its pieces' vectors.

    pieces: how many there are; most: a word's at most; positions: that BERT was trained with. What
    stands beyond the last of them is read as if it stood there.
    The table of words and their pieces (see `WordPieces.table`) is a buffer, so it is saved with the weights.
    """

    contextual = True
    table: Tensor  # (vocabulary, most)

    def __init__(
        self,
        vocabulary: int,
        *,
        pieces: int,
        most: int,
        width: int = 384,
        layers: int = 6,
        heads: int = 12,
        middle: int = 1536,
        positions: int = 512,
    ) -> None:
        super().__init__()
        self.width = width
        self.sizes = {
            "pieces": pieces,
            "most": most,
            "width": width,
            "layers": layers,
            "heads": heads,
            "middle": middle,
            "positions": positions,
        }
        self.register_buffer("table", torch.zeros(vocabulary, most, dtype=torch.int32))
        self.pieces = nn.Embedding(pieces, width)
        self.positions = nn.Embedding(positions, width)
        self.norm = nn.LayerNorm(width, _EPSILON)
        self.layers = nn.ModuleList(_Layer(width, heads, middle) for _ in range(layers))

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "minilm", **self.sizes}

    def forward(self, ids: Tensor) -> Tensor:
        spelled = self.table[ids].flatten(1)  # (N, L x most), with holes where a word has fewer
        tokens = F.pad(F.pad(spelled, (1, 0), value=START_PIECE), (0, 1), value=END_PIECE)
        real = tokens != NO_PIECE
        places = _Places(real)
        position = places.column.clamp(max=self.positions.num_embeddings - 1)
        x = self.norm(self.pieces(tokens[real]) + self.positions(position))
        for layer in self.layers:
            x = layer(x, places)
        # Token 0 is a row's start and no word's piece: its number marks the holes.
        number = (real.flatten().cumsum(0) - 1).view_as(real).masked_fill(~real, 0)
        of_words = number[:, 1:-1].reshape(ids.numel(), -1)
        means = F.embedding_bag(of_words, x, mode="mean", padding_idx=0)
        return means.view(*ids.shape, self.width)


class _Places:
    """Where the tokens of all rows, T in one line without gaps, stand in a table (N, longest row).

    Only attention needs the table; whatever else a layer does, it does to no padding.
    """

    def __init__(self, real: Tensor) -> None:
        counts = real.sum(1)
        self.shape = (len(real), int(counts.max()))
        column = real.cumsum(1) - 1
        self.column = column[real]  # (T,)
        self._line = (column + torch.arange(len(real), device=real.device)[:, None] * self.shape[1])[real]
        self.mask = torch.arange(self.shape[1], device=real.device) < counts[:, None]  # (N, longest)

    def as_table(self, x: Tensor) -> Tensor:
        """(T, D) -> (N, longest, D), zero where there is no token."""
        table = x.new_zeros(self.mask.numel(), x.shape[1]).index_copy(0, self._line, x)
        return table.view(*self.shape, x.shape[1])

    def as_line(self, table: Tensor) -> Tensor:
        """(N, longest, D) -> (T, D)."""
        return table.flatten(0, 1).index_select(0, self._line)


class _Layer(nn.Module):
    """One layer of BERT: attention and a feed-forward network, each added to its input, then normalised."""

    def __init__(self, width: int, heads: int, middle: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention = nn.Linear(width, 3 * width)  # queries, keys, values
        self.attended = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, _EPSILON)
        self.first = nn.Linear(width, middle)
        self.last = nn.Linear(middle, width)
        self.norm = nn.LayerNorm(width, _EPSILON)

    def forward(self, x: Tensor, places: _Places) -> Tensor:
        table = places.as_table(self.attention(x))
        # (N, heads, longest, width / heads) each
        queries, keys, values = table.view(*places.shape, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(queries, keys, values, places.mask[:, None, None])
        x = self.attention_norm(x + self.attended(places.as_line(seen.transpose(1, 2).flatten(2))))
        out: Tensor = self.norm(x + self.last(F.gelu(self.first(x))))
        return out
