"""Batch norm, a residual and ReLU in one pass on a GPU, for channels-last images.

A ResNet spends more time in these three than in its convolutions, and all of it on moving memory: torch reads
and writes every activation once for each. Here it is read twice forward (statistics, result) and twice
backward (sums, gradient). Images are tables (pixels, channels). Sums are made in float32: each program sums
its rows, a second kernel combines the programs in a fixed order, so runs repeat exactly. Where statistics
stay (`scale_relu6`), one pass each way is enough.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

_ROWS, _CHANNELS = 64, 64  # of a tile
_PROGRAMS = 528  # 4 for each of an H200's processors
_WARPS = 4  # of a program


def norm_relu(
    x: Tensor, residual: Tensor | None, weight: Tensor, bias: Tensor, eps: float, rectified: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """relu(batch_norm(x) + residual), or without ReLU, and the mean and the variance (C,) of the batch.

    x: (N, C, H, W), channels last, of a multiple of 64 channels.
    """
    given = (x, residual, weight, bias, eps, rectified)
    y, mean, variance = _NormReLU.apply(*given)
    return y, mean, variance


class _NormReLU(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        residual: Tensor | None,
        weight: Tensor,
        bias: Tensor,
        eps: float,
        rectified: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:
        channels, rows = x.shape[1], x.numel() // x.shape[1]
        parts, grid = _split(rows, channels)
        sums = x.new_empty(2, parts, channels, dtype=torch.float32)
        counts = x.new_empty(parts, dtype=torch.float32)
        _statistics[grid](
            x, sums, counts, rows, parts, channels, ROWS=_ROWS, CHANNELS=_CHANNELS, num_warps=_WARPS
        )
        mean, variance, scale, shift = x.new_empty(4, channels, dtype=torch.float32)
        _combine_statistics[(channels // _CHANNELS,)](
            sums, counts, weight, bias, mean, variance, scale, shift, rows, parts, channels, eps,
            ROWS=_ROWS, CHANNELS=_CHANNELS,
        )  # fmt: skip
        y = torch.empty_like(x)
        _result[_tiles(rows, channels)](
            x, residual, scale, shift, y, rows, channels,
            ROWS=_ROWS, CHANNELS=_CHANNELS, num_warps=_WARPS, RESIDUAL=residual is not None, RELU=rectified,
        )  # fmt: skip
        ctx.save_for_backward(x, None if residual is None else y, weight, mean, variance, scale, shift)
        ctx.eps, ctx.rectified = eps, rectified
        ctx.mark_non_differentiable(mean, variance)
        return y, mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor, *_: Tensor | None) -> tuple[Tensor | None, ...]:
        x, y, weight, mean, variance, scale, shift = ctx.saved_tensors
        grad = grad.contiguous(memory_format=torch.channels_last)
        channels, rows = x.shape[1], x.numel() // x.shape[1]
        parts, grid = _split(rows, channels)
        sums = x.new_empty(2, parts, channels, dtype=torch.float32)
        # Where a residual was added, ReLU's gradient is the residual's, and is kept.
        kept = None if y is None else torch.empty_like(grad)
        _sums[grid](
            grad, x, y, mean, scale, shift, kept, sums, rows, parts, channels,
            ROWS=_ROWS, CHANNELS=_CHANNELS, num_warps=_WARPS, RESIDUAL=y is not None, RELU=ctx.rectified,
        )  # fmt: skip
        grad_weight, grad_bias, of_grad, of_x, of_one = x.new_empty(5, channels, dtype=torch.float32)
        _combine_sums[(channels // _CHANNELS,)](
            sums, weight, mean, variance, grad_weight, grad_bias, of_grad, of_x, of_one,
            rows, parts, channels, ctx.eps, ROWS=_ROWS, CHANNELS=_CHANNELS,
        )  # fmt: skip
        grad_x = torch.empty_like(x)
        _gradient[_tiles(rows, channels)](
            grad if kept is None else kept, x, scale, shift, of_grad, of_x, of_one, grad_x, rows, channels,
            ROWS=_ROWS, CHANNELS=_CHANNELS, num_warps=_WARPS, RESIDUAL=kept is not None, RELU=ctx.rectified,
        )  # fmt: skip
        return grad_x, kept, grad_weight.to(weight.dtype), grad_bias.to(weight.dtype), None, None


def scale_relu6(
    x: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, variance: Tensor, eps: float
) -> Tensor:
    """min(relu(batch_norm(x)), 6) with given statistics (C,).

    x: (N, C, H, W), channels last, of a multiple of 32 channels.
    """
    y: Tensor = _ScaleReLU6.apply(x, weight, bias, mean, torch.rsqrt(variance + eps))
    return y


class _ScaleReLU6(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, steep: Tensor) -> Tensor:
        channels, rows = x.shape[1], x.numel() // x.shape[1]
        scale = weight.float() * steep
        shift = bias.float() - mean * scale
        y, width = torch.empty_like(x), min(_CHANNELS, channels & -channels)
        _scaled[triton.cdiv(rows, _ROWS), channels // width](
            x, scale, shift, y, rows, channels, ROWS=_ROWS, CHANNELS=width, num_warps=_WARPS
        )
        ctx.save_for_backward(x, scale, shift, mean, steep)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, scale, shift, mean, steep = ctx.saved_tensors
        grad = grad.contiguous(memory_format=torch.channels_last)
        channels, rows = x.shape[1], x.numel() // x.shape[1]
        width = min(_CHANNELS, channels & -channels)
        parts, grid = _split(rows, channels, width)
        sums = x.new_empty(2, parts, channels, dtype=torch.float32)
        grad_x = torch.empty_like(x)
        _scaled_gradient[grid](
            grad, x, mean, scale, shift, grad_x, sums, rows, parts, channels,
            ROWS=_ROWS, CHANNELS=width, num_warps=_WARPS,
        )  # fmt: skip
        total, product = sums.sum(1)
        return grad_x, product * steep, total, None, None


def _split(rows: int, channels: int, width: int = _CHANNELS) -> tuple[int, tuple[int, int]]:
    """Into how many parts the rows are split, and the grid of programs."""
    columns = channels // width
    parts = max(1, min(triton.cdiv(rows, _ROWS), _PROGRAMS // columns))
    return parts, (parts, columns)


def _tiles(rows: int, channels: int) -> tuple[int, int]:
    return triton.cdiv(rows, _ROWS), channels // _CHANNELS


@triton.jit(do_not_specialize=["rows", "parts"])
def _statistics(x, sums, counts, rows, parts, channels, ROWS: tl.constexpr, CHANNELS: tl.constexpr):
    """Mean and squared deviations of a part's rows, (2, parts, channels), and their number."""
    part, column = tl.program_id(0), tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    # Relative to the first row: squares of large numbers would lose the deviations.
    origin = tl.load(x + part.to(tl.int64) * ROWS * channels + column).to(tl.float32)
    total = tl.zeros([CHANNELS], tl.float32)
    squares = tl.zeros([CHANNELS], tl.float32)
    seen = tl.zeros([ROWS], tl.int32)
    for first in range(part * ROWS, rows, parts * ROWS):
        row = first + tl.arange(0, ROWS)
        inside = row < rows
        at = row[:, None].to(tl.int64) * channels + column[None, :]
        value = tl.load(x + at, inside[:, None], 0).to(tl.float32) - origin[None, :]
        value = tl.where(inside[:, None], value, 0)
        total += tl.sum(value, 0)
        squares += tl.sum(value * value, 0)
        seen += inside.to(tl.int32)
    count = tl.sum(seen, 0).to(tl.float32)
    tl.store(sums + part * channels + column, origin + total / count)
    tl.store(sums + (parts + part) * channels + column, squares - total * total / count)
    tl.store(counts + part, count)


