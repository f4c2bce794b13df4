"""`chef kitchen`."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from chef.commands.prepare import kitchen
from chef.errors import ChefError

app = typer.Typer()
app.command()(kitchen)


def test_it_writes_a_kitchen(tmp_path: Path):
    done = CliRunner().invoke(app, [str(tmp_path / "k"), "--recipes", "2", "--seed", "5", "--size", "32"])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""  # progress and the closing line go to standard error
    assert len((tmp_path / "k/recipes.jsonl").read_text("utf-8").splitlines()) == 2


def test_a_wrong_folder_is_a_plain_error(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ChefError, match="name a new or empty folder"):
        CliRunner().invoke(app, [str(tmp_path)], catch_exceptions=False)
