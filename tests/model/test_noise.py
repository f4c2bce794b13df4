import math

import pytest
import torch

from chef.model.noise import RandomNoise, SampleNoise, _hash, _uniform

LIKE = torch.zeros(1)
EULER = 0.5772156649


def splitmix(x: int) -> int:
    """The published algorithm in Python's own whole numbers."""
    wide = 2**64 - 1
    x = (x + 0x9E3779B97F4A7C15) & wide
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & wide
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & wide
    return x ^ (x >> 31)


def test_hash_is_splitmix64() -> None:
    numbers = [0, 1, 2, -1, 123456789, 2**62, -(2**63)]
    hashed = [value % 2**64 for value in _hash(torch.tensor(numbers)).tolist()]
    assert hashed == [splitmix(number % 2**64) for number in numbers]
    assert _hash(torch.tensor(0)).item() % 2**64 == 0xE220A8397B1DCDAF  # the published first output of seed 0


def test_uniform_is_open() -> None:
    ends = _uniform(torch.tensor([0, -1]))
    assert 0 < ends[0] < 1e-15
    assert 1 - 1e-15 < ends[1] < 1


NOISES = [RandomNoise(), RandomNoise(torch.Generator().manual_seed(1)), SampleNoise(torch.arange(900), 5)]


@pytest.mark.parametrize("noise", NOISES)
def test_moments(noise: RandomNoise | SampleNoise) -> None:
    drawn = noise.gumbel(900, 15, LIKE)
    assert drawn.shape == (900, 15, 15)
    assert drawn.dtype == torch.float32
    assert float(drawn.mean()) == pytest.approx(EULER, abs=0.01)
    assert float(drawn.std()) == pytest.approx(math.pi / math.sqrt(6), abs=0.01)
    flat = drawn.reshape(900, -1)
    assert abs(float(torch.corrcoef(torch.stack([flat[0], flat[1]]))[0, 1])) < 0.25
    dropped = noise.dropout(torch.ones(900, 5, 6), 0.2)
    assert float((dropped == 0).float().mean()) == pytest.approx(0.2, abs=0.01)
    assert float(dropped.max()) == pytest.approx(1.25)
    uniform = noise.uniform(torch.zeros(900, 3))
    assert uniform.shape == (900,)
    assert float(uniform.mean()) == pytest.approx(0.5, abs=0.04)
    assert float(uniform.std()) == pytest.approx(math.sqrt(1 / 12), abs=0.02)


def test_sample_noise_depends_on_key_seed_part_and_place_alone() -> None:
    keys = torch.tensor([4, 9, 2])
    noise = SampleNoise(keys, 1)
    drawn = noise.gumbel(3, 6, LIKE)
    assert torch.equal(SampleNoise(keys[1:2], 1).gumbel(1, 4, LIKE)[0], drawn[1, :4, :4])
    assert len(drawn.unique()) == drawn.numel()
    first = noise.spread(torch.arange(3), torch.zeros(3).long())
    for other in (SampleNoise(keys, 2), noise.part(1), noise.part(2), first):
        assert not torch.isin(other.gumbel(3, 6, LIKE), drawn).any()
    spread = noise.spread(torch.tensor([0, 0, 2]), torch.tensor([0, 1, 0]))
    same = SampleNoise(keys[2:], 1).spread(torch.tensor([0]), torch.tensor([0]))
    assert torch.equal(spread.gumbel(3, 5, LIKE)[2], same.gumbel(1, 5, LIKE)[0])
    x = torch.ones(3, 8, 4)
    assert torch.equal(noise.dropout(x, 0.5)[1:2, :5], SampleNoise(keys[1:2], 1).dropout(x[:1, :5], 0.5))
    assert torch.equal(SampleNoise(keys[1:], 1).uniform(x[1:]), noise.uniform(x)[1:])
    assert not torch.isin(SampleNoise(keys, 2).uniform(x), noise.uniform(x)).any()
