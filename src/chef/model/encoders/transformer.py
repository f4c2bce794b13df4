"""The items as a transformer reads them: each looks at all others (H-T, Salvador et al. 2021)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.errors import ChefError
from chef.model.encoders.base import Encoding, SequenceEncoder, mask, masked_mean
from chef.model.noise import Noise

_LAYERS, _HEADS = 2, 4
_LONGEST = 64  # positions that are learned


class TransformerEncoder(SequenceEncoder):
    """Two layers of four heads over the items and their learned positions, then the mean of the items.

    As wide as the other encoders (600), where H-T has 512: all models of this harness have the same sizes.
    No dropout, which H-T has at 0.1: a run on several processes, or one that goes on after a stop, must
    meet the same numbers.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        if outputs % _HEADS:
            raise ChefError(
                f"a transformer of {outputs} dimensions cannot have {_HEADS} heads",
                f"choose a hidden size that {_HEADS} divides",
            )
        self.outputs = outputs
        self.project = nn.Linear(inputs, outputs)
        self.positions = nn.Parameter(torch.empty(_LONGEST, outputs))
        self.layers = nn.ModuleList(_Layer(outputs) for _ in range(_LAYERS))
        nn.init.normal_(self.positions, std=0.02)

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        length = x.shape[1]
        if length > _LONGEST:
            raise ChefError(
                f"a transformer here reads at most {_LONGEST} items, not {length}",
                "prepare the data with shorter texts",
            )
        items = self.project(x) + self.positions[:length]
        seen = mask(lengths, x)[:, None, None]
        for layer in self.layers:
            items = layer(items, seen)
        return Encoding(masked_mean(items, lengths))


class _Layer(nn.Module):
    """Attention, then two dense layers, each added to what came in and normalised.

    Written out because torch's own layer takes another path in evaluation, with other roundings, and
    that path cannot be exported.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.question = nn.Linear(width, 3 * width)  # queries, keys and values
        self.answer = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.first_norm = nn.LayerNorm(width)
        self.second_norm = nn.LayerNorm(width)

    def forward(self, x: Tensor, seen: Tensor) -> Tensor:
        """x (N, L, width); seen: which items count, (N, 1, 1, L)."""
        parts = self.question(x).unflatten(-1, (3, _HEADS, -1)).permute(2, 0, 3, 1, 4)
        heads = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=seen)
        x = self.first_norm(x + self.answer(heads.transpose(1, 2).flatten(2)))
        normed: Tensor = self.second_norm(x + self.down(torch.relu(self.up(x))))
        return normed
