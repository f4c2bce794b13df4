"""Batch norm whose statistics are those of the whole batch, however many processes share it.

torch's own SyncBatchNorm does so on GPUs only; this one runs anywhere and differentiates through the
communication, so several processes compute the gradients of one process with the full batch.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional as F


class BatchNorm(nn.BatchNorm1d):
    """Batch norm over (N, C) or (N, C, H, W); parameters and names are those of `nn.BatchNorm1d`.

    The gradient it passes back is that of the sum of all processes' losses.
    """

    # Use the statistics of the current batch in evaluation too, as ACME's published code does.
    batch_statistics = False

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 4):
            raise ValueError(f"batch norm takes (N, C) or (N, C, H, W), not {tuple(input.shape)}")

    def forward(self, input: Tensor) -> Tensor:
        if self.batch_statistics and not self.training:
            self._check_input_dim(input)
            return F.batch_norm(input, None, None, self.weight, self.bias, training=True, eps=self.eps)
        if not (self.training and several_processes()):
            return super().forward(input)
        self._check_input_dim(input)
        x = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input
        channels = (-1,) if x.dim() == 2 else (-1, 1, 1)
        others = [axis for axis in range(x.dim()) if axis != 1]

        def total(values: Tensor) -> Tensor:
            return _SumOverProcesses.apply(values.sum(others))  # type: ignore[no-any-return,no-untyped-call]

        count = _summed(x.new_full((1,), x.numel() / x.shape[1]))
        mean = total(x) / count
        centred = x - mean.view(channels)
        variance = total(centred.square()) / count
        self._remember(mean.detach(), variance.detach() * count / (count - 1).clamp(min=1))
        scale = self.weight * torch.rsqrt(variance + self.eps)
        return (centred * scale.view(channels) + self.bias.view(channels)).to(input.dtype)

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        for kept, new in ((self.running_mean, mean), (self.running_var, variance)):
            if kept is not None:
                kept.lerp_(new.to(kept.dtype), self.momentum or 0.0)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)


def synchronise_batch_norm(module: nn.Module) -> None:
    """Turn every torch batch norm inside `module` into a `BatchNorm` with the same values."""
    for norm in module.modules():
        if type(norm) in (nn.BatchNorm1d, nn.BatchNorm2d):
            norm.__class__ = BatchNorm


def use_batch_statistics(module: nn.Module, wanted: bool) -> None:
    """Set whether the batch norms of `module` use the batch's own statistics in evaluation."""
    for norm in module.modules():
        if isinstance(norm, BatchNorm):
            norm.batch_statistics = wanted


def several_processes() -> bool:
    """Whether a batch is shared among processes."""
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


class _SumOverProcesses(torch.autograd.Function):
    """The sum over all processes, forward and backward: each process's share enters every result."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        return _summed(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return _summed(gradients[0])


def _summed(values: Tensor) -> Tensor:
    values = values.clone().contiguous()
    dist.all_reduce(values)
    return values
