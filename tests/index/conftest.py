"""A small collection and the model that it was made with."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.index import Index
from chef.index.catalogue import Catalogue
from tests.index.small import recipes, write_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def index(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Six recipes without photos; only read it."""
    found = Index(tmp_path_factory.mktemp("collection") / "index", model)
    found.add(recipes())
    return found


@pytest.fixture(scope="session")
def catalogue(index: Index) -> Catalogue:
    return index._catalogue()