@triton.jit(do_not_specialize=["rows", "parts"])
def _combine_statistics(
    sums, counts, weight, bias, mean, variance, scale, shift, rows, parts, channels, eps,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """Mean and variance of all parts, and the factor and the summand that batch norm applies."""
    column = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)
    middle = tl.zeros([CHANNELS], tl.float32)
    for first in range(0, parts, ROWS):
        part = first + tl.arange(0, ROWS)
        inside = part < parts
        count = tl.load(counts + part, inside, 0)
        means = tl.load(sums + part[:, None] * channels + column[None, :], inside[:, None], 0)
        middle += tl.sum(means * count[:, None], 0)
    middle = middle / rows
    spread = tl.zeros([CHANNELS], tl.float32)
    for first in range(0, parts, ROWS):
        part = first + tl.arange(0, ROWS)
        inside = part < parts
        count = tl.load(counts + part, inside, 0)
        at = part[:, None] * channels + column[None, :]
        off = tl.load(sums + at, inside[:, None], 0) - middle[None, :]
        within = tl.load(sums + parts * channels + at, inside[:, None], 0)
        spread += tl.sum(tl.where(inside[:, None], within + off * off * count[:, None], 0), 0)
    spread = spread / rows
    factor = tl.load(weight + column).to(tl.float32) / tl.sqrt(spread + eps)
    tl.store(mean + column, middle)
    tl.store(variance + column, spread)
    tl.store(scale + column, factor)
    tl.store(shift + column, tl.load(bias + column).to(tl.float32) - middle * factor)


