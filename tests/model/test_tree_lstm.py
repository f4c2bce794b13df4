from __future__ import annotations

import pytest
import torch
from torch import Tensor

from chef.model.noise import RandomNoise, SampleNoise
from chef.model.obvious_tree import compose, encode_obvious
from chef.model.tree import Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from tests.model import oracle

TOLERANCE = {torch.float64: 1e-8, torch.float32: 1e-4}
LENGTHS = [1, 2, 20, 3, 1, 7, 13, 2, 5, 20, 11]


def make(dtype: torch.dtype, lengths: list[int], seed: int = 0) -> tuple[GumbelTreeLSTM, Tensor, Tensor]:
    torch.manual_seed(seed)
    lstm = GumbelTreeLSTM(5, 6).to(dtype)
    # A trained query and biases: at the start all scores are nearly equal.
    with torch.no_grad():
        lstm.query.normal_()
        lstm.composition.bias.normal_(std=0.3)
        lstm.leaf.bias.normal_(std=0.3)
    return lstm, torch.randn(len(lengths), max(lengths), 5, dtype=dtype), torch.tensor(lengths)


def gradients(lstm: GumbelTreeLSTM, x: Tensor, h: Tensor, c: Tensor) -> list[Tensor]:
    weights = torch.linspace(-1, 1, h.numel(), dtype=h.dtype).view_as(h).to(h.device)
    loss = (h * weights).sum() + (c * weights.flip(0)).sum()
    grads = torch.autograd.grad(loss, [x, *lstm.parameters()], allow_unused=True, materialize_grads=True)
    return list(grads)


def relative(ours: Tensor, truth: Tensor) -> float:
    return ((ours - truth).abs().max() / truth.abs().max().clamp(min=1e-3)).item()


def without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a device for which there is no faster way."""

    def obvious(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, noise: Tensor | None) -> object:
        return encode_obvious(lstm.cell, lstm.leaf(x), lengths, noise)

    monkeypatch.setattr(GumbelTreeLSTM, "_encode_cached", obvious)


@pytest.mark.parametrize("path", ["cached", "obvious"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("seed", range(2))
def test_equals_the_oracle(
    seed: int, training: bool, dtype: torch.dtype, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path == "obvious":
        without_cache(monkeypatch)
    torch.manual_seed(100 + seed)
    lengths = LENGTHS if seed == 0 else torch.randint(1, 21, (9,)).tolist()
    lstm, x, sizes = make(dtype, lengths, seed)
    lstm.train(training)
    x.requires_grad_()
    noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)
    h, c, merges = lstm(x, sizes, noise=noise)

    truth = [
        oracle.encode(lstm, x[row, :length], noise[row] if training else None)
        for row, length in enumerate(lengths)
    ]
    true_h, true_c = (torch.stack([state[part] for state, _ in truth]) for part in (0, 1))
    for row, (_, true_merges) in enumerate(truth):
        assert merges[row, : lengths[row] - 1].tolist() == true_merges
        assert (merges[row, lengths[row] - 1 :] == -1).all()
    assert relative(h, true_h) < TOLERANCE[dtype]
    assert relative(c, true_c) < TOLERANCE[dtype]
    ours, theirs = gradients(lstm, x, h, c), gradients(lstm, x, true_h, true_c)
    for mine, true in zip(ours, theirs, strict=True):
        assert relative(mine, true) < TOLERANCE[dtype]
    query = [name for name, _ in lstm.named_parameters()].index("query") + 1
    assert bool(ours[query].abs().max() > 0) is training  # only the sample teaches the query


def test_padding_has_no_influence() -> None:
    lstm, x, lengths = make(torch.float64, LENGTHS)
    changed = x.clone()
    for row, length in enumerate(LENGTHS):
        changed[row, length:] = 1e3
    wider = torch.cat([changed, torch.full_like(changed[:, :4], -1e3)], 1)
    noise = RandomNoise().gumbel(len(x), 30, like=x)
    first, second = lstm(x, lengths, noise=noise), lstm(wider, lengths, noise=noise)
    torch.testing.assert_close(first.h, second.h, rtol=0, atol=1e-12)
    assert torch.equal(first.merges, second.merges[:, :19])


def test_given_structure_is_encoded() -> None:
    lstm, x, lengths = make(torch.float64, [4, 1, 6, 2])
    merges = torch.tensor([[2, 0, 0, -1, -1], [-1] * 5, [3, 3, 0, 1, 0], [0, -1, -1, -1, -1]])
    states = lstm(x, lengths, merges=merges)
    assert torch.equal(states.merges, merges)
    for row, length in enumerate([4, 1, 6, 2]):
        h, c = oracle.encode_structure(lstm, x[row, :length], merges[row, : length - 1].tolist())
        torch.testing.assert_close(states.h[row], h)
        torch.testing.assert_close(states.c[row], c)


def test_greedy_trees_given_back_give_the_same_states() -> None:
    lstm, x, lengths = make(torch.float64, LENGTHS)
    lstm.eval()
    free = lstm(x, lengths)
    fixed = lstm(x, lengths, merges=free.merges)
    torch.testing.assert_close(free.h, fixed.h)
    for row, length in enumerate(LENGTHS):  # and they are trees
        Tree.from_merges(["x"] * length, free.merges[row].tolist())


def test_training_samples_and_evaluation_does_not() -> None:
    lstm, x, lengths = make(torch.float32, [12] * 8)
    assert not torch.equal(lstm(x, lengths).merges, lstm(x, lengths).merges)
    lstm.eval()
    assert torch.equal(lstm(x, lengths).merges, lstm(x, lengths).merges)


def test_samples_follow_the_softmax_of_the_scores() -> None:
    lstm, x, _ = make(torch.float64, [3])
    with torch.no_grad():
        lstm.query.mul_(6)
    many = x.expand(20_000, -1, -1)
    merges = lstm(many, torch.full((20_000,), 3)).merges[:, 0]
    nodes = lstm.leaf(x[0]).chunk(2, -1)
    candidates, _ = compose(lstm.cell, *zip(*((part[:-1], part[1:]) for part in nodes), strict=True))
    expected = (candidates @ lstm.query / 6**0.5).softmax(0)
    assert torch.bincount(merges) / 20_000 == pytest.approx(expected.tolist(), abs=0.015)


def test_initial_parameters() -> None:
    lstm = GumbelTreeLSTM(30, 60)
    weight = lstm.composition.weight
    torch.testing.assert_close(weight.T @ weight, torch.eye(120), rtol=0, atol=1e-5)
    assert lstm.query.std().item() == pytest.approx(0.01, rel=0.5)
    assert lstm.composition.bias.abs().max().item() == 0


def test_sample_noise_makes_the_tree_the_samples_own() -> None:
    """Alone, in another batch, padded further: a recipe meets the same noise."""
    lstm, x, lengths = make(torch.float64, LENGTHS)
    keys = torch.arange(len(x)) * 7
    noise = SampleNoise(keys, seed=3).gumbel(len(x), 19, like=x)
    together = lstm(x, lengths, noise=noise)
    for row in (2, 5, 6):
        size = LENGTHS[row]
        alone = SampleNoise(keys[row : row + 1], seed=3).gumbel(1, size - 1, like=x)
        states = lstm(x[row : row + 1, :size], lengths[row : row + 1], noise=alone)
        assert torch.equal(states.merges[0], together.merges[row, : size - 1])
