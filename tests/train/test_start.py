from pathlib import Path

import numpy as np
import pytest
import torch

from chef.data.prepared import Prepared, Reread
from chef.errors import ChefError
from chef.model.artefact import load
from chef.train.loop import Trainer, train
from chef.train.run import Run
from chef.train.settings import make_settings
from chef.train.start import DEFAULTS, build_model, check_enough, narrowed, settings_for, start_from
from tests.tiny import write_prepared
from tests.train.conftest import ALONE, assert_equal, read_log, small

QUICK = {"epochs": 2, "batch": 12}


@pytest.fixture(scope="module")
def trained(prepared, tmp_path_factory) -> Path:
    run = tmp_path_factory.mktemp("trained") / "run"
    train(Prepared(prepared), small(model="t+l+l", loss="infonce", epochs=2, dropout=0.1), run)
    return run


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> Path:
    """Prepared data of somebody else: 40 recipes, another vocabulary."""
    return write_prepared(tmp_path_factory.mktemp("own"), recipes=40)


def test_the_model_decides_its_shape_and_the_defaults_are_careful(trained):
    settings = make_settings(settings_for(str(trained), {"epochs": 3}))
    assert (settings.model, settings.hidden, settings.dropout) == ("t+l+l", 12, 0.1)
    assert (settings.loss, settings.epochs) == ("infonce", 3)
    assert settings.learning_rate == DEFAULTS["learning_rate"]
    with pytest.raises(ChefError, match="setting 'hidden' cannot be 600"):
        settings_for(str(trained), {"hidden": 600})


def test_the_data_are_encoded_with_the_models_vocabulary(trained, own, prepared):
    _, data = start_from(str(trained), Prepared(own))
    assert isinstance(data, Reread)
    assert data.vocabulary == load(trained).vocabulary != Prepared(own).vocabulary
    split, before = data.split("train"), Prepared(own).split("train")
    words, theirs = data.vocabulary.words, Prepared(own).vocabulary.words
    for i in range(len(split)):  # the same words, differently numbered
        numbers = zip(split.tokens(i)["title"], before.tokens(i)["title"], strict=True)
        assert all(words[mine] == theirs[its] for mine, its in numbers)
    assert any(split.tokens(i)["title"] != before.tokens(i)["title"] for i in range(len(split)))
    assert not isinstance(start_from(str(trained), Prepared(prepared))[1], Reread)


def test_a_fine_tuned_model_reads_as_the_first_and_is_no_worse_on_validation(trained, own, tmp_path):
    settings = make_settings(settings_for(str(trained), QUICK))
    train(Prepared(own), settings, tmp_path / "run")
    log = read_log(tmp_path / "run")
    assert [line["epoch"] for line in log] == [0, 1, 2]
    assert "loss" not in log[0]
    assert log[1]["loss"] > 0
    best = load(tmp_path / "run")
    assert best.about["validation"]["score"] == max(line["score"] for line in log)
    folders = (trained / "best", tmp_path / "run" / "best")
    for name in ("vocabulary.tsv", "canonical.tsv"):
        assert len({(folder / name).read_bytes() for folder in folders}) == 1
    recipe = Prepared(own).split("test").recipe(0)
    assert best.embed_recipes([recipe]).shape == (1, 24)


def test_before_its_first_step_it_is_the_model_it_starts_from(trained, own, tmp_path):
    settings = make_settings(settings_for(str(trained), QUICK))
    model, data = start_from(str(trained), Prepared(own))
    trainer = Trainer(data, settings, Run(tmp_path / "run", data, settings, ALONE), model)
    trainer.resume()
    recipes = [data.split("val").recipe(i) for i in range(3)]
    before, kept = (load(place).embed_recipes(recipes) for place in (trained, tmp_path / "run"))
    np.testing.assert_allclose(before, kept, atol=1e-6)
    assert trainer.model.tower.pretrained
    assert all(value.dtype == torch.float32 for value in trainer.model.parameters())
    trainer.epoch()
    assert trainer.model.tower.frozen  # heads and encoders first


def test_stopped_and_run_again_it_ends_with_the_same_bits(trained, own, tmp_path):
    settings = make_settings(settings_for(str(trained), {**QUICK, "ema": 0.9}))
    train(Prepared(own), settings, tmp_path / "whole")
    model, data = start_from(str(trained), Prepared(own))
    trainer = Trainer(data, settings, Run(tmp_path / "cut", data, settings, ALONE), model)
    trainer.resume()
    trainer.epoch()
    train(Prepared(own), settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")
    assert read_log(tmp_path / "whole") == read_log(tmp_path / "cut")


def test_few_pairs_give_a_warning_and_very_few_an_error():
    said: list[str] = []
    check_enough(50, said.append)
    assert not said
    check_enough(49, said.append)
    assert "only 49 training pairs" in said[0]
    with pytest.raises(ChefError, match="7 training pairs are too few"):
        check_enough(7, said.append)


def test_photos_of_another_size(prepared, tmp_path, chef_weights):
    tower = str(chef_weights / "food-mobilenet")
    model = build_model(Prepared(prepared), small(tower=tower, image_size=320, image_crop=256))
    assert (model.tower.transform.size, model.tower.transform.crop) == (320, 256)
    assert model.config.tower == model.tower.description
    assert build_model(Prepared(prepared), small(tower=tower)).tower.transform.crop == 192
    with pytest.raises(ChefError, match="small-cnn takes photos of one size"):
        build_model(Prepared(prepared), small(image_size=320))


def test_word_vectors_are_narrowed_to_their_principal_components():
    random = np.random.default_rng(0)
    plane = random.normal(size=(50, 2)) @ random.normal(size=(2, 7))
    vectors = narrowed(plane, 2)
    centred = plane - plane.mean(0)
    assert vectors.shape == (50, 2)
    np.testing.assert_allclose(vectors @ vectors.T, centred @ centred.T, atol=1e-9)  # nothing is lost
    assert vectors[:, 0].var() > vectors[:, 1].var()
    assert narrowed(plane, 7) is plane


def test_a_fine_tuned_model_keeps_its_querybank(prepared, own, tmp_path):
    first = train(Prepared(prepared), small(model="s+l+l", epochs=1, querybank=9), tmp_path / "first")
    settings = make_settings(settings_for(str(first), {"epochs": 1, "batch": 12}))
    second = load(train(Prepared(own), settings, tmp_path / "second")).model
    kept = load(first).model.querybank
    for name, points in second.querybank.state_dict().items():
        assert torch.equal(points, kept.state_dict()[name]), name