@triton.jit
def _tile(rows, channels, ROWS: tl.constexpr, CHANNELS: tl.constexpr):
    """The channels of this program's tile, which of its rows there are, and where its values lie."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    return column, (row < rows)[:, None], row[:, None].to(tl.int64) * channels + column[None, :]


@triton.jit(do_not_specialize=["rows"])
def _result(
    x, residual, scale, shift, y, rows, channels,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr, RESIDUAL: tl.constexpr, RELU: tl.constexpr,
):  # fmt: skip
    column, inside, at = _tile(rows, channels, ROWS, CHANNELS)
    value = tl.load(x + at, inside, 0).to(tl.float32) * tl.load(scale + column)[None, :]
    value += tl.load(shift + column)[None, :]
    if RESIDUAL:
        value += tl.load(residual + at, inside, 0).to(tl.float32)
    if RELU:
        value = tl.where(value < 0, 0, value)  # NaN comes through: a run that diverged is noticed by its loss
    tl.store(y + at, value.to(y.dtype.element_ty), inside)


@triton.jit(do_not_specialize=["rows", "parts"])
def _sums(
    grad, x, y, mean, scale, shift, kept, sums, rows, parts, channels,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr, RESIDUAL: tl.constexpr, RELU: tl.constexpr,
):  # fmt: skip
    """The sums of the gradient, and of its product with x less its mean, over a part's rows."""
    part, column = tl.program_id(0), tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    middle = tl.load(mean + column)[None, :]
    factor, summand = tl.load(scale + column)[None, :], tl.load(shift + column)[None, :]
    total = tl.zeros([CHANNELS], tl.float32)
    product = tl.zeros([CHANNELS], tl.float32)
    for first in range(part * ROWS, rows, parts * ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row < rows)[:, None]
        at = row[:, None].to(tl.int64) * channels + column[None, :]
        value = tl.load(x + at, inside, 0).to(tl.float32)
        got = tl.load(grad + at, inside, 0).to(tl.float32)
        if RELU and RESIDUAL:
            got = tl.where(tl.load(y + at, inside, 0).to(tl.float32) <= 0, 0, got)
        elif RELU:
            got = tl.where(value * factor + summand <= 0, 0, got)
        if RESIDUAL:
            tl.store(kept + at, got.to(kept.dtype.element_ty), inside)
        total += tl.sum(got, 0)
        product += tl.sum(got * (value - middle), 0)
    tl.store(sums + part * channels + column, total)
    tl.store(sums + (parts + part) * channels + column, product)


