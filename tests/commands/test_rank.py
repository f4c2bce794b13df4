import sys

import pytest
import torch

from chef.commands.index import Rank


@pytest.fixture(autouse=True)
def threads(monkeypatch):
    for name in ("LOCAL_RANK", "LOCAL_WORLD_SIZE", "WORLD_SIZE", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def under_torchrun(monkeypatch, rank: int, size: int, world: int) -> Rank:
    for name, value in (("LOCAL_RANK", rank), ("LOCAL_WORLD_SIZE", size), ("WORLD_SIZE", world)):
        monkeypatch.setenv(name, str(value))
    return Rank.here()


def test_a_process_alone(monkeypatch):
    rank = Rank.here()
    assert (rank.first, rank.alone) == (True, True)
    before = torch.get_num_threads()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert rank.settle() == "cpu"
    assert torch.get_num_threads() == before


def test_threads_are_divided_among_the_processes_of_a_machine(monkeypatch):
    monkeypatch.setattr(sys.modules[Rank.__module__], "_cores", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as torchrun sets it
    rank = under_torchrun(monkeypatch, 1, 3, 6)
    assert (rank.first, rank.alone) == (False, False)
    rank.settle()
    assert torch.get_num_threads() == 2
    under_torchrun(monkeypatch, 0, 16, 16).settle()
    assert torch.get_num_threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    torch.set_num_threads(3)
    rank.settle()
    assert torch.get_num_threads() == 3


def test_each_process_has_its_gpu_and_more_of_them_share(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert [Rank(number, 4).settle() for number in range(4)] == ["cuda:0", "cuda:1", "cuda:0", "cuda:1"]
