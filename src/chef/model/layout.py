"""How the items of several sequences lie in memory: with padding, or one after another without gaps.

Only attention needs the padded table; everything else in a transformer's layer does no work on padding.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

_LONG = 24  # items of a sequence, on average
# Not cuDNN's: it makes a plan for each new shape, and every batch has another.
_ATTENTION = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
_AT_ONCE = 256  # items whose activations stay in a core's cache, and in memory that the process keeps


class Table:
    """All places of a table (N, L), padding too: for a graph, whose sizes may not depend on its inputs."""

    def __init__(self, real: Tensor) -> None:
        self.mask = real  # (N, L): which places are no padding
        self.shape: tuple[int, ...] = real.shape

    def pad(self, x: Tensor) -> Tensor:
        """(items, D) -> (N, L, D)."""
        return x.view(*self.shape, -1)

    def unpad(self, table: Tensor) -> Tensor:
        """(N, L, D) -> (items, D)."""
        return table.flatten(0, 1)

    def attend(self, x: Tensor, heads: int) -> Tensor:
        """Attention in each sequence: queries, keys and values side by side, (items, 3D) -> (items, D)."""
        queries, keys, values = self.pad(x).view(*self.shape, 3, heads, -1).permute(2, 0, 3, 1, 4)
        with sdpa_kernel(_ATTENTION) if x.is_cuda else nullcontext():
            mixed = F.scaled_dot_product_attention(queries, keys, values, self.mask[:, None, None])
        return self.unpad(mixed.transpose(1, 2).flatten(2))


class Packed(Table):
    """The T places that are no padding, without gaps; its table (N, longest row) has them at the front."""

    def __init__(self, real: Tensor) -> None:
        counts = real.sum(1)
        longest = int(counts.max())
        super().__init__(torch.arange(longest, device=real.device) < counts[:, None])
        column = real.cumsum(1) - 1
        self.column = column[real]  # (T,)
        rows = torch.arange(len(real), device=real.device)[:, None]
        self._cell = (column + rows * longest)[real]
        # On a CPU long sequences are faster one by one, without padding.
        by_itself = real.device.type == "cpu" and len(self.column) >= _LONG * len(real)
        self._counts = counts.tolist() if by_itself else None

    def pad(self, x: Tensor) -> Tensor:
        """(T, D) -> (N, longest, D), zero where there is no item."""
        return super().pad(x.new_zeros(self.mask.numel(), x.shape[1]).index_copy(0, self._cell, x))

    def unpad(self, table: Tensor) -> Tensor:
        """(N, longest, D) -> (T, D)."""
        return super().unpad(table).index_select(0, self._cell)

    def attend(self, x: Tensor, heads: int) -> Tensor:
        if self._counts is None:
            return super().attend(x, heads)
        mixed = []
        for sequence in torch.split(x, self._counts):
            parts = sequence.view(1, len(sequence), 3, heads, -1).permute(2, 0, 3, 1, 4)
            mixed.append(F.scaled_dot_product_attention(*parts)[0].transpose(0, 1).flatten(1))
        return torch.cat(mixed)


def some_at_a_time(network: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """network(x) for items x (T, D) that it takes one by one; in inference on a CPU in parts."""
    if x.device.type != "cpu" or torch.is_grad_enabled() or torch.compiler.is_exporting():
        return network(x)
    return torch.cat([network(x[start : start + _AT_ONCE]) for start in range(0, len(x), _AT_ONCE)])