@triton.jit(do_not_specialize=["rows", "parts"])
def _combine_sums(
    sums, weight, mean, variance, grad_weight, grad_bias, of_grad, of_x, of_one, rows, parts, channels, eps,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """The gradients of weight and bias; that of x is of_grad * grad + of_x * x + of_one."""
    column = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)
    total = tl.zeros([CHANNELS], tl.float32)
    product = tl.zeros([CHANNELS], tl.float32)
    for first in range(0, parts, ROWS):
        part = first + tl.arange(0, ROWS)
        inside = (part < parts)[:, None]
        at = part[:, None] * channels + column[None, :]
        total += tl.sum(tl.load(sums + at, inside, 0), 0)
        product += tl.sum(tl.load(sums + parts * channels + at, inside, 0), 0)
    steep = 1 / tl.sqrt(tl.load(variance + column) + eps)
    product = product * steep
    factor = tl.load(weight + column).to(tl.float32) * steep
    slope = -factor * steep * product / rows
    tl.store(grad_weight + column, product)
    tl.store(grad_bias + column, total)
    tl.store(of_grad + column, factor)
    tl.store(of_x + column, slope)
    tl.store(of_one + column, -factor * total / rows - slope * tl.load(mean + column))


@triton.jit(do_not_specialize=["rows"])
def _gradient(
    grad, x, scale, shift, of_grad, of_x, of_one, grad_x, rows, channels,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr, RESIDUAL: tl.constexpr, RELU: tl.constexpr,
):  # fmt: skip
    column, inside, at = _tile(rows, channels, ROWS, CHANNELS)
    value, got = tl.load(x + at, inside, 0).to(tl.float32), tl.load(grad + at, inside, 0).to(tl.float32)
    if RELU and not RESIDUAL:
        before = value * tl.load(scale + column)[None, :] + tl.load(shift + column)[None, :]
        got = tl.where(before <= 0, 0, got)
    result = got * tl.load(of_grad + column)[None, :] + value * tl.load(of_x + column)[None, :]
    result += tl.load(of_one + column)[None, :]
    tl.store(grad_x + at, result.to(grad_x.dtype.element_ty), inside)


@triton.jit(do_not_specialize=["rows"])
def _scaled(x, scale, shift, y, rows, channels, ROWS: tl.constexpr, CHANNELS: tl.constexpr):
    column, inside, at = _tile(rows, channels, ROWS, CHANNELS)
    value = tl.load(x + at, inside, 0).to(tl.float32) * tl.load(scale + column)[None, :]
    value += tl.load(shift + column)[None, :]
    value = tl.where(value < 0, 0, value)  # NaN comes through
    value = tl.where(value > 6, 6, value)
    tl.store(y + at, value.to(y.dtype.element_ty), inside)


@triton.jit(do_not_specialize=["rows", "parts"])
def _scaled_gradient(
    grad, x, mean, scale, shift, grad_x, sums, rows, parts, channels,
    ROWS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """The gradient of x, and the sums of the gradient and of its product with x less its mean."""
    part, column = tl.program_id(0), tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    middle = tl.load(mean + column)[None, :]
    factor, summand = tl.load(scale + column)[None, :], tl.load(shift + column)[None, :]
    total = tl.zeros([CHANNELS], tl.float32)
    product = tl.zeros([CHANNELS], tl.float32)
    for first in range(part * ROWS, rows, parts * ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row < rows)[:, None]
        at = row[:, None].to(tl.int64) * channels + column[None, :]
        value = tl.load(x + at, inside, 0).to(tl.float32)
        got = tl.load(grad + at, inside, 0).to(tl.float32)
        before = value * factor + summand
        got = tl.where((before <= 0) | (before >= 6), 0, got)
        tl.store(grad_x + at, (got * factor).to(grad_x.dtype.element_ty), inside)
        total += tl.sum(got, 0)
        product += tl.sum(got * (value - middle), 0)
    tl.store(sums + part * channels + column, total)
    tl.store(sums + (parts + part) * channels + column, product)
