from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.train.places import folder, without_places
from tests.train.conftest import small


def test_weights_are_found_by_the_variable(tmp_path, monkeypatch):
    (tmp_path / "tower").mkdir()
    monkeypatch.setenv("CHEF_WEIGHTS", str(tmp_path))
    assert folder("$CHEF_WEIGHTS/tower") == str(tmp_path / "tower")
    assert folder("runs/one") == "runs/one"
    assert folder("") == ""
    with pytest.raises(ChefError, match=r"no folder .*lighthouse"):
        folder("$CHEF_WEIGHTS/lighthouse")
    monkeypatch.delenv("CHEF_WEIGHTS")
    with pytest.raises(ChefError, match="CHEF_WEIGHTS is not set"):
        folder("$CHEF_WEIGHTS/tower")


def test_settings_that_travel_do_not_tell_where_things_lie():
    settings = small(tower="/home/cook/weights/tower", distill="/home/cook/one, runs/two").to_json()
    told = without_places(settings)
    assert told["tower"] == "tower"
    assert told["distill"] == "one,runs/two"
    assert {name: value for name, value in told.items() if name not in ("tower", "distill")} == {
        name: value for name, value in settings.items() if name not in ("tower", "distill")
    }
    assert without_places(small(tower="$CHEF_WEIGHTS/tower").to_json())["tower"] == "$CHEF_WEIGHTS/tower"
