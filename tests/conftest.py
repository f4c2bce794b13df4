"""Fixtures that several test folders share."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import settings

from tests.s3_server import _s3_process, s3  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent

# Some virtual machines announce AMX and die of its first instruction; torch would use it for bf16. Before any
# test imports torch.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")

# Shared machines pause now and then: how long an example takes says nothing about the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def probes(name: str) -> list[list[str]]:
    """The rows of a table of tests/probes, without its comments."""
    lines = (ROOT / "tests" / "probes" / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


@cache
def _cases(folder: str) -> dict[str, list[Any]]:
    return yaml.safe_load((ROOT / "tests" / "probes" / f"{folder}.yaml").read_text("utf-8"))


def cases(folder: str, test: str) -> list[Any]:
    """The arguments of a test, row by row, from tests/probes."""
    return _cases(folder)[test]


def _folder(variable: str, default: str) -> Path:
    folder = Path(os.environ.get(variable) or ROOT.parent / "shared" / default)
    if not folder.is_dir():
        pytest.skip(f"no real data here: {variable} names no folder")
    return folder


@pytest.fixture(scope="session")
def chef_data() -> Path:
    """The folder with the real open recipes, or a skip."""
    return _folder("CHEF_DATA", "data")


@pytest.fixture(scope="session")
def chef_weights() -> Path:
    """The folder with the pre-trained image towers, or a skip."""
    return _folder("CHEF_WEIGHTS", "weights")
