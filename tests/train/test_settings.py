import json

import pytest

from chef.errors import ChefError
from chef.train.settings import (
    WEIGHTS,
    make_settings,
    parse_assignments,
    presets,
    read_preset,
    read_settings,
    resolve_folder,
    without_paths,
)
from tests.train.conftest import small


def test_an_unknown_name_is_an_error_that_suggests_the_right_one():
    with pytest.raises(ChefError, match=r"unknown setting 'bacth' .did you mean 'batch'"):
        make_settings({"bacth": 32})


@pytest.mark.parametrize(
    "values",
    [{"batch": 1}, {"margin": "wide"}, {"miner": "none"}, {"precision": "int8"}, {"epochs": 0}, {"ema": 1.0}],
)
def test_a_wrong_value_names_the_setting(values):
    with pytest.raises(ChefError, match=f"setting '{next(iter(values))}'"):
        make_settings(values)


def test_a_crop_fits_into_the_photo():
    assert make_settings({"image_size": 320, "image_crop": 256}).image_crop == 256
    for values in ({"image_crop": 256}, {"image_size": 224, "image_crop": 256}):
        with pytest.raises(ChefError, match="256 pixels cannot be cropped from"):
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


def test_a_loss_is_not_asked_of_a_peer_that_has_its_own():
    assert make_settings({"model": "h-t", "batch": 8}).model == "h-t"
    with pytest.raises(ChefError, match="setting 'margin' does not apply to h-t"):
        make_settings({"model": "H-T", "margin": 0.2})
    with pytest.raises(ChefError, match="no model variant 'h-tt'"):
        make_settings({"model": "h-tt"})


@pytest.mark.parametrize("name", ["chef-base", "afternoon"])
def test_a_model_with_minilm_says_where_to_get_one(name):
    with pytest.raises(ChefError, match=rf"{name} needs a MiniLM \(set words=FOLDER"):
        make_settings({"model": name})
    assert make_settings({"model": name, "words": "minilm"}).words == "minilm"
    assert make_settings({"model": "t+t+l", "words": "minilm"}).model == "t+t+l"  # which ignores it


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """Folders of all weights that a preset names, empty."""
    for entry in presets().values():
        for value in entry["settings"].values():
            if isinstance(value, str) and value.startswith(f"${WEIGHTS}/"):
                (tmp_path / value.partition("/")[2]).mkdir(exist_ok=True)
    monkeypatch.setenv(WEIGHTS, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_a_set_of_settings_without_absolute_paths(weights, name):
    settings = make_settings(read_preset(name))
    assert settings.seed == 0
    assert presets()[name]["about"]
    assert str(weights) not in json.dumps(settings.to_json())


def test_an_unknown_preset_and_missing_weights_are_one_line(tmp_path, monkeypatch):
    with pytest.raises(ChefError, match=r"no preset 'chef-tll' .did you mean 'chef-ttl'"):
        read_preset("chef-tll")
    monkeypatch.setenv(WEIGHTS, str(tmp_path))
    for name in ("chef-base", "chef-ttl"):  # the bundled models
        settings = make_settings(read_preset(name))
        with pytest.raises(ChefError, match=r"no folder .*"):
            resolve_folder(settings.tower)
    # Weights of one's own in their place: the preset's need not be there.
    own = {"tower": "small-cnn", "image_size": 0, "image_crop": 0}
    assert make_settings({**read_preset("chef-ttl"), **own}).tower == "small-cnn"


def test_weights_are_found_by_the_variable(tmp_path, monkeypatch):
    (tmp_path / "tower").mkdir()
    monkeypatch.setenv("CHEF_WEIGHTS", str(tmp_path))
    assert resolve_folder("$CHEF_WEIGHTS/tower") == str(tmp_path / "tower")
    assert resolve_folder("runs/one") == "runs/one"
    assert resolve_folder("") == ""
    with pytest.raises(ChefError, match=r"no folder .*lighthouse"):
        resolve_folder("$CHEF_WEIGHTS/lighthouse")
    monkeypatch.delenv("CHEF_WEIGHTS")
    with pytest.raises(ChefError, match="CHEF_WEIGHTS is not set"):
        resolve_folder("$CHEF_WEIGHTS/tower")


def test_settings_that_travel_have_no_absolute_paths():
    settings = small(tower="/home/cook/weights/tower", words="runs/two").to_json()
    shortened = without_paths(settings)
    assert shortened == {**settings, "tower": "tower"}
    assert without_paths(small(tower="$CHEF_WEIGHTS/tower").to_json())["tower"] == "$CHEF_WEIGHTS/tower"
