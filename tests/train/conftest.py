from __future__ import annotations

from pathlib import Path

import pytest

from chef.train.settings import TrainSettings, make_settings
from tests.tiny import write_prepared, write_words

SMALL = {"word": 16, "hidden": 12, "space": 24, "batch": 12, "epochs": 2, "learning_rate": 0.001}


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """Prepared data of 60 generated recipes."""
    return write_prepared(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def prepared_with_texts(tmp_path_factory) -> Path:
    """The same with 30 recipes more that have no picture."""
    return write_prepared(tmp_path_factory.mktemp("texts"), recipes=90, texts=30)


@pytest.fixture(scope="session")
def words(tmp_path_factory) -> str:
    """The folder of a small MiniLM."""
    return str(write_words(tmp_path_factory.mktemp("words") / "minilm"))


def small(**values) -> TrainSettings:
    """Settings of a model that trains in a second."""
    return make_settings({**SMALL, **values})
