import json

import pytest
from grid import read_grid

from chef.errors import ChefError
from chef.model.registry import peers, variants
from tests.conftest import ROOT

GOOD = {"data": {"name": "k", "kitchen": {"recipes": 10}}, "models": ["t+t+l", "s+l+l"], "seeds": [0]}


@pytest.fixture
def read(tmp_path):
    """Reads a grid of these values."""

    def read(values):
        (tmp_path / "grid.json").write_text(json.dumps(values))
        return read_grid(tmp_path / "grid.json")

    return read


OTHERS = ("base", "ladder", "trees")  # read by scripts of their own
GRIDS = [file for file in sorted((ROOT / "experiments").glob("*.json")) if file.stem not in OTHERS]


@pytest.mark.parametrize("file", GRIDS, ids=lambda file: file.stem)
def test_our_grids_can_be_read(monkeypatch, file):
    for name in ("CHEF_DATA", "CHEF_WEIGHTS", "RECIPE1M"):
        monkeypatch.setenv(name, "somewhere")
    grid = read_grid(file)
    assert len(grid.seeds) >= 2
    assert file.stem != "recipe1m" or set(grid.models) == {*variants(), *peers()}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"modles": []}, "did you mean 'models'"),
        ({"models": []}, "lacks 'models'"),
        ({"models": ["t+t+x"]}, "no model variant"),
        ({"seeds": ["one"]}, "whole numbers"),
        ({"data": {"kitchen": {"recipes": 10}}}, "no name"),
        ({"data": {"name": "../k", "kitchen": {}}}, "no name"),
        ({"data": {"name": "k", "kitchen": {}, "source": "x"}}, "not one thing"),
        ({"data": {"name": "k", "source": "$NO_SUCH_NAME/x"}}, "NO_SUCH_NAME is not set"),
        ({"tower": "${NO_SUCH_NAME}/x"}, "NO_SUCH_NAME is not set"),
        ({"tower": {"data": {"name": "k", "source": "other"}}}, "two data of the grid are called 'k'"),
        ({"tower": {"setings": {}}}, "did you mean 'settings'"),
        ({"tower": {"settings": {"bacth": 3}}}, "did you mean 'batch'"),
        ({"settings": {"epochs": "many"}}, "takes a int"),
        ({"settings": {"seed": 3}}, "does not belong"),
        ({"settings-of": {"s+l+l": {"bacth": 3}}}, "did you mean 'batch'"),
        ({"settings-of": {"g+l+l": {}}}, "unknown name 'g\\+l\\+l'"),
        ({"evaluate": {"tasks": ["cooking"]}}, "no task 'cooking'"),
        ({"evaluate": {"attention-model": "g+l+l-attention"}}, "no model of the grid"),
        ({"evaluate": {"attention-model": "t+t+l"}}, "has no attention"),
        ({"evaluate": {"queries-from": "s+l+l"}}, "has no ingredient trees"),
    ],
)
def test_a_mistake_is_said_before_anything_is_trained(read, monkeypatch, change, said):
    monkeypatch.delenv("NO_SUCH_NAME", raising=False)
    with pytest.raises(ChefError, match=said.replace("$", r"\$")):
        read({**GOOD, **change})


def test_what_is_no_grid_is_said_too(read, tmp_path):
    with pytest.raises(ChefError, match="no such grid"):
        read_grid(tmp_path / "nothing.json")
    (tmp_path / "half.json").write_text("{")
    with pytest.raises(ChefError, match="cannot read the grid"):
        read_grid(tmp_path / "half.json")
    with pytest.raises(ChefError, match="not a JSON object"):
        read([])
