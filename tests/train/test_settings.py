from __future__ import annotations

import json

import pytest

from chef.errors import ChefError
from chef.train.settings import TrainSettings, make_settings, parse_assignments, read_settings


def test_an_unknown_name_is_an_error_that_suggests_the_right_one():
    with pytest.raises(ChefError, match=r"unknown setting 'bacth' .did you mean 'batch'"):
        make_settings({"bacth": 32})


@pytest.mark.parametrize(
    "values", [{"batch": 1}, {"margin": "wide"}, {"miner": "none"}, {"precision": "int8"}, {"epochs": 0}]
)
def test_a_wrong_value_names_the_setting(values):
    with pytest.raises(ChefError, match=f"setting '{next(iter(values))}'"):
        make_settings(values)


def test_a_crop_fits_into_the_photo():
    assert make_settings({"image_size": 320, "image_crop": 256}).image_crop == 256
    for values in ({"image_crop": 256}, {"image_size": 224, "image_crop": 256}):
        with pytest.raises(ChefError, match="256 pixels cannot be cut out of"):
            make_settings(values)


def test_settings_survive_their_file(tmp_path):
    settings = make_settings({"batch": 32, "schedule": "cosine"})
    (tmp_path / "settings.json").write_text(json.dumps(settings.to_json()))
    assert make_settings(read_settings(tmp_path / "settings.json")) == settings


def test_assignments():
    values = parse_assignments(["batch=64", "schedule=cosine", "intra_modal=true", "margin=0.2"])
    assert values == {"batch": 64, "schedule": "cosine", "intra_modal": True, "margin": 0.2}
    with pytest.raises(ChefError, match="write --set name=value"):
        parse_assignments(["batch"])


def test_every_setting_has_the_papers_default():
    paper = TrainSettings()
    assert (paper.margin, paper.batch, paper.learning_rate, paper.freeze_epochs) == (0.3, 160, 1e-4, 20)


def test_a_loss_is_not_asked_of_a_peer_that_has_its_own():
    assert make_settings({"model": "h-t", "batch": 8}).model == "h-t"
    with pytest.raises(ChefError, match="setting 'margin' does not apply to h-t"):
        make_settings({"model": "H-T", "margin": 0.2})
    with pytest.raises(ChefError, match="no model variant 'h-tt'"):
        make_settings({"model": "h-tt"})


@pytest.mark.parametrize("name", ["chef-base", "afternoon"])
def test_a_model_with_minilm_says_where_to_get_one(name):
    with pytest.raises(ChefError, match=rf"{name} reads words with MiniLM \(set words=FOLDER"):
        make_settings({"model": name})
    assert make_settings({"model": name, "words": "minilm"}).words == "minilm"
    assert make_settings({"model": "t+t+l", "words": "minilm"}).model == "t+t+l"  # which has no use for it
