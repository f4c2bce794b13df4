"""One of the processes of `test_world.py`: what it has after each exchange, saved to a file.

python world_worker.py OUT_FOLDER    with the environment that torchrun gives
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from chef.train.gather import fill_rows, own_rows
from chef.train.world import joined_world


def main(out: Path) -> None:
    with joined_world() as world:
        everyone, second, nobody = (nn.Parameter(torch.zeros(2)) for _ in range(3))
        everyone.grad = torch.full((2,), float(world.rank + 1))
        if world.rank == 1:  # its share of the batch alone had use for this one
            second.grad = torch.tensor([5.0, 6.0])
        world.add_gradients([everyone, second, nobody])
        assert nobody.grad is None
        data = bytes(range(256)) * 5 if world.first else b"mine"
        assert world.share(b"" if world.first else b"mine") == b""
        weights = torch.full((3,), float(world.rank))
        world.share_values([weights])
        rows = torch.full((5, 2), -1.0)
        for i in own_rows(5):
            rows[i] = i
        fill_rows(rows)
        few = torch.full((1,), float(len(own_rows(1))))
        fill_rows(few)
        found = {
            "everyone": everyone.grad,
            "second": second.grad,
            "shared": torch.frombuffer(bytearray(world.share(data)), dtype=torch.uint8),
            "weights": weights,
            "rows": rows,
            "few": few,
            "agreed": torch.tensor([world.agree(world.rank + 0.5), world.total(world.rank + 0.5)]),
        }
        save_file({name: value.clone() for name, value in found.items()}, out / f"{world.rank}.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
