from __future__ import annotations

from pathlib import Path

import pytest

from chef.data.batches import recipe_batch
from chef.data.heaviest import gold
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.model.tree import Tree
from chef.train.loop import train
from chef.train.objectives.main_ingredient import heaviest_places
from tests.train.conftest import small


def test_places_are_those_of_the_heaviest(prepared: Path) -> None:
    split = Prepared(prepared).split("train")
    places = heaviest_places(split).tolist()
    assert any(place >= 0 for place in places)
    for row, place in enumerate(places):
        wanted = gold(split.recipe(row), water=False)
        named = [item.token for item in split.ingredients(row)]
        assert (named[place] if place >= 0 else None) == (wanted if wanted in named else None)


def test_a_taught_run_names_the_heaviest_more_often(prepared: Path, tmp_path: Path) -> None:
    """In the tiny recipes the first ingredient is the heaviest, 500 g of it."""

    data = Prepared(prepared)

    def right(weight: float) -> float:
        settings = small(
            model="t+t+l", loss="infonce", main_weight=weight, epochs=8, learning_rate=3e-3, freeze_epochs=0
        )
        model = load(train(data, settings, tmp_path / str(weight))).model
        split = data.split("train")
        merges = model.trees(recipe_batch([split.tokens(row) for row in range(len(split))])).ingredients
        assert merges is not None
        found = []
        for row, place in enumerate(heaviest_places(split).tolist()):
            names = [str(item.token) for item in split.ingredients(row)]
            tree = Tree.from_merges(names, merges[row, : len(names) - 1].tolist())
            if place >= 0:
                found.append(float(place in tree.shallowest) / len(tree.shallowest))
        return sum(found) / len(found)

    taught, untaught = right(1.0), right(0.0)
    assert taught > 0.9
    assert taught > untaught


def test_a_model_without_a_tree_cannot_be_taught(prepared: Path, tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="without a tree"):
        train(Prepared(prepared), small(model="s+l+l", main_weight=1.0, epochs=1), tmp_path)
