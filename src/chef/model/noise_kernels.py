"""The hashed noise of `chef.model.noise.SampleNoise` on a GPU: one launch instead of a hundred.

The arithmetic is that of the plain code, on unsigned numbers; a test compares the two.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_WRAP = 1 << 64


def gumbel(keys: Tensor, seed: int, use_key: int, rows: int, columns: int, dtype: torch.dtype) -> Tensor:
    """Gumbel(0, 1) noise (keys, rows, columns)."""
    out = torch.empty(len(keys), rows, columns, dtype=dtype, device=keys.device)
    return _launch(out, keys, seed, use_key, 0.0, is_gumbel=True)


def kept(keys: Tensor, seed: int, use_key: int, like: Tensor, share: float) -> Tensor:
    """0 for this share of the entries of `like` (keys, rows, columns), 1 / (1 - share) for the others."""
    return _launch(torch.empty_like(like), keys, seed, use_key, share, is_gumbel=False)


def _launch(out: Tensor, keys: Tensor, seed: int, use_key: int, share: float, is_gumbel: bool) -> Tensor:
    sequences, rows, columns = out.shape
    if out.numel():
        block = max(16, triton.next_power_of_2(columns))
        _noise[(sequences * rows,)](
            out, keys, _signed(seed), _signed(use_key), rows, columns, share, BLOCK=block, GUMBEL=is_gumbel
        )
    return out


def _signed(number: int) -> int:
    """As a signed 64-bit number with the same bits."""
    number %= _WRAP
    return number - _WRAP if number >= _WRAP // 2 else number


@triton.jit
def _hash(x):
    """The splitmix64 finaliser."""
    x = x + 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB
    return x ^ (x >> 31)


@triton.jit(do_not_specialize=["seed", "use_key", "rows", "columns", "share"])
def _noise(
    out,
    keys,
    seed: tl.int64,
    use_key: tl.int64,
    rows,
    columns,
    share,
    BLOCK: tl.constexpr,
    GUMBEL: tl.constexpr,
):
    """A program is one row of one sequence."""
    program = tl.program_id(0)
    key = tl.load(keys + program // rows).to(tl.uint64)
    hashed = _hash(_hash(key + use_key.to(tl.uint64)) + seed.to(tl.uint64))
    hashed = _hash(hashed + (program % rows).to(tl.uint64))
    column = tl.arange(0, BLOCK)
    bits = _hash(hashed + column.to(tl.uint64))
    uniform = ((bits >> 12).to(tl.float64) + 0.5) * 2.220446049250313e-16
    if GUMBEL:
        uniform = tl.minimum(uniform, 1 - 2.220446049250313e-16)  # rounding may give 1, and infinite noise
        value = -tl.log(-tl.log(uniform))
    else:
        value = tl.where(uniform >= share, 1 / (1 - share), 0.0)
    to = out + program.to(tl.int64) * columns + column
    tl.store(to, value.to(out.dtype.element_ty), column < columns)
