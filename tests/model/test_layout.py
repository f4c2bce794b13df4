"""Sequences without padding give what padded ones give."""

import pytest
import torch
from torch import Tensor

from chef.model.layout import Packed, Table
from chef.model.words import ContextWords
from tests.model.small_words import small_context

LENGTHS = torch.tensor([3, 1, 7, 2, 30])
HEADS, WIDTH = 2, 16  # of one head
ON_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")


def attended(layout: Table, x: Tensor, weights: Tensor, heads: int = HEADS) -> tuple[Tensor, Tensor]:
    """What comes out of attention, and the gradient of what went in; weights: of the sum of the results."""
    x = x.detach().requires_grad_()
    out = layout.attend(x, heads)
    (out * weights.to(out)).sum().backward()
    assert x.grad is not None
    return out.detach().cpu().double(), x.grad.cpu().double()


def test_a_mask_and_lengths_say_the_same() -> None:
    real = torch.arange(30) < LENGTHS[:, None]
    of_mask, of_lengths = Packed.of_mask(real), Packed.of_lengths(LENGTHS, 30, torch.device("cpu"))
    for name in ("kept", "counts", "column", "mask"):
        assert torch.equal(getattr(of_mask, name), getattr(of_lengths, name))
    table = torch.randn(5, 30, 4)
    assert torch.equal(of_mask.unpad(table), table[real])
    assert torch.equal(of_mask.pad(table[real]), table * real[:, :, None])


@pytest.mark.parametrize("lengths", [LENGTHS, LENGTHS + 40], ids=["padded", "one by one"])
def test_attention_sees_its_own_sequence(lengths: Tensor) -> None:
    real = torch.arange(int(lengths.max())) < lengths[:, None]
    rows = real.flatten()
    x = torch.randn(len(rows), 3 * HEADS * WIDTH, dtype=torch.float64)
    weights = torch.randn(len(rows), HEADS * WIDTH) * rows[:, None]
    found = attended(Packed.of_mask(real), x[rows], weights[rows])
    for mine, true in zip(found, attended(Table(real), x, weights), strict=True):
        torch.testing.assert_close(mine, true[rows])


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=ON_GPU)])
@pytest.mark.parametrize("longest", [20, 200], ids=["padded", "one by one"])
@pytest.mark.parametrize(("heads", "width"), [(12, 32), (4, 96)])
def test_attention_in_half_precision(device: str, longest: int, heads: int, width: int) -> None:
    lengths = torch.randint(1, longest, (64,))
    x, weights = (torch.randn(int(lengths.sum()), parts * heads * width) for parts in (3, 1))
    truth = attended(Packed.of_lengths(lengths, longest, torch.device("cpu")), x, weights, heads)
    there = Packed.of_lengths(lengths, longest, torch.device(device))
    found = attended(there, x.to(device).bfloat16(), weights, heads)
    for mine, true in zip(found, truth, strict=True):
        assert torch.linalg.norm(mine - true) < 0.02 * torch.linalg.norm(true)


@ON_GPU
def test_the_mean_of_a_text_on_a_gpu() -> None:
    words, ids = small_context("chef-base", 30), torch.randint(1, 30, (9, 12))
    ids[3, 5:], ids[7, 1:] = 0, 0
    assert isinstance(words, ContextWords)

    def means(on: torch.device) -> list[Tensor]:
        there = words.to(on)
        there.zero_grad()
        there.means(ids.to(on)).square().sum().backward()
        return [item.grad.cpu() for item in there.parameters() if item.grad is not None]

    for mine, true in zip(means(torch.device("cuda")), means(torch.device("cpu")), strict=True):
        torch.testing.assert_close(mine, true, rtol=1e-3, atol=1e-4)
