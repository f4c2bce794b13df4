import json
from pathlib import Path

import pytest
from PIL import Image

from chef.commands.prepare import doctor


@pytest.fixture
def source(tmp_path: Path) -> Path:
    Image.new("RGB", (200, 200), "white").save(tmp_path / "blank.png")
    recipe = {"title": "Leek soup", "ingredients": ["2 leeks"], "instructions": ["Boil the leeks."]}
    recipe |= {"id": "soup[bold]", "image": "blank.png"}  # the id is not to be read as markup
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
    lines = capfd.readouterr().out.splitlines()
    row = next(line for line in lines if "flat-image" in line)
    assert all(text in row for text in ("1", "placeholder", "soup[bold]"))
    assert lines[-1] == "1 recipes, 1 with a photo: 1 kind of problem."
