"""One of the processes of `test_distributed.py`: what it has after each exchange, saved to a file.

python distributed_worker.py OUT_FOLDER BOUNDS...    in the environment that torchrun sets

BOUNDS: where the share of each process in the batch starts, and the end.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from chef.train.distributed import Processes, fill_rows, gather, join_processes, own_rows
from chef.train.loss import LOSSES, build_loss

sys.path.insert(0, str(Path(__file__).parent))
from loss_oracle import embeddings


def exchanges(processes: Processes) -> dict[str, Tensor]:
    everyone, second, nobody = (nn.Parameter(torch.zeros(2)) for _ in range(3))
    everyone.grad = torch.full((2,), float(processes.rank + 1))
    if processes.rank == 1:  # only its share of the batch used this one
        second.grad = torch.tensor([5.0, 6.0])
    processes.add_gradients([everyone, second, nobody])
    assert nobody.grad is None
    data = bytes(range(256)) * 5 if processes.first else b"mine"
    assert processes.share(b"" if processes.first else b"mine") == b""
    weights = torch.full((3,), float(processes.rank))
    processes.share_values([weights])
    rows = torch.full((5, 2), -1.0)
    for i in own_rows(5):
        rows[i] = i
    fill_rows(rows)
    few = torch.full((1,), float(len(own_rows(1))))
    fill_rows(few)
    agreed = [processes.agree(processes.rank + 0.5), processes.total(processes.rank + 0.5)]
    return {
        "everyone": everyone.grad,
        "second": second.grad,
        "shared": torch.frombuffer(bytearray(processes.share(data)), dtype=torch.uint8),
        "weights": weights,
        "rows": rows,
        "few": few,
        "agreed": torch.tensor(agreed),
    }


def losses(rank: int, bounds: list[int]) -> dict[str, Tensor]:
    """This process's share of each loss and of its gradients."""
    part = slice(bounds[rank], bounds[rank + 1])
    results = {}
    for name in LOSSES:
        rows = embeddings(bounds[-1], 4, 0)
        images, recipes = (side.detach()[part].clone().requires_grad_() for side in rows)
        groups = torch.arange(bounds[-1])[part] // 2
        loss = build_loss(name).double()
        value = loss(images, recipes, gather(images, recipes, groups))
        value.backward()
        results[f"{name}/value"] = value.detach()
        results |= {f"{name}/images": images.grad, f"{name}/recipes": recipes.grad}
        results |= {f"{name}/{setting}": parameter.grad for setting, parameter in loss.named_parameters()}
    return results


def main(out: Path, bounds: list[int]) -> None:
    with join_processes() as processes:
        results = {**exchanges(processes), **losses(processes.rank, bounds)}
        path = out / f"{processes.rank}.safetensors"
        save_file({name: value.clone() for name, value in results.items()}, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(bound) for bound in sys.argv[2:]])
