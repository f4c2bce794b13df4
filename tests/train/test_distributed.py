import os
import threading
import time
from datetime import timedelta
from unittest.mock import Mock

import pytest
import torch
import torch.distributed as distributed
from safetensors.torch import load_file, save_file
from torch import nn
from torch.multiprocessing import spawn

from chef.errors import ChefError
from chef.train import distributed as module
from chef.train.distributed import Processes, fill_rows, join_processes, own_rows, rendezvous
from tests.train.launch import free_port


def worker(rank: int, folder: str, port: int) -> None:
    """One of two processes: what it has after each exchange, saved to a file."""
    torch.set_num_threads(1)
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    with join_processes() as processes:
        save_file(exchanges(processes), f"{folder}/{rank}.safetensors")


def exchanges(processes: Processes) -> dict[str, torch.Tensor]:
    rank = processes.rank
    everyone, second, nobody = (nn.Parameter(torch.zeros(2)) for _ in range(3))
    everyone.grad = torch.full((2,), float(rank + 1))
    if rank == 1:  # only its share of the batch used this one
        second.grad = torch.tensor([5.0, 6.0])
    processes.add_gradients([everyone, second, nobody])
    assert nobody.grad is None
    assert processes.share(b"" if processes.first else b"mine") == b""
    shared = processes.share(bytes(range(256)) * 5 if processes.first else b"mine")
    weights = torch.full((3,), float(rank))
    processes.share_values([weights])
    rows = torch.full((5, 2), -1.0)
    for i in own_rows(5):
        rows[i] = i
    fill_rows(rows)
    few = torch.full((1,), float(len(own_rows(1))))
    fill_rows(few)
    return {
        "everyone": everyone.grad,
        "second": second.grad,
        "shared": torch.frombuffer(bytearray(shared), dtype=torch.uint8),
        "weights": weights,
        "rows": rows,
        "few": few,
        "agreed": torch.tensor([processes.agree(rank + 0.5), processes.total(rank + 0.5)]),
    }


def test_all_processes_have_the_same_after_each_exchange(tmp_path):
    spawn(worker, (str(tmp_path), free_port()), nprocs=2)
    for rank in range(2):
        values = {name: value.tolist() for name, value in load_file(tmp_path / f"{rank}.safetensors").items()}
        assert values == {
            "everyone": [3.0, 3.0],
            "second": [5.0, 6.0],  # on the process without a gradient too
            "shared": [*range(256)] * 5,
            "weights": [0.0, 0.0, 0.0],
            "rows": [[float(i)] * 2 for i in range(5)],
            "few": [1.0],
            "agreed": [0.5, 2.0],
        }


def test_more_processes_than_gpus_is_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(ChefError, match="process 3 of this machine has no GPU: there are 2"):
        join_processes().__enter__()


def test_a_process_that_has_lost_torchrun_does_not_begin(monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "some")
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(module.Path, "read_bytes", lambda path: b"/sbin/init")
    with pytest.raises(ChefError, match="torchrun, which started this process, is gone"):
        join_processes().__enter__()
    monkeypatch.setattr(module.Path, "read_bytes", lambda path: b"/usr/bin/python3\0/usr/bin/torchrun")
    monkeypatch.setattr(module.threading, "Thread", Mock())
    with join_processes() as processes:  # in a container torchrun itself may be process 1
        assert processes.size == 1


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
