from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from chef.errors import ChefError
from chef.train import world as module
from chef.train.gather import fill_rows, own_rows
from chef.train.world import World, joined_world


def run_two(script: str, folder: Path, *options: str) -> None:
    """Two processes by torchrun."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    subprocess.run(
        [*launcher, *options, Path(__file__).with_name(script), folder],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> list[dict[str, torch.Tensor]]:
    """What each of two processes has after the exchanges."""
    folder = tmp_path_factory.mktemp("world")
    run_two("world_worker.py", folder)
    return [load_file(folder / f"{rank}.safetensors") for rank in range(2)]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("everyone", [3.0, 3.0]),
        ("second", [5.0, 6.0]),  # on the process without a gradient too
        ("shared", [*range(256)] * 5),
        ("weights", [0.0, 0.0, 0.0]),
        ("rows", [[float(i)] * 2 for i in range(5)]),
        ("few", [1.0]),
        ("agreed", [0.5, 2.0]),
    ],
)
def test_all_processes_have(found, name, wanted):
    for rank in found:
        assert rank[name].tolist() == wanted


def test_processes_that_are_started_again_do_not_look_for_the_dead(tmp_path):
    run_two("restart_worker.py", tmp_path, "--max-restarts", "1")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("0-0", "0-1", "1-0", "1-1"), "2.0"
    )


def test_one_process_needs_no_exchange():
    alone = World(0, 1, torch.device("cpu"))
    assert alone.share(b"mine") == b"mine"
    assert own_rows(5) == range(5)
    rows = torch.arange(5.0)
    fill_rows(rows)
    assert rows.tolist() == [0, 1, 2, 3, 4]


def test_more_processes_than_gpus_is_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(ChefError, match="process 3 of this machine has no GPU: there are 2"), joined_world():
        raise AssertionError("it has joined")


def test_a_process_that_has_lost_torchrun_does_not_begin(monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "some")
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(module, "_command_line", lambda process: b"/sbin/init")
    with pytest.raises(ChefError, match="torchrun is gone"), joined_world():
        raise AssertionError("it has joined")
    monkeypatch.setattr(module, "_command_line", lambda process: b"/usr/bin/python3\0/usr/bin/torchrun")
    monkeypatch.setattr(module.threading, "Thread", _Still)
    with joined_world() as world:  # in a container torchrun itself may be process 1
        assert world.size == 1


class _Still:
    def __init__(self, **options: object) -> None:
        pass

    def start(self) -> None:
        pass


def test_a_lost_neighbour_is_one_line(monkeypatch):
    message = "[/build/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer"
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(module, "rendezvous", lambda *args, **options: iter([(None, 0, 2)]))
    monkeypatch.setattr(module, "fresh_store", lambda *args: None)
    monkeypatch.setattr(module.distributed, "init_process_group", lambda *args, **options: None)
    with pytest.raises(ChefError, match="another process of the run is gone"), joined_world():
        raise RuntimeError(message)
    with pytest.raises(RuntimeError, match="shapes"), joined_world():
        raise RuntimeError("shapes do not fit")  # nobody's loss but ours
