"""One of the processes of `test_gather.py`: its share of each loss and of the gradients, saved to a file.

    python gather_worker.py RANK WORLD RENDEZVOUS_FILE OUT_FILE BOUNDS...

BOUNDS: where each share starts, and the end.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
import torch.distributed as distributed
from safetensors.torch import save_file

from chef.train.gather import gather
from chef.train.loss import LOSSES, build_loss

sys.path.insert(0, str(Path(__file__).parent))
from loss_oracle import embeddings


def main(rank: int, world: int, rendezvous: str, out: str, bounds: list[int]) -> None:
    distributed.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=world)
    part = slice(bounds[rank], bounds[rank + 1])
    found = {}
    for name in LOSSES:
        images, recipes = (
            rows.detach()[part].clone().requires_grad_() for rows in embeddings(bounds[-1], 4, 0)
        )
        groups = torch.arange(bounds[-1])[part] // 2
        loss = build_loss(name).double()
        value = loss(images, recipes, gather(images, recipes, groups))
        value.backward()
        found |= {
            f"{name}/value": value.detach(),
            f"{name}/images": images.grad,
            f"{name}/recipes": recipes.grad,
        }
        found |= {f"{name}/{setting}": parameter.grad for setting, parameter in loss.named_parameters()}
    save_file(found, out)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], [int(bound) for bound in sys.argv[5:]])
