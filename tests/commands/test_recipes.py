"""`chef explain`, `chef prune` and `chef swap`."""

import json

import pytest

from chef.commands.recipes import explain, prune, swap
from chef.errors import ChefError
from chef.index import Index
from chef.readers import one_recipe
from tests.rewrite.small import SOUP, collection, tiny_chef, write_model


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_model(tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="module")
def index(model, tmp_path_factory):
    """The folder of a small collection."""
    folder = tmp_path_factory.mktemp("swap") / "index"
    Index(folder, model).add(collection())
    return str(folder)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "soup.json"
    path.write_text(json.dumps({key: value for key, value in SOUP.to_json().items() if key != "id"}))
    return str(path)


def test_explain(file, model, capsys):
    explain(file, model=model, json=True)
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"main_ingredient", "main_confidence", "ingredients", "tree", "steps"}
    assert told["main_ingredient"] == tiny_chef().explain(SOUP).main_ingredient
    assert [set(step) for step in told["steps"]] == [{"text", "action", "confidence", "tree"}] * 5
    explain(file, model=model)
    text = capsys.readouterr().out
    assert "mainly " in text
    nearest = min(told["ingredients"], key=lambda leaf: leaf["depth"])["token"].replace("_", " ")
    assert f"the model's tree, {nearest} nearest to its root" in text
    assert "├── " in text


def test_prune(file, model, capsys):
    prune(file, k=2, model=model, json=True)
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"recipe", "removed", "reasons", "note", "tree"}
    assert told["removed"] == []
    prune(file, k=1, model=model)
    text = capsys.readouterr().out
    assert "removed: nothing" in text
    assert told["note"].split(",")[0] in text


def test_a_swap(index, file, capsys, tmp_path):
    out = tmp_path / "beef.json"
    swap(file, "chicken", "beef", index=index, k=3, out=out, json=True)
    result = json.loads(capsys.readouterr().out)
    assert "Step 3: now says when the beef is done." in result["notes"]
    saved = one_recipe(str(out), None)
    assert [step.text for step in saved.steps] == result["recipe"]["instructions"]
    assert saved.id != SOUP.id
    assert result["recipe"]["title"] == "Beef and Rice Soup"
    assert len(result["hits"]) == 3
    fields = {"id", "title", "score", "main_ingredient", "actions", "ingredients", "why"}
    assert fields <= set(result["hits"][0])
    assert result["changed"][0]["before"] == "Chicken and Rice Soup"
    assert result["photos"] == []
    swap(file, "chicken", "beef", index=index, k=2)
    text = capsys.readouterr().out
    assert "Beef and Rice Soup" in text
    assert "recipes near it" in text
    assert "- Step 3: now says when the beef is done." in text


def test_suggestions_for_a_swap(index, file, capsys):
    swap(file, "butter", index=index, k=2, json=True)
    (first, second) = json.loads(capsys.readouterr().out)["suggestions"]
    assert set(first) == {"token", "score", "evidence"}
    assert first["token"] == "olive_oil"
    assert first["score"] >= second["score"]
    swap(file, "butter", index=index, k=20, without=["olive oil, nuts"], diet="vegan")
    text = capsys.readouterr().out
    assert "olive oil" not in text
    assert "ghee" not in text
    assert "in place of butter" in text
    with pytest.raises(ChefError, match="unknown diet 'vegn'"):
        swap(file, "butter", index=index, diet="vegn")


def test_mistakes_of_a_swap(index, file, tmp_path):
    with pytest.raises(ChefError, match="no pork in this recipe"):
        swap(file, "pork", "beef", index=index)
    with pytest.raises(ChefError, match="no collection at"):
        swap(file, "chicken", "beef", index=str(tmp_path / "nowhere"))
