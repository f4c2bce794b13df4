from __future__ import annotations

import pytest
import torch

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.train.evaluate import validate
from chef.train.loop import Trainer, train
from chef.train.optimizer import Average, rate_at
from chef.train.run import Run
from tests.train.conftest import ALONE, assert_equal, small, stopped
from tests.train.objectives.pieces import small_model


def test_the_average_is_that_of_the_weights_it_followed():
    model = small_model("t+l+l")
    average = Average(model, decay=0.3)
    name = "heads.shared.weight"
    wanted = model.state_dict()[name].clone()
    for update in range(5):
        with torch.no_grad():
            model.heads.shared.weight.add_(torch.randn(12, 12))
        average.follow(model, update)
        decay = min(0.3, (1 + update) / (10 + update))
        wanted = decay * wanted + (1 - decay) * model.state_dict()[name]
    torch.testing.assert_close(average.model.state_dict()[name], wanted)


def test_what_stands_still_stays_bit_for_bit_and_counts_are_copied():
    model = small_model("t+l+l")
    average = Average(model, decay=0.99)
    model.train()
    model.embed_images(torch.randn(4, 3, 32, 32).double())  # batch norm counts
    before = model.state_dict()
    for update in range(50):
        average.follow(model, update)
    for key, value in average.model.state_dict().items():
        if not value.is_floating_point() or "running" not in key:
            assert torch.equal(value, before[key]), key
    assert not average.model.training
    assert not any(item.requires_grad for item in average.model.parameters())


def test_the_average_is_validated_and_kept(prepared, tmp_path):
    data, settings = Prepared(prepared), small(model="s+l+l", ema=0.9, epochs=1)
    trainer = Trainer(data, settings, Run(tmp_path / "run", data, settings, ALONE))
    trainer.epoch()
    kept = load(tmp_path / "run").model.state_dict()
    mine, averaged = trainer.model.state_dict(), trainer.average.model.state_dict()
    assert any(not torch.equal(mine[name], averaged[name]) for name in mine)
    for name, value in averaged.items():
        torch.testing.assert_close(kept[name], value.half().float() if value.is_floating_point() else value)
    scores = validate(trainer.average.model, trainer.validation)
    assert load(tmp_path / "run").about["validation"] == scores


def test_stopped_and_resumed_it_ends_with_the_same_average(prepared, tmp_path):
    data, settings = Prepared(prepared), small(model="s+l+l", ema=0.9, freeze_epochs=0)
    train(data, settings, tmp_path / "whole")
    stopped(data, settings, tmp_path / "cut")
    train(data, settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")


def test_a_decay_of_one_would_never_learn():
    with pytest.raises(ChefError, match="'ema' must be below 1"):
        small(ema=1.0)


def rates(updates, **values):
    settings = small(epochs=10, **values)
    return [rate_at(update, 10, settings) for update in updates]


def test_step_divides_by_ten():
    assert rates([0, 39, 40, 99], schedule="step", step_epoch=4) == [1.0, 1.0, 0.1, 0.1]


def test_cosine_ends_at_nothing():
    assert rates([0, 50, 100], schedule="cosine") == pytest.approx([1.0, 0.5, 0.0])


def test_warmup_rises():
    assert rates([0, 1, 3, 4, 50], schedule="constant", warmup=4) == [0.25, 0.5, 1.0, 1.0, 1.0]
