"""How the items of several sequences lie in memory: with padding, or one after another without gaps.

Only attention needs the padded table; everything else in a transformer's layer does no work on padding.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

_LONG = 24  # items of a sequence, on average
# Not cuDNN's: it makes a plan for each new shape, and every batch has another.
_ATTENTION = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
_HALF = (torch.bfloat16, torch.float16)
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
        mixed = _attention(queries, keys, values, self.mask[:, None, None])
        return self.unpad(mixed.transpose(1, 2).flatten(2))


class Packed(Table):
    """The T places that are no padding, without gaps; its table (N, longest row) has them at the front.

    kept: (T,) their numbers in the table that they come from, row after row; counts: (N,) of each row.
    """

    def __init__(self, kept: Tensor, counts: Tensor, longest: int) -> None:
        super().__init__(torch.arange(longest, device=kept.device) < counts[:, None])
        self.kept, self.counts, self._longest = kept, counts, longest
        rows = torch.arange(len(counts), device=kept.device)
        row = torch.repeat_interleave(rows, counts, output_size=len(kept))
        self.column = torch.arange(len(kept), device=kept.device) - (counts.cumsum(0) - counts)[row]  # (T,)
        self._cell = row * longest + self.column

    @classmethod
    def of_mask(cls, real: Tensor) -> Packed:
        """real: (N, L), which places are no padding. On a GPU the host waits for their number."""
        counts = real.sum(1)
        return cls(real.flatten().nonzero()[:, 0], counts, int(counts.max()))

    @classmethod
    def of_lengths(cls, lengths: Tensor, places: int, device: torch.device) -> Packed:
        """lengths: (N,) on the host, of the sequences at the front of a table (N, places) on the device."""
        counts = lengths.numpy()
        kept = np.flatnonzero(np.arange(places) < counts[:, None])
        places_of_items = torch.from_numpy(kept).to(device, non_blocking=True)
        return cls(places_of_items, lengths.to(device, non_blocking=True), int(counts.max()))

    def pad(self, x: Tensor) -> Tensor:
        """(T, D) -> (N, longest, D), zero where there is no item."""
        return super().pad(x.new_zeros(self.mask.numel(), x.shape[1]).index_copy(0, self._cell, x))

    def unpad(self, table: Tensor) -> Tensor:
        """(N, longest, D) -> (T, D)."""
        return super().unpad(table).index_select(0, self._cell)

    def attend(self, x: Tensor, heads: int) -> Tensor:
        width = x.shape[1] // 3 // heads
        if x.is_cuda and x.dtype in _HALF and width % 8 == 0:
            from torch.nn.attention.varlen import varlen_attn  # which takes a while to import

            ends = F.pad(self.counts.cumsum(0), (1, 0)).int()
            queries, keys, values = x.view(len(x), 3, heads, width).unbind(1)
            longest = self._longest
            mixed: Tensor = varlen_attn(queries, keys, values, ends, ends, longest, longest)  # type: ignore[assignment]
            return mixed.flatten(1)
        # On a CPU long sequences are faster one by one, without padding.
        if x.is_cuda or len(x) < _LONG * len(self.counts):
            return super().attend(x, heads)
        rows = []
        for sequence in torch.split(x, self.counts.tolist()):
            queries, keys, values = sequence.view(1, len(sequence), 3, heads, width).permute(2, 0, 3, 1, 4)
            rows.append(_attention(queries, keys, values)[0].transpose(0, 1).flatten(1))
        return torch.cat(rows)


def _attention(queries: Tensor, keys: Tensor, values: Tensor, real: Tensor | None = None) -> Tensor:
    """Attention (N, heads, L, D) among the places that are real, (N, 1, 1, L)."""
    if queries.device.type == "cpu" and queries.dtype in _HALF:  # torch's own takes more than twice as long
        rated = (queries * queries.shape[3] ** -0.5) @ keys.transpose(2, 3)
        rated = rated if real is None else rated.masked_fill(~real, torch.finfo(rated.dtype).min)
        mixed: Tensor = rated.softmax(3) @ values
        return mixed
    with sdpa_kernel(_ATTENTION) if queries.is_cuda else nullcontext():
        return F.scaled_dot_product_attention(queries, keys, values, real)


def some_at_a_time(network: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """network(x) for items x (T, D) that it takes one by one; in inference on a CPU in parts."""
    if x.device.type != "cpu" or torch.is_grad_enabled() or torch.compiler.is_exporting():
        return network(x)
    return torch.cat([network(x[start : start + _AT_ONCE]) for start in range(0, len(x), _AT_ONCE)])
