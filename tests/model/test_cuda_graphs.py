"""The parts of CUDA graphs that a CPU can test; `test_tree_gpu` records them on a GPU."""

import gc

import pytest
import torch
from torch import nn

from chef.model.cuda_graphs import Memory, twin


@pytest.mark.parametrize("network", [nn.GRU(4, 3), nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3))])
def test_a_twin_shares_memory_but_no_gradient(network: nn.Module) -> None:
    other = twin(network)
    x = torch.randn(5, 4)

    def run(of: nn.Module) -> torch.Tensor:
        out = of(x)
        return out[0] if isinstance(out, tuple) else out

    with torch.no_grad():
        for item in network.parameters():
            item.add_(0.1)  # as an optimizer does
    torch.testing.assert_close(run(other), run(network))
    run(other).sum().backward()
    assert all(item.grad is None for item in network.parameters())
    for mine, its in zip(network.buffers(), other.buffers(), strict=True):
        assert mine.data_ptr() == its.data_ptr()  # statistics of batch norm


def test_memory_is_free_after_the_backward_pass_or_when_nobody_waits() -> None:
    memory = Memory()
    assert memory.free
    ticket = memory.take()
    assert not memory.free
    memory.check(ticket)
    assert memory.free
    ticket = memory.take()
    del ticket
    gc.collect()
    assert memory.free


def test_a_gradient_that_came_too_late() -> None:
    memory = Memory()
    first = memory.take()
    memory.check(first)
    memory.take()
    with pytest.raises(RuntimeError, match="taken the place"):
        memory.check(first)
