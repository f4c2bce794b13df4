from __future__ import annotations

import torch

from chef.model.encoders import TreeEncoder
from chef.model.noise import SampleNoise

LENGTHS = torch.tensor([5, 1, 3])


def test_root_states_and_merges() -> None:
    encoder = TreeEncoder(4, 6, dropout=0.2).eval()
    x = torch.randn(3, 5, 4)
    vector, merges, attention = encoder(x, LENGTHS)
    h, _, expected = encoder.lstm(x, LENGTHS)
    assert torch.equal(vector, h)
    assert torch.equal(merges, expected)
    assert attention is None


def test_training_drops_inputs_and_samples_trees() -> None:
    encoder = TreeEncoder(4, 6, dropout=0.5)
    x = torch.randn(3, 5, 4)
    assert not torch.equal(encoder(x, LENGTHS).vector, encoder(x, LENGTHS).vector)


def test_noise_of_the_sample_repeats_trees_and_dropout() -> None:
    encoder = TreeEncoder(4, 6, dropout=0.5).double()
    x = torch.randn(3, 5, 4, dtype=torch.float64)
    keys = torch.tensor([8, 3, 5])
    whole = encoder(x, LENGTHS, noise=SampleNoise(keys, 1)).vector
    again = encoder(x[2:, :3], LENGTHS[2:], noise=SampleNoise(keys[2:], 1)).vector
    torch.testing.assert_close(again[0], whole[2])
    assert not torch.allclose(encoder(x, LENGTHS, noise=SampleNoise(keys, 2)).vector, whole)


def test_a_given_structure_is_kept_in_training_too() -> None:
    encoder = TreeEncoder(4, 6)
    x = torch.randn(3, 5, 4)
    merges = torch.tensor([[3, 2, 1, 0], [-1] * 4, [1, 0, -1, -1]])
    assert torch.equal(encoder(x, LENGTHS, merges=merges).merges, merges)
