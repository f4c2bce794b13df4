"""A small collection and the model that it was made with."""

from pathlib import Path

import pytest

from chef.data.kitchen import write_kitchen
from chef.data.preparing import prepare
from chef.index import Index
from chef.index.catalogue import Catalogue
from tests.data.sources import QUICK
from tests.index.small import export, recipes, write_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def index(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Six recipes without photos; only read it."""
    collection = Index(tmp_path_factory.mktemp("collection") / "index", model)
    collection.add(recipes())
    return collection


@pytest.fixture
def own(model: Path, tmp_path: Path) -> Index:
    """The same six in `tmp_path / "c"`, for a test to write to."""
    collection = Index(tmp_path / "c", model)
    collection.add(recipes())
    return collection


@pytest.fixture(scope="session")
def catalogue(index: Index) -> Catalogue:
    return index._catalogue()


@pytest.fixture(scope="session")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated kitchen of 28 dishes, two photos each."""
    folder = tmp_path_factory.mktemp("kitchen") / "source"
    write_kitchen(folder, 28, seed=3, size=64, images=2)
    return folder


@pytest.fixture(scope="session")
def prepared(kitchen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kitchen, prepared in small shards."""
    folder = tmp_path_factory.mktemp("prepared") / "out"
    prepare(kitchen, folder, QUICK, workers=1)
    return folder


@pytest.fixture(scope="session")
def exported(prepared: Path, model: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a run left alone makes of it."""
    index = Index(tmp_path_factory.mktemp("alone") / "c", model)
    assert index.add(prepared).added == 28
    return export(index.url)
