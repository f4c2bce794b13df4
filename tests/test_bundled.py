import shutil

import pytest

import chef
from chef import bundled
from chef.bundled import LICENCE, SOURCE, cookbook, cookbook_digest
from chef.commands.evaluate import _named
from chef.errors import ChefError
from chef.model.artefact import find
from chef.model.registry import variant
from tests.model.test_artefact import prepared, write  # noqa: F401


@pytest.fixture
def models(tmp_path, monkeypatch, prepared):  # noqa: F811
    """A package with both models, tiny ones."""
    write(tmp_path / "models" / "chef-base", prepared, "t+t+l")
    write(tmp_path / "models" / "chef-ttl", prepared, "s+l+l")
    monkeypatch.setattr(bundled, "MODELS", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "models"


def test_the_best_one_without_a_name_and_each_by_its_name(models):
    assert list(bundled.shipped()) == ["chef-base", "chef-ttl"]
    assert chef.load().model.variant == variant("t+t+l")
    assert chef.load("chef-base").model.variant == variant("t+t+l")
    assert chef.load("chef-ttl").model.variant == variant("s+l+l")


def test_a_folder_of_that_name_goes_before_a_bundled_one_but_not_without_a_name(models, tmp_path, prepared):  # noqa: F811
    write(tmp_path / "chef-base", prepared, "s+l+l")
    assert chef.load("chef-base").model.variant == variant("s+l+l")
    assert chef.load().model.variant == variant("t+t+l")


def test_commands_take_the_name_where_they_take_a_folder(models):
    assert _named("chef-ttl")[0] == "chef-ttl"
    assert find(_named("chef-ttl")[1]) == models / "chef-ttl"
    assert _named("best=chef-base")[0] == "best"
    assert _named("run")[0] is None


def test_without_the_first_the_second_is_the_best(models):
    shutil.rmtree(models / "chef-base")
    assert bundled.best() == "chef-ttl"
    assert chef.load().model.variant == variant("s+l+l")


def test_a_model_that_is_not_there_is_one_clear_line(tmp_path, monkeypatch):
    monkeypatch.setattr(bundled, "MODELS", tmp_path / "empty")
    monkeypatch.chdir(tmp_path)
    assert bundled.shipped() == {}
    for name in ("chef-base", "chef-ttl"):
        with pytest.raises(ChefError, match=f"{name} is not in this installation"):
            chef.load(name)
    with pytest.raises(ChefError, match="no model came with this installation"):
        chef.load()
    with pytest.raises(ChefError, match="no model in 'chef-huge'"):
        chef.load("chef-huge")


def test_at_least_240_dishes_of_20_cuisines_each_whole():
    recipes = list(cookbook())
    assert len(recipes) >= 240
    assert len({recipe.id for recipe in recipes}) == len(recipes)
    assert len({recipe.title.casefold() for recipe in recipes}) == len(recipes)
    assert cookbook_digest() == cookbook_digest() != ""
    for recipe in recipes:
        assert recipe.title
        assert len(recipe.ingredients) >= 2, recipe.id
        assert len(recipe.steps) >= 2, recipe.id
        assert recipe.tags, recipe.id
        assert (recipe.source, recipe.licence) == (SOURCE, LICENCE)
