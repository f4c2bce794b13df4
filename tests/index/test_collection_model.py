from __future__ import annotations

import os

import pytest

import chef
from chef.bundled import best
from chef.errors import ChefError
from chef.index import Index
from tests.index.small import recipes, write_model


def test_equal_models_have_equal_fingerprints(model, tmp_path):
    same, other = write_model(tmp_path / "a"), write_model(tmp_path / "b", seed=1)
    assert chef.load(model).fingerprint == chef.load(same).fingerprint
    assert chef.load(model).fingerprint != chef.load(other).fingerprint


def test_names(model):
    assert chef.load().name == best()
    assert chef.load("chef-ttl").name == "chef-ttl"
    assert chef.load(os.path.relpath(model)).name == str(model)


def test_a_collection_remembers_its_model_wherever_it_was_loaded(model, tmp_path):
    Index(tmp_path / "c", chef.load(model)).add(recipes())
    assert Index(tmp_path / "c").search(text="toast")[0].id == "toast"


def test_a_model_without_a_name_must_be_given_again(model, tmp_path):
    loaded = chef.load(model)
    loaded.name = ""
    Index(tmp_path / "c", loaded).add(recipes())
    assert Index(tmp_path / "c", loaded).search(text="toast")[0].id == "toast"
    with pytest.raises(ChefError, match="has no name"):
        Index(tmp_path / "c").search(text="toast")


def test_another_model_is_an_error_until_the_collection_is_rebuilt(model, tmp_path):
    other = write_model(tmp_path / "other", seed=1)
    index = Index(tmp_path / "c", model)
    index.add(recipes())
    before = index._catalogue().recipe_vectors.vectors
    with pytest.raises(ChefError, match=r"was made with another model .*chef index rebuild"):
        Index(tmp_path / "c", other)
    reader = Index(tmp_path / "c")
    assert reader.search(text="toast")[0].id == "toast"
    index.rebuild(other)
    assert index.info().model == str(other)
    assert abs(index._catalogue().recipe_vectors.vectors - before).max() > 0.01
    # Who has it open goes over to the new model with it.
    assert reader.search(text="toast")[0].score == pytest.approx(index.search(text="toast")[0].score)
    assert reader.chef.fingerprint == chef.load(other).fingerprint
