"""A checkpoint: one safetensors file with weights, optimizer and position in the run. No pickle.

Everything random is a function of seed, epoch and sample, so a position is all that resuming needs. The
header of the file holds a checksum, and the previous checkpoint is kept: if the last one is damaged, the run
resumes from the one before.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from chef.errors import ChefError
from chef.files import sync

_CHECKSUM = "sha256"


def previous(path: Path) -> Path:
    """The path of the previous checkpoint: `checkpoint.before.safetensors`."""
    return path.with_name(f"{path.stem}.before{path.suffix}")


def save_checkpoint(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, position: dict[str, Any]
) -> None:
    """Write a temporary file, then rename it: a kill leaves either the old or the new checkpoint."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value for name, value in state.items()}
    # The format forbids shared memory; a clone on the CPU is also a snapshot.
    tensors = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in tensors.items()}
    encoded = json.dumps(position)
    new = path.with_name(f".{path.name}.new")
    try:
        save_file(tensors, new, metadata={"position": encoded, _CHECKSUM: _checksum(tensors, encoded)})
    except SafetensorError as error:
        new.unlink(missing_ok=True)
        raise ChefError(
            f"the checkpoint {path} cannot be written: {error}",
            "free some space and run the same command again",
        ) from error
    sync(new)
    # A kill between the two renames leaves the previous one, from which a run resumes too.
    if path.exists():
        os.replace(path, previous(path))
    os.replace(new, path)
    sync(path.parent)


def last_checkpoint(path: Path, say: Callable[[str], None]) -> bytes | None:
    """The newest intact checkpoint, for `restore`; None if the run has none yet.

    If the last one is damaged, say so and use the previous one; if there is none, raise an error.
    """
    damaged = []
    for file in (path, previous(path)):
        if not file.exists():
            continue
        data = file.read_bytes()
        try:
            _unpack(data)
        except ValueError as error:
            damaged.append(f"{file} ({error})")
            continue
        if damaged:
            say(f"damaged checkpoint: {damaged[0]}; resuming from the previous one")
        if file != path:
            os.replace(file, path)  # or the next save would replace it with the damaged one
        return data
    if damaged:
        raise ChefError(
            f"damaged checkpoint: {' and '.join(damaged)}", "remove it to start again from the beginning"
        )
    return None


def restore(data: bytes, model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Restore weights and optimizer; returns the position that was saved with them."""
    tensors, position = _unpack(data)
    try:
        model.load_state_dict(_with_prefix(tensors, "model."))
    except RuntimeError as error:
        raise ChefError("the checkpoint belongs to another model", "choose another --out") from error
    states: dict[int, dict[str, Tensor]] = {}
    for key, value in _with_prefix(tensors, "optimizer.").items():
        number, name = key.split(".", 1)
        states.setdefault(int(number), {})[name] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:  # as parameters lie in memory, or the fused update refuses
                state[name] = torch.empty_like(parameter).copy_(value)
    return position


def _unpack(data: bytes) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the position of a checkpoint; a ValueError says what is wrong with it."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        tensors = load(data)
        length = int.from_bytes(data[:8], "little")
        facts = json.loads(data[8 : 8 + length])["__metadata__"]
        position, checksum = facts["position"], facts[_CHECKSUM]
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError("truncated, or from another version") from error
    if _checksum(tensors, position) != checksum:
        raise ValueError("its checksum is wrong")
    return tensors, dict(json.loads(position))


def _checksum(tensors: dict[str, Tensor], position: str) -> str:
    digest = hashlib.sha256(position.encode())
    for name, value in sorted(tensors.items()):
        digest.update(f"\n{name} {value.dtype} {list(value.shape)}\n".encode())
        digest.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _with_prefix(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
