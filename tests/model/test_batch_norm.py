"""Batch norm with a residual and ReLU: in one pass on a GPU as in three."""

import copy

import pytest
import torch
from torch import Tensor

from chef.model.batch_norm import BatchNorm
from chef.model.noise import has_triton
from tests.model.test_tree_lstm import relative


def norm_of(channels: int) -> BatchNorm:
    torch.manual_seed(0)
    norm = BatchNorm(channels)
    with torch.no_grad():
        norm.weight.uniform_(-1, 2)
        norm.bias.normal_()
    return norm


def step(norm: BatchNorm, x: Tensor, residual: Tensor | None, rectified: bool) -> list[Tensor]:
    """The result, all gradients and the running statistics."""
    given = [x.detach().requires_grad_()] + ([] if residual is None else [residual.detach().requires_grad_()])
    out = norm.relu(given[0], given[1] if residual is not None else None, rectified=rectified)
    weights = torch.linspace(-1, 2, out.numel()).view(out.shape).to(out)
    norm.zero_grad()
    (out * weights).sum().backward()
    grads = [item.grad for item in (*given, *norm.parameters())]
    kept = [norm.running_mean, norm.running_var, norm.num_batches_tracked]
    return [part.detach().cpu().double().clone() for part in (out, *grads, *kept)]


@pytest.mark.parametrize("rectified", [True, False])
def test_residual_and_relu(rectified: bool) -> None:
    norm, x, residual = norm_of(4), torch.randn(3, 4, 5, 6), torch.randn(3, 4, 5, 6)
    expected = copy.deepcopy(norm)(x) + residual
    found = norm.relu(x, residual, rectified=rectified)
    torch.testing.assert_close(found, expected.relu() if rectified else expected)
    assert norm.num_batches_tracked == 1


@pytest.mark.skipif(
    not (torch.cuda.is_available() and has_triton()), reason="needs an NVIDIA GPU with Triton"
)
@pytest.mark.parametrize("rectified", [True, False])
@pytest.mark.parametrize("with_residual", [True, False])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 2e-5), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize("shape", [(5, 64, 9, 7), (8, 128, 20, 20), (2, 2048, 3, 3)])
def test_one_pass_gives_what_three_give(
    shape: tuple[int, ...], dtype: torch.dtype, bound: float, with_residual: bool, rectified: bool
) -> None:
    norm = norm_of(shape[1])
    x = (torch.randn(shape) * 3 + 5 * torch.randn(1, shape[1], 1, 1)).to(dtype)  # far from zero
    residual = torch.randn(shape).to(dtype) if with_residual else None
    truth = step(
        copy.deepcopy(norm).double(), x.double(), None if residual is None else residual.double(), rectified
    )
    on_gpu = [
        part if part is None else part.cuda().to(memory_format=torch.channels_last) for part in (x, residual)
    ]
    found = step(norm.cuda(), on_gpu[0], on_gpu[1], rectified)
    for mine, true in zip(found, truth, strict=True):
        assert relative(mine, true) < bound


@pytest.mark.skipif(
    not (torch.cuda.is_available() and has_triton()), reason="needs an NVIDIA GPU with Triton"
)
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 2e-5), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize("shape", [(5, 32, 9, 7), (8, 96, 20, 20), (2, 1024, 3, 3)])
def test_statistics_that_stay_with_the_cap_in_one_pass(
    shape: tuple[int, ...], dtype: torch.dtype, bound: float
) -> None:
    norm = norm_of(shape[1]).eval()
    with torch.no_grad():
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.1, 2)
    x = (torch.randn(shape) * 4).to(dtype)
    on_gpu = copy.deepcopy(norm).cuda()
    results = []
    for one, given in ((norm.double(), x.double()), (on_gpu, x.cuda().to(memory_format=torch.channels_last))):
        given = given.detach().requires_grad_()
        out = one.relu6(given)
        (out * torch.linspace(-1, 2, out.numel()).view(out.shape).to(out)).sum().backward()
        parts = (out, given.grad, one.weight.grad, one.bias.grad)
        results.append([part.detach().cpu().double() for part in parts])
    assert 0 < (results[0][0] == 6).float().mean() < 1
    for mine, true in zip(*results, strict=True):
        assert relative(mine, true) < bound
