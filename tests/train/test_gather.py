import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from chef.train.gather import Gallery, gather
from chef.train.loss import LOSSES, build_loss
from tests.train.loss_oracle import embeddings

BOUNDS = [0, 3, 8]  # shares of different size
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shares(tmp_path_factory):
    """What each of two processes computes of its share of the batch."""
    folder = tmp_path_factory.mktemp("gather")
    outs = [folder / f"{rank}.safetensors" for rank in range(2)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                Path(__file__).with_name("gather_worker.py"),
                str(rank),
                "2",
                folder / "meet",
                out,
            ]
            + [str(bound) for bound in BOUNDS],
            env=environment,
        )
        for rank, out in enumerate(outs)
    ]
    try:
        assert [worker.wait(timeout=120) for worker in workers] == [0, 0]
    finally:
        for worker in workers:
            worker.kill()
    return [load_file(out) for out in outs]


@pytest.mark.parametrize("name", LOSSES)
def test_two_processes_equal_one_with_the_full_batch(shares, name):
    images, recipes = embeddings(BOUNDS[-1], 4, 0)
    loss = build_loss(name).double()
    value = loss(images, recipes, Gallery(images, recipes, groups=torch.arange(BOUNDS[-1]) // 2))
    value.backward()
    assert value > 0.01

    def assert_close(found, wanted):
        torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)

    assert_close(sum(share[f"{name}/value"] for share in shares), value.detach())
    for kind, rows in (("images", images), ("recipes", recipes)):
        assert_close(torch.cat([share[f"{name}/{kind}"] for share in shares]), rows.grad)
    for setting, parameter in loss.named_parameters():
        assert_close(sum(share[f"{name}/{setting}"] for share in shares), parameter.grad)


def test_one_process_needs_no_exchange():
    images, recipes = embeddings(3, 4, 0)
    groups = torch.tensor([0, 1, 1])
    gallery = gather(images, recipes, groups)
    assert gallery == Gallery(images, recipes, 0, groups)
