"""Processes that are killed, and machines that come and go: the model is that of an undisturbed run."""

import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import torch

from chef.data.prepared import Prepared
from chef.train.loop import train
from tests.train import launch
from tests.train.conftest import small, weights
from tests.train.launch import (
    TWO,
    children,
    command,
    ended,
    free_port,
    kill,
    listens,
    position,
    torchrun,
    wait_until,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc"),
]

# Batches of 6 pairs, 8 an epoch, and a checkpoint after every third: a kill falls between two of them.
VALUES = {
    "model": "t+t+l", "precision": "float64", "freeze_epochs": 0, "batch": 6, "epochs": 4,
    "checkpoint_every": 3,
}  # fmt: skip
MACHINES = ("--nproc-per-node=1", "--rdzv-backend=c10d", "--rdzv-id=kitchen")


@pytest.fixture(scope="module")
def undisturbed(prepared, tmp_path_factory) -> Path:
    """The same run, by one process that nobody kills."""
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    train(Prepared(prepared), small(**VALUES), run)
    return run


@pytest.fixture
def start() -> Iterator[Callable[..., Popen[str]]]:
    """`launch.start`; what is still at work when the test is over is killed."""
    started = []

    def begin(call: list[str], **options: Any) -> Popen[str]:
        started.append(launch.start(call, **options))
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            kill(process.pid, *children(process.pid))


def assert_same_model(run: Path, whole: Path) -> None:
    one, two = weights(whole), weights(run)
    assert one.keys() == two.keys()
    for name in one:
        torch.testing.assert_close(two[name], one[name], rtol=1e-6, atol=1e-6, msg=name)
    assert position(run) == pytest.approx(position(whole), abs=1e-6)


def in_the_middle(run: Path, epoch: int) -> bool:
    place = position(run)
    return bool(place) and (place["epoch"], place["batch"]) >= (epoch, 3)


def test_a_worker_killed_with_9_in_an_epoch_starts_again_and_the_model_is_the_same(
    prepared, undisturbed, start, tmp_path
):
    run = tmp_path / "cut"
    process = start([*torchrun(*TWO, "--max-restarts", "2"), *command(prepared, run, **VALUES)])
    wait_until(lambda: in_the_middle(run, 1))
    workers = children(process.pid)
    kill(workers[1])
    code, said = ended(process)
    assert code == 0, said
    assert len(workers) == 2
    assert re.search(r"resuming after epoch \d, batch \d in 2 processes", said)
    assert said.count("best model:") == 1
    assert_same_model(run, undisturbed)


def test_a_machine_dies_and_another_comes(prepared, start, tmp_path):
    """Two torchruns are two machines: with one of them dead the other goes on alone, until a third joins."""
    run = tmp_path / "run"
    values = {**VALUES, "epochs": 12}
    port = free_port()
    elastic = ("--nnodes=1:2", "--max-restarts=5", "--rdzv-conf=last_call_timeout=3")
    options = (*MACHINES, *elastic, f"--rdzv-endpoint=localhost:{port}")
    call = [*torchrun(*options), *command(prepared, run, **values)]
    shared = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}  # as docs/training.md says
    first = start(call, env=shared)
    wait_until(lambda: listens(port))  # it is the one where the machines meet
    second = start(call, env=shared)
    wait_until(lambda: in_the_middle(run, 0))
    kill(second.pid, *children(second.pid))
    there = position(run)
    second.communicate()
    wait_until(lambda: position(run) != there)  # it goes on alone
    third = start(call, env=shared)
    results = [ended(first), ended(third)]
    text = "".join(said for _, said in results)
    assert [code for code, _ in results] == [0, 0], text
    assert re.search(r"resuming after epoch \d+, batch \d+$", text, re.MULTILINE)
    assert re.search(r"resuming after epoch \d+, batch \d+ in 2 processes$", text, re.MULTILINE)
    train(Prepared(prepared), small(**values), tmp_path / "whole")
    assert_same_model(run, tmp_path / "whole")


def test_killed_at_random_moments_again_and_again(prepared, undisturbed, start, tmp_path):
    """A process of the run, or torchrun itself, whatever they are doing: the same command goes on."""
    run, draw = tmp_path / "cut", random.Random(0)
    call = [*torchrun(*TWO), *command(prepared, run, **VALUES)]
    kills = 0
    while kills < 6 and position(run).get("epoch", 0) < VALUES["epochs"]:
        process = start(call)
        wait_until(lambda process=process: children(process.pid))
        time.sleep(draw.uniform(0, 8))
        if process.poll() is None:
            kill(draw.choice([process.pid, *children(process.pid)]) if kills else process.pid)
            kills += 1
        ended(process)  # only once the workers of a killed torchrun are gone too
    assert kills >= 2
    code, said = ended(start(call))
    assert code == 0, said
    assert_same_model(run, undisturbed)
