import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from chef.data.prepared import Prepared
from chef.train.distributed import Processes
from chef.train.loop import Trainer, train
from chef.train.optimizer import freeze
from chef.train.run import Run
from chef.train.settings import TrainSettings, make_settings
from tests.tiny import write_prepared, write_words

SMALL = {"word": 16, "hidden": 12, "space": 24, "batch": 12, "epochs": 2, "learning_rate": 0.001}
ALONE = Processes(0, 1, torch.device("cpu"))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """Prepared data of 60 generated recipes."""
    return write_prepared(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def prepared_with_texts(tmp_path_factory) -> Path:
    """The same with 30 more recipes that have no photo."""
    return write_prepared(tmp_path_factory.mktemp("texts"), recipes=90, texts=30)


@pytest.fixture(scope="session")
def words(tmp_path_factory) -> str:
    """The folder of a small MiniLM."""
    return str(write_words(tmp_path_factory.mktemp("words") / "minilm"))


def small(**values) -> TrainSettings:
    """Settings of a model that trains in a second."""
    return make_settings({**SMALL, **values})


def new_trainer(data: Prepared, settings: TrainSettings, out: Path) -> Trainer:
    return Trainer(data, settings, Run(out, data, settings, ALONE))


def assert_resumes(data: Prepared, settings: TrainSettings, folder: Path) -> None:
    """Stopped after two steps and run again, it ends with the weights of the run `folder`/whole."""
    train(data, settings, folder / "whole")
    trainer = new_trainer(data, settings, folder / "cut")
    freeze(trainer.model, tower=trainer.model.variant.frozen, words=trainer.model.variant.frozen)
    trainer.both.train()
    for batch, texts in list(trainer._load(0, 0))[:2]:
        trainer._step(batch, texts)
    trainer._save()
    train(data, settings, folder / "cut")
    assert_equal(folder / "whole", folder / "cut")


def read_log(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def weights(run: Path) -> dict[str, torch.Tensor]:
    return load_file(run / "checkpoint.safetensors")


def assert_equal(first: Path, second: Path) -> None:
    one, two = weights(first), weights(second)
    assert one.keys() == two.keys()
    for name in one:
        assert torch.equal(one[name], two[name]), name
