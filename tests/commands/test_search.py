import json

import pytest

from chef.commands.search import search
from chef.errors import ChefError
from chef.food.groups import ALLERGY_NOTICE
from chef.index import Index
from tests.index.small import photo, recipe, recipes, write_model


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    made = Index(folder / "c", write_model(folder / "model"))
    made.add([*recipes(), recipe("odd", "[bold]<b>Odd</b>", ["1 egg"])])
    return str(folder / "c")


def hits(capsys):
    return json.loads(capsys.readouterr().out)["hits"]


def test_json_of_a_photo(index, tmp_path, capsys):
    (tmp_path / "dish.jpg").write_bytes(photo("red"))
    search(str(tmp_path / "dish.jpg"), index=index, k=3, json=True)
    found = hits(capsys)
    assert len(found) == 3
    assert {"id", "title", "score", "main_ingredient", "actions", "ingredients", "why"} <= set(found[0])
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)


def test_words_filters_and_what_i_have(index, capsys):
    search(text="chicken soup", index=index, json=True)
    assert hits(capsys)[0]["id"] == "soup"
    search(with_=["onion, beef"], without=["nuts"], index=index, json=True)
    assert [one["id"] for one in hits(capsys)] == ["curry"]
    search(have=["bread,butter"], tag=[], index=index, k=1, json=True)
    assert hits(capsys)[0]["missing"] == []
    search(tag=["quick"], max_ingredients=3, index=index, json=True)
    assert {one["id"] for one in hits(capsys)} == {"rice", "curry"}


def test_leaving_out_is_no_allergy_advice(index, capsys):
    search(text="soup", without=["nuts"], index=index)
    shown = capsys.readouterr()
    assert ALLERGY_NOTICE in shown.err
    assert "nuts" not in shown.out
    search(text="soup", index=index)
    assert "allergy" not in capsys.readouterr().err


def test_like_a_recipe_in_a_file(index, tmp_path, capsys):
    data = {"title": "Beef Curry", "ingredients": ["500 g beef", "1 can coconut milk", "1 red onion"]}
    (tmp_path / "curry.json").write_text(json.dumps({**data, "instructions": ["Fry all and serve."]}))
    search(recipe=str(tmp_path / "curry.json"), text="beef", weight=["text=0.5"], index=index, json=True)
    assert hits(capsys)[0]["id"] == "curry"


def test_a_line_before_what_is_only_near(index, capsys):
    search(text="chicken soup", index=index, k=6)
    before, after = capsys.readouterr().out.split("only near:")
    assert "Chicken Soup" in before
    assert "hicken" not in after
    search(text="chicken soup", index=index, k=6, json=True)
    assert json.loads(capsys.readouterr().out)["fitting"] == before.count("the title has")
    search(with_=["chicken"], index=index, k=6)
    assert "only near" not in capsys.readouterr().out


def test_a_table_for_people_shows_titles_as_they_are(index, capsys):
    search(text="odd", index=index)
    assert "[bold]<b>Odd</b>" in capsys.readouterr().out
    search(tag=["nobody"], index=index)
    assert "nothing found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "an empty query"),
        ({"photo": "no/such.jpg"}, "no image at no/such.jpg"),
        ({"photo": __file__}, "not an image"),
        ({"text": "x", "weight": ["text"]}, "not a weight: 'text'"),
        ({"with_": ["chikken"]}, "did you mean chicken"),
        ({"recipe": "no/such.json"}, "no such file"),
    ],
)
def test_mistakes_in_one_line(index, given, said):
    with pytest.raises(ChefError, match=said) as caught:
        search(**given, index=index)
    assert "\n" not in str(caught.value)
