from pathlib import Path

import numpy as np
import pytest
import torch

from chef.data.prepared import Prepared
from chef.model.artefact import load
from chef.model.registry import models
from chef.model.words import load_words
from chef.train.loop import train
from tests.train.conftest import assert_resumes, new_trainer, small

QUICK = ["s+l+l", "acme", "h-t", "chef-base"]
VARIANTS = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in models()]


@pytest.mark.parametrize("name", VARIANTS)
def test_trains_resumes_and_loads(prepared_with_texts, words, tmp_path, name):
    data = Prepared(prepared_with_texts)
    settings = small(model=name, epochs=1, freeze_epochs=0, words=words)
    assert_resumes(data, settings, tmp_path)
    chef = load(tmp_path / "cut")
    assert chef.model.config.variant == name
    points = chef.embed_recipes([data.split("test").recipe(0)])
    assert points.shape == (1, 24)
    assert np.linalg.norm(points) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    "values", [{"model": "h-t"}, {"model": "t+t+l", "loss": "infonce", "text_weight": 0.5}]
)
def test_recipes_without_a_photo_are_learned_from(prepared_with_texts, tmp_path, monkeypatch, values):
    data, settings = Prepared(prepared_with_texts), small(**values)
    trainer = new_trainer(data, settings, tmp_path / "run")
    batch, texts = next(trainer._load(0, 0))
    seen, encode = [], trainer.model.encode_recipes

    def spy(recipes, **given):
        seen.append(recipes)
        return encode(recipes, **given)

    monkeypatch.setattr(trainer.model, "encode_recipes", spy)
    trainer._step(batch, texts)
    assert [len(recipes) for recipes in seen] == [len(batch), settings.batch]


@pytest.mark.parametrize(("name", "kept"), [("afternoon", True), ("minilm-trees", False)])
def test_the_afternoons_words_stay_as_they_are(prepared_with_texts, words, tmp_path, name, kept):
    data = Prepared(prepared_with_texts)
    train(data, small(model=name, epochs=1, freeze_epochs=0, words=words), tmp_path / "run")
    before = load_words(Path(words), data.vocabulary).state_dict()
    after = load(tmp_path / "run").model.recipe.words.state_dict()
    assert before.keys() == after.keys()
    assert torch.equal(before["table"], after["table"])
    assert torch.equal(before["layers.1.first.weight"], after["layers.1.first.weight"]) is kept
    pieces = [folder / "pieces.tsv" for folder in (tmp_path / "run" / "best", Path(words))]
    assert pieces[0].read_bytes() == pieces[1].read_bytes()


@pytest.mark.parametrize(("model", "part_of"), [("minilm-trees", "words"), ("chef-base", "context")])
def test_minilm_at_a_rate_of_its_own(prepared_with_texts, words, tmp_path, model, part_of):
    data = Prepared(prepared_with_texts)
    settings = small(model=model, words=words, words_rate=0.25, tower_rate=0.5)
    trainer = new_trainer(data, settings, tmp_path / "run")
    groups = trainer.optimizer.param_groups
    shares = {id(item): group["share"] for group in groups for item in group["params"]}
    for name, item in trainer.both.named_parameters():
        wanted = {"tower": 0.5, f"recipe.{part_of}": 0.25}
        part = next((part for part in wanted if name.startswith(f"model.{part}.")), None)
        assert shares.pop(id(item)) == wanted.get(part, 1.0), name
    assert not shares
