"""A collection of twelve recipes and the model that it was made with."""

from pathlib import Path

import pytest

from chef.index import Index
from tests.rewrite.small import collection, write_model


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def index(model, tmp_path_factory) -> Index:
    index = Index(tmp_path_factory.mktemp("collection") / "index", model)
    index.add(collection())
    return index
