from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
import torch
import torch.distributed as distributed
from safetensors.torch import load_file

from chef.errors import ChefError
from chef.train import distributed as module
from chef.train.distributed import Gallery, fill_rows, gather, join_processes, own_rows, rendezvous
from chef.train.loss import LOSSES, build_loss
from tests.train.conftest import ALONE
from tests.train.loss_oracle import embeddings

BOUNDS = [0, 3, 8]  # shares of different size


def run_two(script: str, folder: Path, *values: object, options: tuple[str, ...] = ()) -> None:
    """Two processes by torchrun."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    call = [*launcher, *options, Path(__file__).with_name(script), folder, *map(str, values)]
    subprocess.run(call, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=True, timeout=120)


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> list[dict[str, torch.Tensor]]:
    """What each of two processes has after the exchanges."""
    folder = tmp_path_factory.mktemp("distributed")
    run_two("distributed_worker.py", folder, *BOUNDS)
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
def test_all_processes_have(results, name, wanted):
    for result in results:
        assert result[name].tolist() == wanted


@pytest.mark.parametrize("name", LOSSES)
def test_two_processes_equal_one_with_the_full_batch(results, name):
    images, recipes = embeddings(BOUNDS[-1], 4, 0)
    loss = build_loss(name).double()
    value = loss(images, recipes, Gallery(images, recipes, groups=torch.arange(BOUNDS[-1]) // 2))
    value.backward()
    assert value > 0.01

    def assert_close(value, wanted):
        torch.testing.assert_close(value, wanted, rtol=0, atol=1e-12)

    assert_close(sum(share[f"{name}/value"] for share in results), value.detach())
    for kind, rows in (("images", images), ("recipes", recipes)):
        assert_close(torch.cat([share[f"{name}/{kind}"] for share in results]), rows.grad)
    for setting, parameter in loss.named_parameters():
        assert_close(sum(share[f"{name}/{setting}"] for share in results), parameter.grad)


@pytest.mark.slow
def test_restarted_processes_do_not_look_for_the_dead(tmp_path):
    run_two("restart_worker.py", tmp_path, options=("--max-restarts", "1"))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("0-0", "0-1", "1-0", "1-1"), "2.0"
    )


def test_one_process_needs_no_exchange():
    assert ALONE.share(b"mine") == b"mine"
    assert (ALONE.agree(0.1), ALONE.total(0.1)) == (0.1, 0.1)
    assert own_rows(5) == range(5)
    rows = torch.arange(5.0)
    fill_rows(rows)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    images, recipes = embeddings(3, 4, 0)
    groups = torch.tensor([0, 1, 1])
    assert gather(images, recipes, groups) == Gallery(images, recipes, 0, groups)


def test_more_processes_than_gpus_is_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with (
        pytest.raises(ChefError, match="process 3 of this machine has no GPU: there are 2"),
        join_processes(),
    ):
        raise AssertionError("it has joined")


def test_a_process_that_has_lost_torchrun_does_not_begin(monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "some")
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(module.Path, "read_bytes", lambda path: b"/sbin/init")
    with pytest.raises(ChefError, match="torchrun, which started this process, is gone"), join_processes():
        raise AssertionError("it has joined")
    monkeypatch.setattr(module.Path, "read_bytes", lambda path: b"/usr/bin/python3\0/usr/bin/torchrun")
    monkeypatch.setattr(module.threading, "Thread", _Still)
    with join_processes() as processes:  # in a container torchrun itself may be process 1
        assert processes.size == 1


class _Still:
    def __init__(self, **options: object) -> None:
        pass

    def start(self) -> None:
        pass


def test_a_lost_neighbour_is_one_line(monkeypatch):
    message = "[/build/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer"
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(module, "torch_rendezvous", lambda *args, **options: iter([(None, 0, 2)]))
    monkeypatch.setattr(module, "rendezvous", lambda *args: None)
    monkeypatch.setattr(module.distributed, "init_process_group", lambda *args, **options: None)
    with pytest.raises(ChefError, match="another process of the run is gone"), join_processes():
        raise RuntimeError(message)
    with pytest.raises(RuntimeError, match="shapes"), join_processes():
        raise RuntimeError("shapes do not fit")  # not a lost connection


def meet_all(store: distributed.Store, size: int, delays: list[float]) -> list[bytes]:
    """What each process of one start reads where the first has written; each begins after its delay."""
    read: list[bytes] = [b""] * size

    def join(rank: int) -> None:
        time.sleep(delays[rank])
        own = rendezvous(store, rank, size)
        if not rank:
            own.set("address", str(delays))
        read[rank] = own.get("address")

    threads = [threading.Thread(target=join, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return read


# The first process comes first, and sees only the requests of dead ones; or last; or all at once.
@pytest.mark.parametrize("delays", [[0.0, 0.3, 0.4, 0.5], [0.4, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0]])
def test_a_restart_finds_nothing_of_the_start_before(delays):
    store = distributed.HashStore()
    assert meet_all(store, 4, [0.0, 0.1, 0.1, 0.1]) == [b"[0.0, 0.1, 0.1, 0.1]"] * 4
    assert meet_all(store, 4, delays) == [str(delays).encode()] * 4
    assert meet_all(store, 2, [0.05, 0.0]) == [b"[0.05, 0.0]"] * 2  # fewer


def test_a_rendezvous_times_out():
    with pytest.raises(distributed.DistError, match="did not start"):
        rendezvous(distributed.HashStore(), 0, 2, timedelta(seconds=0.1))
