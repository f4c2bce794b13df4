import pytest
import torch

from chef.data.prepared import Prepared
from chef.model.artefact import load
from chef.train.evaluate import validate
from chef.train.optimizer import Average, rate_at
from tests.train.conftest import new_trainer, small
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
    trainer = new_trainer(data, settings, tmp_path / "run")
    trainer.epoch()
    kept = load(tmp_path / "run").model.state_dict()
    mine, averaged = trainer.model.state_dict(), trainer.average.model.state_dict()
    assert any(not torch.equal(mine[name], averaged[name]) for name in mine)
    for name, value in averaged.items():
        torch.testing.assert_close(kept[name], value.half().float() if value.is_floating_point() else value)
    scores = validate(trainer.average.model, trainer.validation)
    assert load(tmp_path / "run").about["validation"] == scores


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ({"schedule": "step", "step_epoch": 4}, {0: 1.0, 39: 1.0, 40: 0.1, 99: 0.1}),
        ({"schedule": "cosine"}, {0: 1.0, 50: 0.5, 100: 0.0}),
        ({"schedule": "constant", "warmup": 4}, {0: 0.25, 1: 0.5, 3: 1.0, 4: 1.0, 50: 1.0}),
    ],
)
def test_learning_rate_schedules(schedule, rates):
    settings = small(epochs=10, **schedule)
    assert {update: rate_at(update, 10, settings) for update in rates} == pytest.approx(rates)
