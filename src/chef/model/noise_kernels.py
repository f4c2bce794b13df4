"""The hashed noise of `chef.model.noise.SampleNoise` on a GPU: one launch instead of a hundred.

The arithmetic is that of the plain code, on unsigned numbers; a test compares the two.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_WRAP = 1 << 64
_BLOCK = 1024

Seed = int | Tensor


def gumbel(keys: Tensor, seed: Seed, use_key: int, rows: int, columns: int, dtype: torch.dtype) -> Tensor:
    """Gumbel(0, 1) noise (keys, rows, columns)."""
    out = torch.empty(len(keys), rows, columns, dtype=dtype, device=keys.device)
    return _launch(out, keys, seed, use_key, 0.0, is_gumbel=True)


def kept(keys: Tensor, seed: Seed, use_key: int, like: Tensor, share: float) -> Tensor:
    """0 for this share of the entries of `like` (keys, rows, columns), 1 / (1 - share) for the others."""
    return _launch(torch.empty_like(like), keys, seed, use_key, share, is_gumbel=False)


def _launch(out: Tensor, keys: Tensor, seed: Seed, use_key: int, share: float, is_gumbel: bool) -> Tensor:
    sequences, rows, columns = out.shape
    if out.numel():
        block = max(16, triton.next_power_of_2(columns))
        if not isinstance(seed, Tensor):
            seed = torch.full((1,), _signed(seed), device=keys.device)
        _noise[(sequences * rows,)](
            out,
            keys,
            seed,
            _signed(use_key),
            rows,
            columns,
            share,
            None,
            None,
            BLOCK=block,
            GUMBEL=is_gumbel,
            ITEMS=False,
        )
    return out


def kept_items(
    keys: Tensor, seed: Seed, use_key: int, like: Tensor, share: float, rows: Tensor, places: Tensor
) -> Tensor:
    """As `kept`, for items (T, D): the i-th is item places[i] of sequence rows[i]."""
    out = torch.empty_like(like)
    block = max(16, triton.next_power_of_2(like.shape[1]))
    if not isinstance(seed, Tensor):
        seed = torch.full((1,), _signed(seed), device=keys.device)
    _noise[(len(like),)](
        out, keys, seed, _signed(use_key), 1, like.shape[1], share, rows, places,
        BLOCK=block, GUMBEL=False, ITEMS=True,
    )  # fmt: skip
    return out


def hashed(x: Tensor) -> Tensor:
    """The hash of each number."""
    x = x.contiguous()
    out = torch.empty_like(x)
    if x.numel():
        _hash_all[(triton.cdiv(x.numel(), _BLOCK),)](x, out, x.numel(), BLOCK=_BLOCK)
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


@triton.jit(do_not_specialize=["count"])
def _hash_all(x, out, count, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = _hash(tl.load(x + place, place < count, 0).to(tl.uint64))
    tl.store(out + place, value.to(tl.int64), place < count)


@triton.jit(do_not_specialize=["use_key", "rows", "columns", "share"])
def _noise(
    out,
    keys,
    seed,
    use_key: tl.int64,
    rows,
    columns,
    share,
    item_row,
    item_place,
    BLOCK: tl.constexpr,
    GUMBEL: tl.constexpr,
    ITEMS: tl.constexpr,
):
    """A program is one row of one sequence."""
    program = tl.program_id(0)
    if ITEMS:
        sequence, place = tl.load(item_row + program), tl.load(item_place + program)
        sequence, place = tl.maximum(sequence, 0), tl.maximum(place, 0)
    else:
        sequence, place = program // rows, program % rows
    key = tl.load(keys + sequence).to(tl.uint64)
    hashed = _hash(_hash(key + use_key.to(tl.uint64)) + tl.load(seed).to(tl.uint64))
    hashed = _hash(hashed + place.to(tl.uint64))
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
