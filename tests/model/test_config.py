from __future__ import annotations

import json

import pytest

from chef.errors import ChefError
from chef.model.config import ModelConfig


def test_round_trip_through_json() -> None:
    config = ModelConfig("t+t+l", 400, {"kind": "small-cnn", "size": 96}, hidden=60)
    assert ModelConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_a_configuration_from_before_there_was_minilm() -> None:
    old = ModelConfig.from_json({"variant": "t+t+l", "vocabulary": 400, "word": 30})
    assert old.words == {"kind": "vectors"}


def test_the_papers_sizes() -> None:
    config = ModelConfig("t+t+l", 400)
    assert (config.word, config.hidden, config.space) == (300, 600, 1024)


@pytest.mark.parametrize(
    ("data", "message"),
    [({"variant": "t+t+l", "vocabulary": 3, "hiden": 5}, "hiden"), ({"variant": "t+t+l"}, "vocabulary")],
)
def test_foreign_settings(data: dict, message: str) -> None:
    with pytest.raises(ChefError, match=message):
        ModelConfig.from_json(data)
