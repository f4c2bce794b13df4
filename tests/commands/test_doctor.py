from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from chef.commands.doctor import doctor
from chef.errors import ChefError


@pytest.fixture
def source(tmp_path: Path) -> Path:
    Image.new("RGB", (200, 200), "white").save(tmp_path / "blank.png")
    recipe = {
        "id": "soup[bold]",  # not to be read as markup
        "title": "Leek soup",
        "ingredients": ["2 leeks"],
        "instructions": ["Boil the leeks."],
        "image": "blank.png",
    }
    (tmp_path / "recipes.jsonl").write_text(json.dumps(recipe) + "\n")
    return tmp_path


def test_json_is_one_object_on_standard_output(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    doctor(str(source), json=True)
    out, err = capfd.readouterr()
    assert json.loads(out) == {
        "recipes": 1,
        "with_image": 1,
        "splits": {"": 1},
        "problems": [{"kind": "flat-image", "count": 1, "examples": ["soup[bold]"]}],
    }
    assert err == "reading recipes\nlooking at photos (1)\ncomparing texts\n"


def test_a_table_for_people(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    doctor(str(source))
    out, _ = capfd.readouterr()
    row = next(line for line in out.splitlines() if "flat-image" in line)
    assert "1" in row
    assert "placeholder" in row
    assert "soup[bold]" in row
    assert out.splitlines()[-1] == "1 recipes, 1 with a photo: 1 kind of problem."


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="no recipe could be read"):
        doctor(str(tmp_path))
