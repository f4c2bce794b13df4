"""A small source and its prepared data, made once."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

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
def prepare_quick(map_file: Path) -> Callable[..., Any]:
    """`prepare(source, out)` with everything small and two workers, unless told otherwise."""
    return partial(prepare, settings=QUICK, canonical=map_file, workers=2)


@pytest.fixture(scope="session")
def prepared(source: Path, prepare_quick, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    out = tmp_path_factory.mktemp("prepared") / "out"
    prepare_quick(source, out)
    return Prepared(out)
