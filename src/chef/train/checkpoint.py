"""A checkpoint: one safetensors file with weights, optimizer and where the run stands. No pickle.

Everything random is a function of seed, epoch and sample, so a position is all that resuming needs. The
file's header holds a checksum of all of it, and the checkpoint before the last is kept: if the last one is
ever found damaged, the run goes on from there.
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

_CHECKSUM = "sha256"


def before(path: Path) -> Path:
    """Where the checkpoint before the last lies: `checkpoint.before.safetensors`."""
    return path.with_name(f"{path.stem}.before{path.suffix}")


def save_checkpoint(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, position: dict[str, Any]
) -> None:
    """Write all of it under another name, then rename: a kill leaves the old checkpoint or the new one."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value for name, value in state.items()}
    # Shared memory is not allowed in the format; a clone on the CPU is also a snapshot.
    tensors = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in tensors.items()}
    told = json.dumps(position)
    new = path.with_name(f".{path.name}.new")
    try:
        save_file(tensors, new, metadata={"position": told, _CHECKSUM: _checksum(tensors, told)})
    except SafetensorError as error:
        new.unlink(missing_ok=True)
        raise ChefError(
            f"the checkpoint {path} cannot be written: {error}",
            "free some space and run the same command again",
        ) from error
    _sync(new)
    # A kill between the two moves leaves the one before, as a damaged last one does.
    if path.exists():
        os.replace(path, before(path))
    os.replace(new, path)
    _sync(path.parent)


def last_checkpoint(path: Path, say: Callable[[str], None]) -> bytes | None:
    """The newest checkpoint that is whole, for `restore`; None where the run has none yet.

    If the last one is damaged this is told, and the one before takes its place; without one it is an error.
    """
    damaged = []
    for file in (path, before(path)):
        if not file.exists():
            continue
        data = file.read_bytes()
        try:
            _unpack(data)
        except ValueError as error:
            damaged.append(f"{file} ({error})")
            continue
        if damaged:
            say(f"damaged checkpoint: {damaged[0]}; the run goes on from the one before it")
        if file != path:
            os.replace(file, path)  # or the next save would put the damaged one in its place
        return data
    if damaged:
        raise ChefError(f"damaged checkpoint: {' and '.join(damaged)}", "remove it to start anew")
    return None


def restore(data: bytes, model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Put weights and optimizer back as they were; returns the position that was saved with them."""
    tensors, position = _unpack(data)
    try:
        model.load_state_dict(_part(tensors, "model."))
    except RuntimeError as error:
        raise ChefError("the checkpoint is of another model", "choose another --out") from error
    state = optimizer.state_dict()
    state["state"] = _optimizer_state(_part(tensors, "optimizer."))
    optimizer.load_state_dict(state)
    return position


def _unpack(data: bytes) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the position in a checkpoint; a ValueError says what is wrong with it."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        tensors = load(data)
        length = int.from_bytes(data[:8], "little")
        facts = json.loads(data[8 : 8 + length])["__metadata__"]
        told, checksum = facts["position"], facts[_CHECKSUM]
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError("cut off, or not of this version") from error
    if _checksum(tensors, told) != checksum:
        raise ValueError("its checksum is wrong")
    return tensors, dict(json.loads(told))


def _checksum(tensors: dict[str, Tensor], position: str) -> str:
    found = hashlib.sha256(position.encode())
    for name, value in sorted(tensors.items()):
        found.update(f"\n{name} {value.dtype} {list(value.shape)}\n".encode())
        found.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, would outlive a power cut."""
    if path.is_dir() and os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _optimizer_state(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    return state
