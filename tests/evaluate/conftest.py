"""Prepared data of 100 generated recipes, and models trained on it for a moment."""

from collections.abc import Callable
from pathlib import Path

import pytest

from chef.data.prepared import Prepared
from chef.measure import bootstrap
from chef.train.loop import train
from chef.train.settings import make_settings
from tests.tiny import write_prepared

SMALL = {"word": 16, "hidden": 12, "space": 24, "batch": 24, "epochs": 1, "learning_rate": 0.003}


@pytest.fixture(autouse=True, scope="module")
def few_resamples():
    """Intervals take most of the time, and have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap.resample, "__defaults__", (250,))
        yield


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """Prepared data; its source lies beside it in `source`."""
    return write_prepared(tmp_path_factory.mktemp("tiny"), recipes=100)


@pytest.fixture(scope="session")
def trained(prepared, tmp_path_factory) -> Callable[..., Path]:
    """trained("t+t+l", seed=1): the run of a model, trained once."""
    runs: dict[tuple[str, int], Path] = {}

    def run(model: str, seed: int = 0) -> Path:
        if (model, seed) not in runs:
            runs[model, seed] = tmp_path_factory.mktemp("runs") / model
            settings = make_settings({**SMALL, "model": model, "seed": seed, "freeze_epochs": 0})
            train(Prepared(prepared), settings, runs[model, seed])
        return runs[model, seed]

    return run
