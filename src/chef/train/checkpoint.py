"""A checkpoint: one safetensors file with weights, optimizer and where the run stands. No pickle.

Everything random is a function of seed, epoch and sample, so a position is all that resuming needs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from chef.errors import ChefError


def save_checkpoint(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, position: dict[str, Any]
) -> None:
    """Write all of it under another name, then rename: a kill leaves the old checkpoint or the new one."""
    from safetensors.torch import save_file

    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value for name, value in state.items()}
    # Shared memory is not allowed in the format; a clone on the CPU is also a snapshot.
    tensors = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in tensors.items()}
    new = path.with_name(f".{path.name}.new")
    save_file(tensors, new, metadata={"position": json.dumps(position)})
    with open(new, "rb") as file:
        os.fsync(file.fileno())
    os.replace(new, path)


def load_checkpoint(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Put weights and optimizer back as they were; returns the position that was saved with them."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
            position = json.loads((file.metadata() or {})["position"])
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise ChefError(
            f"the checkpoint {path} cannot be read: {error}", "remove it to start anew"
        ) from error
    try:
        model.load_state_dict(_part(tensors, "model."))
    except RuntimeError as error:
        raise ChefError(f"the checkpoint {path} is of another model", "choose another --out") from error
    state = optimizer.state_dict()
    state["state"] = _optimizer_state(_part(tensors, "optimizer."))
    optimizer.load_state_dict(state)
    return dict(position)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _optimizer_state(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    return state
