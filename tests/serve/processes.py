"""`chef serve` in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

TOKEN = "a-long-secret"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@contextmanager
def _started(index: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "chef", "serve", "--index", index, "--port", "0", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "CHEF_TOKEN": TOKEN, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def replicas(
    index: str, count: int = 1, *arguments: str
) -> Iterator[list[tuple[str, subprocess.Popen[str]]]]:
    """So many services over one collection, which answer: the address and the process of each."""
    with ExitStack() as stack:
        processes = [stack.enter_context(_started(index, *arguments)) for _ in range(count)]
        yield [(_address(process), process) for process in processes]


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline().strip()
    assert line.startswith("http://"), process.stderr.read()
    return line
