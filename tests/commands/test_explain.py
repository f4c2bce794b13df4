from __future__ import annotations

import json

import pytest

from chef.commands.explain import explain
from tests.rewrite.small import SOUP, tiny_chef, write_model


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "soup.json"
    path.write_text(json.dumps(SOUP.to_json()))
    return str(path)


@pytest.fixture
def model(tmp_path):
    return str(write_model(tmp_path / "model"))


def test_json(file, model, capsys):
    explain(file, model=model, json=True)
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"main_ingredient", "ingredients", "tree", "steps"}
    assert told["main_ingredient"] == tiny_chef().explain(SOUP).main_ingredient
    assert [set(step) for step in told["steps"]] == [{"text", "action", "tree"}] * 5


def test_for_people(file, model, capsys):
    explain(file, model=model)
    text = capsys.readouterr().out
    assert "mainly " in text
    assert "├── " in text
