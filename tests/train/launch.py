"""Real training processes for the tests: started by torchrun, watched, and killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.train.conftest import SMALL

TWO = ("--standalone", "--nproc-per-node", "2")
LIMIT = 150  # seconds: nothing here takes as long on an idle machine


def command(prepared: Path, out: Path | str, **values: Any) -> list[str]:
    """What follows `chef` on the command line of a small run."""
    settings = [f"--set={name}={value}" for name, value in {**SMALL, **values}.items()]
    return ["train", str(prepared), "--out", str(out), *settings]


def torchrun(*options: str) -> list[str]:
    """What precedes it."""
    return [sys.executable, "-m", "torch.distributed.run", *options, "-m", "chef"]


def start(call: list[str], **options: Any) -> subprocess.Popen[str]:
    """A process with all that it says in one pipe."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **options.pop("env", {})}
    return subprocess.Popen(
        call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code and what it said; it is killed with its children if that takes too long."""
    try:
        said, _ = process.communicate(timeout=LIMIT)
    finally:
        if process.poll() is None:
            kill(process.pid, *children(process.pid))
    return process.returncode, said


def children(parent: int) -> list[int]:
    """The processes that a process has started, oldest first."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _state(int(folder.name))
        if fields and int(fields[1]) == parent:
            pids.append(int(folder.name))
    return sorted(pids)


def alive(pid: int) -> bool:
    fields = _state(pid)
    return bool(fields) and fields[0] != "Z"


def kill(*pids: int) -> None:
    for pid in pids:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def position(run: Path) -> dict[str, Any]:
    """Where the run's last checkpoint stands; nothing if there is none."""
    try:
        with open(run / "checkpoint.safetensors", "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    except FileNotFoundError:
        return {}
    return dict(json.loads(header["__metadata__"]["position"]))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as other:
        return other.connect_ex(("127.0.0.1", port)) == 0


def _state(pid: int) -> list[str]:
    """State and parent of a process, then more; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
