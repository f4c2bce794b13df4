"""A small source and its prepared data, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from tests.data.sources import QUICK, canonical_map, write_source


@pytest.fixture(scope="session")
def map_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("map") / "canonical.tsv"
    canonical_map().save(path)
    return path


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_source(tmp_path_factory.mktemp("source") / "kitchen")


@pytest.fixture(scope="session")
def prepared(source: Path, map_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    out = tmp_path_factory.mktemp("prepared") / "out"
    prepare(source, out, QUICK, canonical=map_file, workers=2)
    return Prepared(out)
