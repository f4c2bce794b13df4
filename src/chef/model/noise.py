"""Where the randomness of a training step comes from: torch's generator, or the sample itself.

A run on several processes computes the gradients of one process with the full batch only if a recipe
gets the same noise on whichever process it lands. `SampleNoise` ties it to the recipe: the noise is
a hash of the seed, the recipe's key and the position inside the recipe, depends on nothing else, and
needs no saved random state to resume a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

import torch
from torch import Tensor
from torch.nn import functional as F

# Odd constants of splitmix64, as signed 64-bit numbers: torch's int64 wraps as the algorithm needs.
_GOLDEN, _MIX_1, _MIX_2 = -0x61C8864680B583EB, -0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15


@dataclass(frozen=True)
class RandomNoise:
    """Noise drawn from a torch generator; None is torch's own."""

    generator: torch.Generator | None = None

    def gumbel(self, sequences: int, levels: int, like: Tensor) -> Tensor:
        """Gumbel(0, 1) noise (sequences, levels, levels): sequence, level, candidate."""
        shape = (sequences, levels, levels)
        uniform = torch.rand(shape, generator=self.generator, device=like.device, dtype=_precise(like))
        return _gumbel(uniform)

    def dropout(self, x: Tensor, share: float) -> Tensor:
        """`x` with this share of its entries zeroed and the rest scaled up."""
        if self.generator is None:
            return F.dropout(x, share)
        uniform = torch.rand(x.shape, generator=self.generator, device=x.device)
        return _drop(x, uniform, share)

    def uniform(self, like: Tensor) -> Tensor:
        """A number between 0 and 1 for each row of `like`, (rows,)."""
        return torch.rand(like.shape[0], generator=self.generator, device=like.device, dtype=_precise(like))

    def part(self, number: int) -> RandomNoise:
        """Separate noise for one part of the recipe."""
        return self

    def spread(self, rows: Tensor, places: Tensor) -> RandomNoise:
        """Noise for new sequences: the i-th is item `places[i]` of the current sequence `rows[i]`."""
        return self


@dataclass(frozen=True)
class SampleNoise:
    """The same, tied to the sample: equal keys and seeds give equal noise, on any device and process.

    keys: (N,) long, one per sequence, such as the recipe's index in its split. seed: a number that
    changes from epoch to epoch, or each recipe would get the same noise in all of them.
    """

    keys: Tensor
    seed: int | Tensor  # a tensor: (1,) on the device of the keys, which a CUDA graph reads anew

    def gumbel(self, sequences: int, levels: int, like: Tensor) -> Tensor:
        if _in_one_launch(like):
            from chef.model import noise_kernels

            return noise_kernels.gumbel(self.keys, self.seed, 0, levels, levels, _precise(like))
        return _gumbel(self._uniform(0, levels, levels)).to(_precise(like))

    def dropout(self, x: Tensor, share: float) -> Tensor:
        if _in_one_launch(x):
            from chef.model import noise_kernels

            return x * noise_kernels.kept(self.keys, self.seed, _MIX_1, x.detach(), share)
        return _drop(x, self._uniform(1, x.shape[1], x.shape[2]), share)

    def dropout_items(self, x: Tensor, share: float, rows: Tensor, places: Tensor) -> Tensor:
        """`dropout` of items (T, D) on a GPU, each at a place of one of the sequences; -1: of none."""
        from chef.model import noise_kernels

        return x * noise_kernels.kept_items(self.keys, self.seed, _MIX_1, x.detach(), share, rows, places)

    def uniform(self, like: Tensor) -> Tensor:
        return self._uniform(2, 1, 1)[:, 0, 0].to(_precise(like))

    def order(self, items: int) -> Tensor:
        """Numbers between 0 and 1 for the items of each sequence, (N, items): to shuffle them."""
        return self._uniform(3, 1, items)[:, 0]

    def part(self, number: int) -> SampleNoise:
        # Hashed first, or the next part would be that of the next recipe; negative, as no position is.
        return SampleNoise(_hash(_hash(self.keys) - 1 - number), self.seed)

    def spread(self, rows: Tensor, places: Tensor) -> SampleNoise:
        return SampleNoise(_hash(_hash(self.keys)[rows] + places), self.seed)

    def _uniform(self, use: int, rows: int, columns: int) -> Tensor:
        """(N, rows, columns), each a hash of row and column, so that more padding does not change it."""
        places = torch.arange(max(rows, columns), device=self.keys.device)
        use_key = torch.full_like(self.keys, use) * _MIX_1  # a tensor: Python's product would not wrap
        hashed = _hash(_hash(self.keys + use_key) + self.seed)
        hashed = _hash(hashed[:, None] + places[:rows])
        return _uniform(_hash(hashed[:, :, None] + places[:columns]))


Noise = RandomNoise | SampleNoise  # what encoders, heads and objectives need in training


def _in_one_launch(like: Tensor) -> bool:
    """Whether `chef.model.noise_kernels` can draw for this tensor's device."""
    return like.device.type == "cuda" and has_triton()


def _hash(x: Tensor) -> Tensor:
    """The splitmix64 finaliser: neighbouring numbers become unrelated ones."""
    if _in_one_launch(x):
        from chef.model import noise_kernels

        return noise_kernels.hashed(x)
    x = x + _GOLDEN
    x = (x ^ _shift(x, 30)) * _MIX_1
    x = (x ^ _shift(x, 27)) * _MIX_2
    return x ^ _shift(x, 31)


def _shift(x: Tensor, bits: int) -> Tensor:
    """A logical shift to the right; torch's own copies the sign."""
    return (x >> bits) & ((1 << (64 - bits)) - 1)


def _uniform(hashed: Tensor) -> Tensor:
    """Uniform over the open interval (0, 1), float64."""
    return (_shift(hashed, 12).double() + 0.5) * 2.0**-52


def _gumbel(uniform: Tensor) -> Tensor:
    # A generator may return exactly 0, rounding exactly 1: both would be infinite.
    limits = torch.finfo(uniform.dtype)
    return -torch.log(-torch.log(uniform.clamp(limits.tiny, 1 - limits.eps)))


def _drop(x: Tensor, uniform: Tensor, share: float) -> Tensor:
    return x * (uniform >= share).to(x.dtype) / (1 - share)


def _precise(like: Tensor) -> torch.dtype:
    """Half precision is too coarse for noise that decides a tree."""
    return torch.float64 if like.dtype == torch.float64 else torch.float32


@cache
def has_triton() -> bool:
    """Whether kernels can be compiled: Triton comes with torch for GPUs, on Linux."""
    return find_spec("triton") is not None
