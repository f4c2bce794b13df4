from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from chef.model.norm import BatchNorm, synchronise_batch_norm, use_batch_statistics

SHAPES = [(7, 5), (7, 5, 3, 4)]
FIRST = 3  # rows of the first process; the other has the rest, so the shares differ


def batch(shape: tuple[int, ...]) -> Tensor:
    torch.manual_seed(0)
    return torch.randn(shape, dtype=torch.float64) * 3 + 1


def step(norm: nn.Module, x: Tensor, places: Tensor) -> dict[str, Tensor]:
    """One training step; the loss is a sum over rows, so the processes' losses add up."""
    x = x.clone().requires_grad_()
    out = norm(x)
    (out.sin() * places).sum().backward()
    grads = {f"grad {name}": value.grad for name, value in norm.named_parameters()}
    return {"x": x.grad, "out": out.detach(), **grads, **norm.state_dict()}


def ready() -> BatchNorm:
    norm = BatchNorm(5).double()
    with torch.no_grad():
        norm.weight.copy_(torch.linspace(0.5, 2, 5))
        norm.bias.copy_(torch.linspace(-1, 1, 5))
    return norm


def worker(rank: int, folder: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    results: dict[str, Tensor] = {}
    for shape in SHAPES:
        rows = slice(0, FIRST) if rank == 0 else slice(FIRST, None)
        places = torch.linspace(-1, 1, 7, dtype=torch.float64).view(-1, *[1] * (len(shape) - 1))
        found = step(ready(), batch(shape)[rows], places[rows])
        results |= {f"{len(shape)} {name}": value for name, value in found.items()}
    save_file(results, f"{folder}/{rank}.safetensors")
    dist.destroy_process_group()


def test_two_processes_equal_one_with_the_full_batch(tmp_path: Path) -> None:
    mp.spawn(worker, (str(tmp_path),), nprocs=2)
    shares = [load_file(tmp_path / f"{rank}.safetensors") for rank in (0, 1)]
    for shape in SHAPES:
        places = torch.linspace(-1, 1, 7, dtype=torch.float64).view(-1, *[1] * (len(shape) - 1))
        whole = step(ready(), batch(shape), places)
        first, second = ({name: share[f"{len(shape)} {name}"] for name in whole} for share in shares)
        for name in ("x", "out"):
            torch.testing.assert_close(torch.cat([first[name], second[name]]), whole[name])
        for name in ("grad weight", "grad bias"):
            torch.testing.assert_close(first[name] + second[name], whole[name])
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            torch.testing.assert_close(first[name], whole[name])
            torch.testing.assert_close(second[name], whole[name])


@pytest.mark.parametrize("shape", SHAPES)
def test_one_process_is_torchs_own(shape: tuple[int, ...]) -> None:
    theirs = (nn.BatchNorm1d if len(shape) == 2 else nn.BatchNorm2d)(5).double()
    ours = BatchNorm(5).double()
    for _ in range(2):
        assert torch.equal(ours(batch(shape)), theirs(batch(shape)))
    assert torch.equal(ours.eval()(batch(shape)), theirs.eval()(batch(shape)))


def test_gather_statistics_keeps_the_values() -> None:
    network = nn.Sequential(nn.Conv2d(3, 5, 1), nn.BatchNorm2d(5), nn.Sequential(nn.BatchNorm2d(5)))
    x = torch.randn(4, 3, 2, 2)
    network(x)
    before = network.eval()(x)
    synchronise_batch_norm(network)
    assert isinstance(network[1], BatchNorm)
    assert isinstance(network[2][0], BatchNorm)
    assert torch.equal(network(x), before)


def test_wrong_shape() -> None:
    with pytest.raises(ValueError, match="batch norm takes"):
        BatchNorm(5)(torch.zeros(2, 5, 3))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_batchs_own_statistics_in_evaluation(shape: tuple[int, ...]) -> None:
    norm = nn.Sequential(ready())
    x = batch(shape)
    in_training = norm(x)
    kept = {name: value.clone() for name, value in norm.state_dict().items()}
    fixed = norm.eval()(x)
    assert not torch.allclose(fixed, in_training)
    use_batch_statistics(norm, True)
    torch.testing.assert_close(norm(x), in_training)
    for name, value in norm.state_dict().items():
        assert torch.equal(value, kept[name]), name  # looking changes nothing
    use_batch_statistics(norm, False)
    assert torch.equal(norm(x), fixed)
