"""The cached path against the obvious one of the same class, which `test_tree_lstm` holds to the oracle."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from chef.model.noise import RandomNoise
from chef.model.tree_lstm import GumbelTreeLSTM, TreeStates
from tests.model.test_tree_lstm import gradients, make, relative, without_cache


def both(
    lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, noise: Tensor | None = None
) -> tuple[TreeStates, TreeStates]:
    """The states by the cached path and by the obvious one."""
    cached: TreeStates = lstm(x, lengths, noise=noise)
    with pytest.MonkeyPatch.context() as monkeypatch:
        without_cache(monkeypatch)
        obvious: TreeStates = lstm(x, lengths, noise=noise)
    return cached, obvious


def assert_equal(lstm: GumbelTreeLSTM, x: Tensor, cached: TreeStates, obvious: TreeStates) -> None:
    assert torch.equal(cached.merges, obvious.merges)
    assert relative(cached.h, obvious.h) < 1e-8
    assert relative(cached.c, obvious.c) < 1e-8
    ours, truth = (gradients(lstm, x, states.h, states.c) for states in (cached, obvious))
    for mine, true in zip(ours, truth, strict=True):
        assert relative(mine, true) < 1e-8


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("seed", range(6))
def test_every_gradient_equals_the_obvious_path(seed: int, training: bool) -> None:
    torch.manual_seed(seed)
    lengths = torch.randint(1, 21, (12,)).tolist()
    lstm, x, sizes = make(torch.float64, lengths, seed)
    lstm.train(training)
    x.requires_grad_()
    # Wider than any sequence, as a batch with longer ones would draw it.
    noise = RandomNoise().gumbel(len(x), 25, like=x)
    assert_equal(lstm, x, *both(lstm, x, sizes, noise))


@pytest.mark.parametrize("lengths", [[1], [1, 1], [2], [2, 1, 2], [3], [3, 3, 1]], ids=str)
def test_short_sequences(lengths: list[int]) -> None:
    lstm, x, sizes = make(torch.float64, lengths)
    x.requires_grad_()
    noise = RandomNoise().gumbel(len(x), 2, like=x)
    assert_equal(lstm, x, *both(lstm, x, sizes, noise))


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_of_equal_scores_the_first_is_taken(training: bool) -> None:
    lstm, x, sizes = make(torch.float64, [6, 1, 9, 2])
    lstm.train(training)
    with torch.no_grad():
        lstm.query.zero_()
    x.requires_grad_()
    cached, obvious = both(lstm, x, sizes, noise=x.new_zeros(4, 8, 8))
    assert cached.merges[2].tolist() == [0] * 8
    assert_equal(lstm, x, cached, obvious)


def test_two_losses_on_one_graph() -> None:
    """The way back leaves the cache as it was."""
    lstm, x, sizes = make(torch.float64, [7, 4])
    h, _, _ = lstm(x, sizes)
    first, second = (torch.autograd.grad(h.sum(), lstm.query, retain_graph=True)[0] for _ in range(2))
    assert torch.equal(first, second)


def test_frozen_parameters_and_unused_c() -> None:
    lstm, x, sizes = make(torch.float64, [7, 4])
    lstm.composition.requires_grad_(False)
    noise = RandomNoise().gumbel(len(x), 6, like=x)
    cached, obvious = both(lstm, x, sizes, noise)
    cached.h.sum().backward()
    assert lstm.composition.weight.grad is None
    truth = torch.autograd.grad(obvious.h.sum(), [lstm.query, lstm.leaf.weight])
    for parameter, true in zip((lstm.query, lstm.leaf.weight), truth, strict=True):
        assert parameter.grad is not None
        assert relative(parameter.grad, true) < 1e-8


def test_autocast_keeps_the_precision_of_the_weights() -> None:
    lstm, x, sizes = make(torch.float32, [7, 4, 1])
    x.requires_grad_()
    noise = RandomNoise().gumbel(len(x), 6, like=x)
    plain = lstm(x, sizes, noise=noise)
    truth = gradients(lstm, x, plain.h, plain.c)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = lstm(x, sizes, noise=noise)
        from_half = lstm(x.bfloat16(), sizes, noise=noise)
    ours = gradients(lstm, x, states.h, states.c)
    assert torch.equal(states.h, plain.h)
    assert from_half.h.dtype == torch.float32
    for mine, true in zip(ours, truth, strict=True):
        assert relative(mine, true) < 1e-4
