import platform
import subprocess
import sys

import pytest
import torch

from chef.train.machine import autocast_to_half, cpu_has_half

CPU, GPU = torch.device("cpu"), torch.device("cuda")
# Prints by how many MB the process grows where 200 MB are taken and freed.
GROWTH = """
import torch
from chef.train.machine import keep_freed_memory, return_freed_memory

def taken():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6

{}
before = taken()
torch.ones(50_000_000)
{}
print(taken() - before)
"""


@pytest.mark.parametrize(
    ("can", "wanted"), [({}, False), ({"avx512_bf16": False}, False), ({"amx_bf16": True}, True)]
)
def test_a_cpu_without_half_precision_trains_in_single(monkeypatch, can, wanted):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: can)
    said = []
    assert cpu_has_half() is wanted
    assert autocast_to_half(CPU, "bf16", said.append) is wanted
    assert len(said) == (not wanted)
    assert autocast_to_half(GPU, "bf16", said.append)
    assert not autocast_to_half(CPU, "float32", said.append)
    assert len(said) == (not wanted)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc's allocator")
@pytest.mark.parametrize(
    ("first", "last", "kept"),
    [
        ("", "", False),
        ("keep_freed_memory()", "", True),
        ("keep_freed_memory()", "return_freed_memory()", False),
    ],
)
def test_freed_memory_is_kept_until_it_is_returned(first, last, kept):
    program = GROWTH.format(first, last)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (float(run.stdout) > 150) is kept, run.stderr
