import os
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from torch import nn

from chef.errors import ChefError
from chef.train.checkpoint import last_checkpoint, previous, restore, save_checkpoint


def trained(steps: int) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(steps)
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        model(torch.randn(4, 3)).square().sum().backward()
        optimizer.step()
    return model, optimizer


def save(path: Path, steps: int) -> None:
    save_checkpoint(path, *trained(steps), {"epoch": steps, "best": 0.1})


@pytest.fixture
def path(tmp_path) -> Path:
    """Two checkpoints, after one step and after two."""
    for steps in (1, 2):
        save(tmp_path / "checkpoint.safetensors", steps)
    return tmp_path / "checkpoint.safetensors"


def silent(message: str) -> None:
    raise AssertionError(message)


def restored(path: Path, say=silent) -> int:
    """The epoch of the checkpoint that a run would resume from, fully restored."""
    model, optimizer = trained(0)
    position = restore(last_checkpoint(path, say), model, optimizer)
    wanted, other = trained(position["epoch"])
    for name, value in wanted.state_dict().items():
        assert torch.equal(model.state_dict()[name], value), name
    for number, state in other.state_dict()["state"].items():
        for name, value in state.items():
            assert torch.equal(optimizer.state_dict()["state"][number][name], value), name
    assert position["best"] == 0.1
    return position["epoch"]


def test_the_last_one_is_put_back_as_it_was(path):
    assert restored(path) == 2
    save(path, 3)
    assert restored(path) == 3
    os.replace(path, previous(path))  # as if killed between the two moves
    assert restored(path) == 3
    path.unlink()
    assert last_checkpoint(path, silent) is None  # as in a new run


@examples(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_wrong_bit_and_any_missing_end_is_noticed(tmp_path, data):
    path = tmp_path / "checkpoint.safetensors"
    previous(path).unlink(missing_ok=True)
    path.unlink(missing_ok=True)
    save(path, 1)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        del content[place:]
    path.write_bytes(content)
    with pytest.raises(ChefError, match="damaged checkpoint"):
        last_checkpoint(path, silent)


def test_a_damaged_one_is_told_of_and_the_one_before_is_used(path):
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    said: list[str] = []
    assert restored(path, said.append) == 1
    assert said == [f"damaged checkpoint: {path} (its checksum is wrong); resuming from the previous one"]
    # Nothing is left that the next save could mistake for a whole one.
    assert restored(path) == 1
    save(path, 3)
    path.unlink()
    assert restored(path) == 1


def test_both_damaged_is_one_clear_line(path):
    for file in (path, previous(path)):
        file.write_bytes(b"")
    with pytest.raises(ChefError) as caught:
        last_checkpoint(path, silent)
    assert "\n" not in str(caught.value)
    for part in (path.name, previous(path).name, "remove it to start again"):
        assert part in str(caught.value)


def test_a_full_disk_leaves_the_old_one(path):
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))  # as on a full disk
    try:
        with pytest.raises(ChefError, match="cannot be written") as caught:
            save(path, 3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert "\n" not in str(caught.value)
    assert {file.name for file in path.parent.iterdir()} == {path.name, previous(path).name}
    assert restored(path) == 2


def test_moments_lie_in_memory_as_their_parameters_do(tmp_path: Path) -> None:
    def convolution() -> tuple[nn.Module, torch.optim.Optimizer]:
        model = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)
        return model, torch.optim.AdamW(model.parameters())

    model, optimizer = convolution()
    model(torch.randn(2, 3, 5, 5)).sum().backward()
    optimizer.step()
    save_checkpoint(tmp_path / "checkpoint.safetensors", model, optimizer, {})
    again, other = convolution()
    restore(last_checkpoint(tmp_path / "checkpoint.safetensors", silent), again, other)
    wanted, found = optimizer.state[model.weight]["exp_avg"], other.state[again.weight]["exp_avg"]
    assert torch.equal(found, wanted)
    assert found.stride() == again.weight.stride() == wanted.stride() != found.contiguous().stride()
