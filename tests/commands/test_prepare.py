"""`chef prepare`, `chef kitchen` and `chef doctor` as a user runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from chef.commands.prepare import doctor, kitchen
from chef.errors import ChefError
from tests.conftest import cases
from tests.data.sources import canonical_map, recipe, write_source


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kitchen")
    write_source(folder / "source", 12)
    canonical_map().save(folder / "map.tsv")
    return folder


def chef(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chef", "prepare", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_json_is_one_object_and_the_same_again(folder):
    lines = [{**recipe(n), "id": f"more-{n}", "source": "aunt" if n else "uncle"} for n in range(3)]
    (folder / "more.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = (
        "source", "out", "--json", "--canonical", "map.tsv", "--dimension", "8", "--epochs", "1",
        "--texts", "more.jsonl", "--without", "uncle",
    )  # fmt: skip
    first = chef(folder, *arguments)
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (told["recipes"], told["with_image"], sum(told["splits"].values())) == (14, 12, 14)
    assert told["skipped"] == {"source uncle left out": 1}
    assert {"vocabulary", "canonical_ingredients", "image_problems"} <= set(told)
    again = chef(folder, *arguments)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "already prepared" in again.stderr


@pytest.mark.parametrize(("arguments", "told"), cases("commands", "mistakes of prepare"))
def test_mistakes_end_in_one_line_and_code_2(folder, arguments, told):
    result = chef(folder, *arguments)
    assert result.returncode == 2
    *stages, error = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert told in error
    assert stages in ([], ["recipes"])
    assert not (folder / "out2").exists()


app = typer.Typer()
app.command()(kitchen)


def test_a_kitchen_is_written(tmp_path: Path):
    done = CliRunner().invoke(app, [str(tmp_path / "k"), "--recipes", "2", "--seed", "5", "--size", "32"])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""  # progress and the closing line go to standard error
    assert len((tmp_path / "k/recipes.jsonl").read_text("utf-8").splitlines()) == 2


def test_a_wrong_folder_for_a_kitchen_is_a_plain_error(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ChefError, match="name a new or empty folder"):
        CliRunner().invoke(app, [str(tmp_path)], catch_exceptions=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    Image.new("RGB", (200, 200), "white").save(tmp_path / "blank.png")
    recipe = {"title": "Leek soup", "ingredients": ["2 leeks"], "instructions": ["Boil the leeks."]}
    recipe |= {"id": "soup[bold]", "image": "blank.png"}  # the id is not to be read as markup
    (tmp_path / "recipes.jsonl").write_text(json.dumps(recipe) + "\n")
    return tmp_path


def test_the_doctor_prints_one_object(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    doctor(str(source), json=True)
    out, err = capfd.readouterr()
    assert json.loads(out) == {
        "recipes": 1,
        "with_image": 1,
        "splits": {"": 1},
        "problems": [{"kind": "flat-image", "count": 1, "examples": ["soup[bold]"]}],
    }
    assert err == "reading recipes\nlooking at photos (1)\ncomparing texts\n"


def test_the_doctor_has_a_table_for_people(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    doctor(str(source))
    lines = capfd.readouterr().out.splitlines()
    row = next(line for line in lines if "flat-image" in line)
    assert all(text in row for text in ("1", "placeholder", "soup[bold]"))
    assert lines[-1] == "1 recipes, 1 with a photo: 1 kind of problem."
