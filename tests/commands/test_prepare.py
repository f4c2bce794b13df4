"""`chef prepare` as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import cases
from tests.data.sources import canonical_map, recipe, write_source


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kitchen")
    write_source(folder / "source", 12)
    canonical_map().save(folder / "map.tsv")
    return folder


def chef(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chef", "prepare", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_json_is_one_object_and_the_same_again(kitchen):
    lines = [{**recipe(n), "id": f"more-{n}", "source": "aunt" if n else "uncle"} for n in range(3)]
    (kitchen / "more.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = (
        "source", "out", "--json", "--canonical", "map.tsv", "--dimension", "8", "--epochs", "1",
        "--texts", "more.jsonl", "--without", "uncle",
    )  # fmt: skip
    first = chef(kitchen, *arguments)
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (told["recipes"], told["with_image"], sum(told["splits"].values())) == (14, 12, 14)
    assert told["skipped"] == {"source uncle left out": 1}
    assert {"vocabulary", "canonical_ingredients", "image_problems"} <= set(told)
    again = chef(kitchen, *arguments)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "already prepared" in again.stderr


@pytest.mark.parametrize(("arguments", "told"), cases("commands", "mistakes of prepare"))
def test_mistakes_end_in_one_line_and_code_2(kitchen, arguments, told):
    result = chef(kitchen, *arguments)
    assert result.returncode == 2
    *stages, error = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert told in error
    assert stages in ([], ["recipes"])
    assert not (kitchen / "out2").exists()
