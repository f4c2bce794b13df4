from __future__ import annotations

from pathlib import Path

import pytest

from chef.train.settings import TrainSettings, make_settings
from tests.tiny import write_prepared

SMALL = {"word": 16, "hidden": 12, "space": 24, "batch": 12, "epochs": 2, "learning_rate": 0.001}


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """Prepared data of 60 generated recipes."""
    return write_prepared(tmp_path_factory.mktemp("tiny"))


def small(**values) -> TrainSettings:
    """Settings of a model that trains in a second."""
    return make_settings({**SMALL, **values})
