from __future__ import annotations

import json

import pytest

from chef.errors import ChefError
from chef.train.places import VARIABLE
from chef.train.preset import preset, presets
from chef.train.settings import make_settings


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """Folders of all weights that a preset names, empty."""
    for entry in presets().values():
        for value in entry["settings"].values():
            if isinstance(value, str) and value.startswith(f"${VARIABLE}/"):
                (tmp_path / value.partition("/")[2]).mkdir(exist_ok=True)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_a_set_of_settings_that_names_no_place(weights, name):
    settings = make_settings(preset(name))
    assert settings.seed == 0
    assert presets()[name]["about"]
    assert str(weights) not in json.dumps(settings.to_json())


def test_shipped_models_have_a_preset():
    assert {"chef-base", "chef-ttl"} <= set(presets())


def test_an_unknown_name_and_missing_weights_are_one_line(tmp_path, monkeypatch):
    with pytest.raises(ChefError, match=r"no preset 'chef-tll' .did you mean 'chef-ttl'"):
        preset("chef-tll")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(ChefError, match=r"no folder .*food-mobilenet"):
        preset("chef-ttl")
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ChefError, match="CHEF_WEIGHTS is not set"):
        preset("chef-ttl")
