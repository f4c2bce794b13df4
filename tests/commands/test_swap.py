from __future__ import annotations

import json

import pytest

from chef.commands.swap import swap
from chef.errors import ChefError
from chef.index import Index
from tests.rewrite.small import SOUP, collection, write_model


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """The folder of a small collection."""
    folder = tmp_path_factory.mktemp("swap")
    Index(folder / "index", write_model(folder)).add(collection())
    return str(folder / "index")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "soup.json"
    path.write_text(json.dumps({key: value for key, value in SOUP.to_json().items() if key != "id"}))
    return str(path)


def test_json_of_a_swap(index, file, capsys):
    swap(file, "chicken", "beef", index=index, k=3, json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["recipe"]["title"] == "Beef and Rice Soup"
    assert len(told["hits"]) == 3
    assert {"id", "title", "score", "main_ingredient", "actions", "ingredients", "why"} <= set(
        told["hits"][0]
    )
    assert told["changed"][0]["before"] == "Chicken and Rice Soup"
    assert told["photos"] == []


def test_json_of_suggestions(index, file, capsys):
    swap(file, "butter", index=index, k=2, json=True)
    (first, second) = json.loads(capsys.readouterr().out)["suggestions"]
    assert set(first) == {"token", "score", "evidence"}
    assert first["token"] == "margarine"
    assert first["score"] >= second["score"]


def test_for_people(index, file, capsys):
    swap(file, "chicken", "beef", index=index, k=2)
    text = capsys.readouterr().out
    assert "Beef and Rice Soup" in text
    assert "recipes near it" in text
    swap(file, "butter", index=index, k=2)
    assert "in place of butter" in capsys.readouterr().out


def test_mistakes(index, file, tmp_path):
    with pytest.raises(ChefError, match="no pork in this recipe"):
        swap(file, "pork", "beef", index=index)
    with pytest.raises(ChefError, match="no collection at"):
        swap(file, "chicken", "beef", index=str(tmp_path / "nowhere"))
