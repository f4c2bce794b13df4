"""What only a GPU runs, against the CPU's results, which `test_tree_lstm` compares to the oracle."""

import copy

import pytest
import torch
from torch import Tensor, nn

from chef.model.cuda_graphs import run_graphed
from chef.model.noise import RandomNoise, SampleNoise, has_triton
from chef.model.tree_lstm import GumbelTreeLSTM
from tests.model.test_tree_lstm import LENGTHS, TOLERANCE, gradients, make, relative

pytestmark = pytest.mark.skipif(
    not (torch.cuda.is_available() and has_triton()), reason="needs an NVIDIA GPU with Triton"
)

LONGER = [*LENGTHS, 23, 9]
SHORTER = [4, 1, 6, 2, 5, 3, 3, 2, 8, 4]


def assert_equal(lstm: GumbelTreeLSTM, on_gpu: GumbelTreeLSTM, x: Tensor, lengths: Tensor) -> None:
    """The same trees, states and gradients from both."""
    noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)
    here, there = x.detach().requires_grad_(), x.detach().cuda().requires_grad_()
    truth, fast = lstm(here, lengths, noise=noise), on_gpu(there, lengths, noise=noise.cuda())
    assert torch.equal(fast.merges.cpu(), truth.merges)
    pairs = [(fast.h, truth.h), (fast.c, truth.c)]
    ours, theirs = gradients(on_gpu, there, *fast[:2]), gradients(lstm, here, *truth[:2])
    for mine, true in [*pairs, *zip(ours, theirs, strict=True)]:
        assert relative(mine.cpu(), true) < TOLERANCE[x.dtype]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_the_cpu_before_and_after_it_is_recorded(training: bool, dtype: torch.dtype) -> None:
    lstm, _, _ = make(dtype, LENGTHS)
    lstm.train(training)
    on_gpu = copy.deepcopy(lstm).cuda()
    # Batches that fit into the recorded one, one that does not, and a much smaller one.
    for lengths in [LENGTHS] * 5 + [LENGTHS[::-1], LONGER, SHORTER] + [LONGER] * 4 + [LENGTHS, [2, 1], [1]]:
        assert_equal(
            lstm, on_gpu, torch.randn(len(lengths), max(lengths), 5, dtype=dtype), torch.tensor(lengths)
        )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_a_gpu_teaches_the_same(dtype: torch.dtype) -> None:
    lstm, _, _ = make(dtype, LENGTHS)
    on_gpu = copy.deepcopy(lstm).cuda()
    # Batches before and after a graph is recorded, one that does not fit, and a smaller one.
    for lengths in [LENGTHS] * 5 + [[*LENGTHS, 23, 9], [4, 1, 6, 2], [2, 1], [1]]:
        sizes = torch.tensor(lengths)
        last, weights = (torch.rand(len(sizes)) * sizes).long(), torch.rand(len(sizes), dtype=dtype)
        x = torch.randn(len(sizes), max(lengths), 5, dtype=dtype, requires_grad=True)
        there = x.detach().cuda().requires_grad_()
        truth, fast = lstm.teach(x, sizes, last), on_gpu.teach(there, sizes, last)
        assert relative(fast.cpu(), truth) < TOLERANCE[dtype]
        for weight in (weights, torch.ones(1, dtype=dtype)):  # the gradient of a plain sum is one number
            total = (fast * weight.cuda() if len(weight) > 1 else fast).sum()
            ours = torch.autograd.grad(total, [there, *on_gpu.parameters()], retain_graph=True)
            theirs = torch.autograd.grad((truth * weight).sum(), [x, *lstm.parameters()], retain_graph=True)
            for mine, true in zip(ours, theirs, strict=True):
                assert relative(mine.cpu(), true) < TOLERANCE[dtype]


def test_a_second_batch_before_the_first_ones_gradient() -> None:
    lstm, x, lengths = make(torch.float64, LENGTHS)
    on_gpu = copy.deepcopy(lstm).cuda()
    noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)
    for _ in range(5):
        on_gpu(x.cuda(), lengths, noise=noise.cuda()).h.sum().backward()
    on_gpu.zero_grad()
    first = on_gpu(x.cuda(), lengths, noise=noise.cuda()).h
    second = on_gpu(-x.cuda(), lengths, noise=noise.cuda()).h
    (first.sum() + second.sum()).backward()
    truth = lstm(x, lengths, noise=noise).h.sum() + lstm(-x, lengths, noise=noise).h.sum()
    truth.backward()
    for mine, true in zip(on_gpu.parameters(), lstm.parameters(), strict=True):
        assert relative(mine.grad.cpu(), true.grad) < 1e-8


def test_weights_that_change_are_seen() -> None:
    lstm, x, lengths = make(torch.float64, LENGTHS)
    on_gpu = copy.deepcopy(lstm).cuda()
    for _ in range(6):
        assert_equal(lstm, on_gpu, x, lengths)
        with torch.no_grad():
            for mine, true in zip(on_gpu.parameters(), lstm.parameters(), strict=True):
                true.mul_(1.1)
                mine.mul_(1.1)


def test_nan_does_not_break_the_gpu() -> None:
    """A run that diverged must end in an error message, not in a broken GPU."""
    lstm, x, lengths = make(torch.float32, LENGTHS)
    on_gpu = lstm.cuda()
    for _ in range(5):
        states = on_gpu(torch.full_like(x, torch.nan).cuda(), lengths)
        states.h.sum().backward()
    assert states.h.isnan().all()
    assert torch.zeros(1, device="cuda").item() == 0


def test_noise_is_the_same_as_on_the_cpu() -> None:
    keys = torch.tensor([0, 3, -5, 2**40])
    here, there = SampleNoise(keys, seed=17), SampleNoise(keys.cuda(), seed=17)
    x = torch.randn(4, 6, 30)
    torch.testing.assert_close(there.gumbel(4, 6, like=x.cuda()).cpu(), here.gumbel(4, 6, like=x))
    torch.testing.assert_close(there.dropout(x.cuda(), 0.3).cpu(), here.dropout(x, 0.3))


def states(network: nn.Module, x: Tensor) -> Tensor:
    out: Tensor = network(x)[0]
    return out


def test_a_recorded_network_gives_what_it_gave_before() -> None:
    torch.manual_seed(0)
    network = nn.LSTM(5, 7, batch_first=True).cuda()
    inputs = [torch.randn(3, 4, 5, device="cuda") for _ in range(5)]
    for x in inputs:
        grads = []
        for graphed in (False, True):
            y = x.clone().requires_grad_()
            out = run_graphed(network, states, y) if graphed else states(network, y)
            out.square().sum().backward()
            grads.append([out.detach(), y.grad, *(item.grad.clone() for item in network.parameters())])
            network.zero_grad()
        for one, two in zip(*grads, strict=True):
            torch.testing.assert_close(one, two)
