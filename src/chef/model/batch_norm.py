"""Batch norm over one process or several, and together with ReLU."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.noise import has_triton


class BatchNorm(nn.BatchNorm1d):
    """Batch norm over (N, C) or (N, C, H, W); parameters and names are those of `nn.BatchNorm1d`.

    torch's own SyncBatchNorm needs GPUs; this one runs anywhere and differentiates through the communication,
    so several processes compute the gradients of one process with the full batch. The gradient it passes back
    is that of the sum of all processes' losses.
    """

    # Use the statistics of the current batch in evaluation too, as ACME's published code does.
    batch_statistics = False

    fused = True  # with ReLU, where that is possible

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 4):
            raise ValueError(f"batch norm takes (N, C) or (N, C, H, W), not {tuple(input.shape)}")

    @property
    def folded(self) -> bool:
        """Whether its statistics went into the layer before it: what is left of it passes values unscaled.

        Such a layer must never normalise by the statistics of a batch, not in training either.
        """
        mean, variance = self.running_mean, self.running_var
        if mean is None or variance is None or mean.any():
            return False
        return bool((variance == variance[0]).all() and variance[0] < 1)

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
        unbiased = variance.detach() * count / (count - 1).clamp(min=1)
        for kept, new in ((self.running_mean, mean.detach()), (self.running_var, unbiased)):
            if kept is not None:
                kept.lerp_(new.to(kept.dtype), self.momentum or 0.0)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        scale = self.weight * torch.rsqrt(variance + self.eps)
        return (centred * scale.view(channels) + self.bias.view(channels)).to(input.dtype)

    def relu(self, input: Tensor, residual: Tensor | None = None, *, rectified: bool = True) -> Tensor:
        """relu(self(input) + residual), or without ReLU; in one pass where a GPU trains on images."""
        if not self._can_fuse(input):
            out: Tensor = self(input)
            out = out if residual is None else out + residual
            return F.relu(out) if rectified else out
        from chef.model.batch_norm_kernels import norm_relu

        out, mean, variance = norm_relu(input, residual, self.weight, self.bias, self.eps, rectified)
        count = input.numel() / input.shape[1]
        for kept, new in ((self.running_mean, mean), (self.running_var, variance * (count / (count - 1)))):
            if kept is not None:
                kept.lerp_(new, self.momentum or 0.0)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        return out

    def relu6(self, input: Tensor) -> Tensor:
        """min(relu(self(input)), 6); in one pass where a GPU reads images with statistics that stay."""
        mean, variance = self.running_mean, self.running_var
        stays = not self.training and not self.batch_statistics
        if mean is None or variance is None or not (stays and self._has_kernels(input, 32)):
            return F.relu6(self(input))
        from chef.model.batch_norm_kernels import scale_relu6

        return scale_relu6(input, self.weight, self.bias, mean, variance, self.eps)

    def _can_fuse(self, input: Tensor) -> bool:
        return self.training and self._has_kernels(input, 64) and not several_processes()

    def _has_kernels(self, input: Tensor, channels: int) -> bool:
        """Whether kernels take this input; its channels are to be a multiple."""
        return (
            self.fused
            and input.is_cuda
            and has_triton()
            and input.dtype in (torch.bfloat16, torch.float16, torch.float32)
            and input.dim() == 4
            and input.shape[1] % channels == 0
            and input.is_contiguous(memory_format=torch.channels_last)
        )


def synchronise_batch_norm(module: nn.Module) -> None:
    """Turn every torch batch norm inside `module` into a `BatchNorm` with the same values."""
    for norm in module.modules():
        if type(norm) in (nn.BatchNorm1d, nn.BatchNorm2d):
            norm.__class__ = BatchNorm


def use_batch_statistics(module: nn.Module, wanted: bool) -> None:
    """Set whether the batch norms of `module` use the batch's own statistics in evaluation.

    An image's vector then depends on the rest of its batch, and a single image cannot be embedded; the
    default, the statistics of training, is what search needs.
    """
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
