import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from chef.model.noise import RandomNoise
from chef.model.tree_lstm import GumbelTreeLSTM, TreeStates
from chef.model.tree_lstm.reference import encode_reference
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


def assert_close(
    lstm: GumbelTreeLSTM, x: Tensor, h: Tensor, c: Tensor, true_h: Tensor, true_c: Tensor
) -> list[Tensor]:
    """The states and all gradients are the true ones; returns the gradients."""
    ours, theirs = gradients(lstm, x, h, c), gradients(lstm, x, true_h, true_c)
    for mine, true in [(h, true_h), (c, true_c), *zip(ours, theirs, strict=True)]:
        assert relative(mine, true) < TOLERANCE[x.dtype]
    return ours


def use_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a device without a faster implementation."""

    def encode(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, noise: Tensor | None, _: object) -> object:
        return encode_reference(lstm.cell, lstm.leaf(x), lengths, noise)

    monkeypatch.setattr(GumbelTreeLSTM, "_encode_cpu", encode)


@pytest.mark.parametrize("path", ["cpu", "reference"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("seed", range(2))
def test_equals_the_oracle(
    seed: int, training: bool, dtype: torch.dtype, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path == "reference":
        use_reference(monkeypatch)
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
    ours = assert_close(lstm, x, h, c, true_h, true_c)
    query = [name for name, _ in lstm.named_parameters()].index("query") + 1
    assert bool(ours[query].abs().max() > 0) is training  # only the sample teaches the query


def both(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, noise: Tensor) -> tuple[TreeStates, TreeStates]:
    """The states by the CPU's implementation and by the reference."""
    fast: TreeStates = lstm(x, lengths, noise=noise)
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_reference(monkeypatch)
        reference: TreeStates = lstm(x, lengths, noise=noise)
    return fast, reference


def assert_equal(lstm: GumbelTreeLSTM, x: Tensor, fast: TreeStates, reference: TreeStates) -> None:
    assert torch.equal(fast.merges, reference.merges)
    assert_close(lstm, x, *fast[:2], *reference[:2])


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.integers(0, 99), st.booleans())
def test_every_gradient_equals_the_reference(lengths: list[int], seed: int, training: bool) -> None:
    lstm, x, sizes = make(torch.float64, lengths, seed)
    lstm.train(training)
    x.requires_grad_()
    # Wider than any sequence, as a batch with longer ones would draw it.
    noise = RandomNoise().gumbel(len(x), 25, like=x)
    assert_equal(lstm, x, *both(lstm, x, sizes, noise))


def test_equal_items_that_are_named_so_are_done_once() -> None:
    lstm, x, sizes = make(torch.float64, LENGTHS)
    ids = torch.randint(0, 9, x.shape[:2])
    x = x.flatten(0, 1)[ids]
    seen: list[int] = []
    with torch.no_grad(), lstm.leaf.register_forward_hook(lambda _, given, __: seen.append(len(given[0]))):
        for training in (False, True):
            lstm.train(training)
            torch.manual_seed(0)
            plain = lstm(x, sizes)
            torch.manual_seed(0)
            once = lstm(x, sizes, ids=ids)
            assert torch.equal(once.merges, plain.merges)
            torch.testing.assert_close(once[:2], plain[:2], rtol=0, atol=1e-12)
    assert seen == [sum(LENGTHS), 9, sum(LENGTHS), sum(LENGTHS)]  # in training items differ by their dropout


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_of_equal_scores_the_first_is_taken(training: bool) -> None:
    lstm, x, sizes = make(torch.float64, [6, 1, 9, 2])
    lstm.train(training)
    with torch.no_grad():
        lstm.query.zero_()
    x.requires_grad_()
    fast, reference = both(lstm, x, sizes, noise=x.new_zeros(4, 8, 8))
    assert fast.merges[2].tolist() == [0] * 8
    assert_equal(lstm, x, fast, reference)


def test_two_losses_on_one_graph() -> None:
    """The backward pass leaves the cache as it was."""
    lstm, x, sizes = make(torch.float64, [7, 4])
    h, _, _ = lstm(x, sizes)
    first, second = (torch.autograd.grad(h.sum(), lstm.query, retain_graph=True)[0] for _ in range(2))
    assert torch.equal(first, second)


def test_frozen_parameters_and_unused_c() -> None:
    lstm, x, sizes = make(torch.float64, [7, 4])
    lstm.composition.requires_grad_(False)
    noise = RandomNoise().gumbel(len(x), 6, like=x)
    fast, reference = both(lstm, x, sizes, noise)
    fast.h.sum().backward()
    assert lstm.composition.weight.grad is None
    truth = torch.autograd.grad(reference.h.sum(), [lstm.query, lstm.leaf.weight])
    for parameter, true in zip((lstm.query, lstm.leaf.weight), truth, strict=True):
        assert parameter.grad is not None
        assert relative(parameter.grad, true) < 1e-8


def test_autocast_rounds_the_products_alone() -> None:
    """The trees stay, states keep the precision of the weights, and nothing is off by more than bf16 is."""
    lstm, x, sizes = make(torch.float32, [7, 4, 1])
    x.requires_grad_()
    noise = 3 * RandomNoise(torch.Generator().manual_seed(0)).gumbel(len(x), 6, like=x)  # clear choices
    plain = lstm(x, sizes, noise=noise)
    truth = gradients(lstm, x, plain.h, plain.c)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = lstm(x, sizes, noise=noise)
        from_half = lstm(x.bfloat16(), sizes, noise=noise)
    ours = gradients(lstm, x, states.h, states.c)
    assert torch.equal(states.merges, plain.merges)
    assert not torch.equal(states.h, plain.h)
    assert states.h.dtype == from_half.h.dtype == torch.float32
    for mine, true in zip((states.h, states.c, *ours), (plain.h, plain.c, *truth), strict=True):
        assert relative(mine, true) < 0.02


def random_merges(lengths: list[int], seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    table = torch.full((len(lengths), max(lengths) - 1), -1)
    for row, length in enumerate(lengths):
        for level in range(length - 1):
            table[row, level] = torch.randint(length - 1 - level, (1,), generator=generator)
    return table


@pytest.mark.parametrize("lengths", [LENGTHS, [1, 1]])
def test_given_trees_equal_the_oracle(lengths: list[int]) -> None:
    lstm, x, sizes = make(torch.float64, lengths)
    x.requires_grad_()
    merges = random_merges(lengths, seed=0)
    h, c, given_back = lstm(x, sizes, merges=merges)
    assert torch.equal(given_back, merges)
    truth = [
        oracle.encode_structure(lstm, x[row, :length], merges[row, : length - 1].tolist())
        for row, length in enumerate(lengths)
    ]
    assert_close(lstm, x, h, c, *(torch.stack([state[part] for state in truth]) for part in (0, 1)))
