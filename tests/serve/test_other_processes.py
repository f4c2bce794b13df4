"""What a service sees of what other processes do to its collection."""

from __future__ import annotations

import shutil

import pytest
import torch

from chef.errors import ChefError
from chef.index import Index
from chef.model.artefact import load, save_artefact
from chef.recipe import Ingredient, Recipe, Step
from chef.serve.service import Service
from chef.serve.settings import ServeSettings

SOUP = Recipe("soup", "Soup", (Ingredient("1 chicken"),), (Step("Simmer the chicken."),))


@pytest.fixture
def place(collection, tmp_path):
    return shutil.copytree(collection, tmp_path / "collection")


@pytest.fixture
def service(place):
    made = Service(Index(place), ServeSettings())
    yield made
    made.close()


@pytest.fixture
def other_model(collection, tmp_path):
    """The collection's model with other weights."""
    made = collection.parent / "made"
    chef = load(made / "model")
    torch.manual_seed(1)
    for weights in chef.model.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    save_artefact(
        tmp_path / "other",
        chef.model,
        made / "words.tsv",
        made / "map.tsv",
        chef.texts.settings,
        {"name": "b"},
    )
    return tmp_path / "other"


def test_what_another_writes_is_found_at_once(service, place):
    before = service.index.version
    Index(place).add([SOUP])
    assert service.index.search(text="soup", k=1)[0].id == "soup"
    assert service.index.version > before
    assert service.entry("soup").recipe.title == "Soup"


def test_it_follows_a_rebuild_with_another_model_and_the_old_one_ends(service, place, other_model):
    service.warm_up()
    thread = service.thread
    Index(place).rebuild(other_model)
    hits = service.index.search(recipe=SOUP, k=24)
    expected = Index(place).search(recipe=SOUP, k=24)
    assert [hit.id for hit in hits] == [hit.id for hit in expected]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=1e-5)
    assert service.thread is not thread
    thread._thread.join(10)
    assert not thread._thread.is_alive()


def test_a_model_that_is_not_here_is_told_until_it_is(service, place, other_model):
    service.warm_up()
    Index(place).rebuild(other_model)
    hidden = other_model.rename(other_model.with_name("hidden"))
    for _ in range(2):  # never the new vectors with the old model
        with pytest.raises(ChefError, match=r"the collection at .* needs another model"):
            service.index.search(recipe=SOUP, k=1)
    with pytest.raises(ChefError):
        service.index.ready()
    hidden.rename(other_model)
    service.index.ready()
    assert service.index.search(recipe=SOUP, k=1)
