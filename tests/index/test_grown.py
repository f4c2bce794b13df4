"""A catalogue that follows the writes of others must equal one that is read anew."""

from dataclasses import replace

import numpy as np
import pytest

from chef.index import Index, grown
from chef.index.tidy import tidy
from tests.index.small import SPACE, photo, recipe, recipes

FOODS = ["chicken", "rice", "onion", "butter", "eggs", "walnuts", "beef", "tomatoes"]


def more(generator: np.random.Generator, number: int) -> list:
    found = []
    for one in range(number):
        lines = [f"1 cup {food}" for food in generator.choice(FOODS, 3, replace=False)]
        id, word = f"r{generator.integers(90)}", ["Soup", "Salad", "Stew"][one % 3]
        found.append(recipe(id, f"{lines[0][6:]} {word}", lines, tags=("quick",) if one % 2 else ()))
    return list({one.id: one for one in found}.values())


def answers(index: Index) -> list:
    vector = np.random.default_rng(1).standard_normal(SPACE)
    asked = [
        {"vector": vector},
        {"vector": vector, "without": ["onion"], "tags": ["quick"]},
        {"text": "chicken soup"},
        {"text": "rice", "with_": ["rice"], "max_ingredients": 3},
        {"pantry": ["eggs", "butter"]},
        {"main": "beef"},
        {"without": ["dairy"]},
    ]
    hits = [[(hit.id, round(hit.score, 5), hit.why) for hit in index.search(**one, k=99)] for one in asked]
    near = [(hit.id, round(hit.score, 5)) for hit in index.near_photos(vector, k=99)]
    tokens, _, tags = index.vocabulary()
    return [*(sorted(one, key=lambda hit: (-hit[1], hit[0])) for one in hits), near, tokens, tags]


def test_a_catalogue_that_grew_equals_one_that_is_read_anew(model, tmp_path, monkeypatch):
    monkeypatch.setattr(grown, "EXACT", 0)
    monkeypatch.setattr(grown, "_SHARE", 2)
    generator, where = np.random.default_rng(0), tmp_path / "c"
    writer = Index(where, model)
    writer.add([*recipes(), *more(generator, 60)])
    follower = Index(where, model, create=False)
    answers(follower)
    base = follower._catalogue()
    picture = tmp_path / "red.jpg"
    picture.write_bytes(photo("red"))
    steps = [
        lambda: writer.add(more(generator, 2)),
        lambda: writer.remove("soup"),
        lambda: writer.add([replace(recipes()[0], title="Chicken Soup again", images=(str(picture),))]),
        lambda: writer._store.table.optimize(),  # joins the files: every row has another number
        lambda: writer.remove("cake", "soup"),
        lambda: (writer.add(more(generator, 3)), tidy(writer._store, now=True)),
        lambda: writer.add([replace(recipes()[2], title="Walnut Cake again")]),
    ]
    for number, step in enumerate(steps):
        step()
        assert answers(follower) == answers(Index(where, model, create=False)), number
        assert follower._catalogue().old is base, number  # nothing else was read
        assert [entry.id for entry in follower.entries()] == sorted(writer._store.digests()), number


@pytest.mark.parametrize("name", ["EXACT", "_SHARE"])
def test_a_small_one_and_one_of_which_little_is_left_are_read_anew(model, tmp_path, monkeypatch, name):
    monkeypatch.setattr(grown, "EXACT", 0)
    monkeypatch.setattr(grown, "_SHARE", 2)
    monkeypatch.setattr(grown, name, 1000)
    index = Index(tmp_path / "c", model)
    index.add(recipes()[:3])
    assert len(index.search(text="soup")) == 3
    index.add(recipes())
    assert len(index.search(text="soup")) == 6
    assert not isinstance(index._catalogue(), grown.GrownCatalogue)
