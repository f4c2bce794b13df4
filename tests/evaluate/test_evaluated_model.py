from dataclasses import replace

import numpy as np
import pytest
import torch

from chef.evaluate import evaluated_model as module
from chef.evaluate.evaluated_model import Cache, EvaluatedModel
from chef.evaluate.population import open_population
from chef.evaluate.results import CannotDo
from chef.measure.retrieval import summary
from chef.model.artefact import load
from chef.model.encoder import Encoder
from chef.model.tree import RecipeTrees, Tree
from chef.recipe import Recipe, Step
from tests.data.sources import encoded, picture
from tests.evaluate.dishes import dishes, embedded, evaluated, population
from tests.measure.oracle import naive_ranks, naive_scores

VARIANTS = ["t+t+l", "t+t+t", "g+l+l-attention", "s+l+l", "acme"]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(module, "BATCH", 7)  # 20 recipes are three batches


def test_a_model_in_its_place_is_left_alone(monkeypatch):
    """Others may be using it at this moment: a service has one model for all requests."""
    first = evaluated("t+t+l", population(dishes(2)))
    monkeypatch.setattr(type(first.chef.model), "_apply", lambda *_: pytest.fail("the model was moved"))
    monkeypatch.setattr(type(first.chef.model), "train", lambda *_: pytest.fail("the model was changed"))
    again = EvaluatedModel("again", first.chef, first.population)
    np.testing.assert_allclose(again.recipes, first.recipes, atol=1e-6)


@pytest.mark.parametrize("views", [1, 2])
def test_photos_are_in_their_place_as_the_mean_of_their_views(views):
    photos = [encoded(picture(seed=row)) for row in range(20)]
    model = evaluated("s+l+l", replace(population(dishes(20)), photos=photos.__getitem__))
    joint = model.chef.model
    joint.config = replace(joint.config, image_views=views)
    with torch.no_grad():
        for row, photo in enumerate(photos):
            alone = joint.embed_images(joint.tower.transform.evaluate(photo)[None], views=views)[0]
            np.testing.assert_allclose(model.images[row], alone, atol=1e-6)


@pytest.mark.parametrize("variant", ["t+t+l", "t+t+t", "s+t+t"])
def test_trees_are_those_that_the_model_explains(variant):
    model = evaluated(variant, population(dishes(20)))
    for row, recipe in enumerate(model.population.recipes):
        said = model.chef.explain(recipe)
        assert model.trees[row].ingredients == said.tree
        assert model.trees[row].sentences == tuple(step.tree for step in said.steps)
        if variant != "t+t+l":
            numbers = range(1, len(model.texts[row].sentences) + 1)
            assert model.trees[row].instructions.tokens == tuple(map(str, numbers))
    if variant != "s+t+t":
        assert model.ingredient_trees == [kept.ingredients for kept in model.trees]
    assert model.sentence_trees == [list(kept.sentences) for kept in model.trees]


def test_shuffled_lists_are_the_same_ingredients_read_in_another_order():
    model = evaluated("t+t+l", population(dishes(20)))
    shuffled = model.shuffled
    assert shuffled.orders == evaluated("t+t+l", population(dishes(20))).shuffled.orders
    assert any(order != sorted(order) for order in shuffled.orders)
    for text, other, order in zip(model.texts, shuffled.texts, shuffled.orders, strict=True):
        assert other.ingredients == [text.ingredients[place] for place in order]
        assert (other.recipe, other.title, other.sentences) == (text.recipe, text.title, text.sentences)
        assert sorted(order) == list(range(len(order)))
    assert [tree.tokens for tree in shuffled.ingredient_trees] == [
        tuple(text.ingredients) for text in shuffled.texts
    ]
    np.testing.assert_array_equal(shuffled.images, model.images)
    assert not np.allclose(shuffled.recipes, model.recipes, atol=1e-6)


def test_a_model_without_trees_has_none():
    model = evaluated("g+l+l", population(dishes(5)))
    assert model.trees == [RecipeTrees()] * 5
    with pytest.raises(CannotDo, match="reads the ingredients without a tree"):
        _ = model.ingredient_trees
    with pytest.raises(CannotDo, match="reads sentences without trees"):
        _ = model.sentence_trees
    assert model.attention is None


def test_attention_weighs_each_ingredient():
    model = evaluated("g+l+l-attention", population(dishes(20)))
    for text, weights in zip(model.texts, model.attention, strict=True):
        assert len(weights) == len(text.ingredients)
        assert sum(weights) == pytest.approx(1)


@pytest.mark.parametrize("level", ["ingredients", "sentences", "instructions"])
def test_other_trees_are_kept_to_level_by_level_and_recipe_by_recipe(level):
    model = evaluated("t+t+t", population(dishes(20)))

    def left(tree):
        return tuple(map(left, tree)) if isinstance(tree, tuple) else Tree.left(tree.tokens)

    # Every second recipe keeps a left-branching tree at this level, and chooses anew at the others.
    others = [
        RecipeTrees(**{level: left(getattr(kept, level))}) if row % 2 else None
        for row, kept in enumerate(model.trees)
    ]
    found = model.embed(model.texts, others)
    changed = [
        row
        for row, kept in enumerate(model.trees)
        if row % 2 and left(getattr(kept, level)) != getattr(kept, level)
    ]
    same = [row for row in range(20) if row not in changed]
    np.testing.assert_allclose(found[same], model.recipes[same], atol=1e-6)
    assert changed
    assert (np.abs(found[changed] - model.recipes[changed]).max(axis=1) > 1e-6).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_batches_equal_embedding_one_by_one_even_of_empty_recipes(variant):
    empty = Recipe("empty", "", (), ())
    no_steps = replace(dishes(1)[0], id="no-steps", steps=())
    odd = replace(dishes(1)[0], id="odd", steps=(Step("..."), Step("Fry.")))
    model = evaluated(variant, population([*dishes(17), empty, no_steps, odd]))
    alone = [embedded(model, text) for text in model.texts]
    np.testing.assert_allclose(model.recipes, alone, atol=1e-6)
    np.testing.assert_allclose(model.embed(model.texts, model.trees), alone, atol=1e-6)
    np.testing.assert_allclose(model.embed(model.texts), alone, atol=1e-6)
    assert [len(text.sentences) for text in model.texts[-3:]] == [0, 0, 1]
    assert model.embed([]).shape == (0, 24)


def test_batch_norm_in_training_mode_is_caught():
    # A place that depends on who else is there is no place: turned round, the population must give the same.
    among = population(dishes(20))
    turned = replace(
        among,
        ids=among.ids[::-1],
        recipes=among.recipes[::-1],
        photos=lambda row: among.photos(len(among) - 1 - row),
    )
    fair, other = evaluated("acme", among), evaluated("acme", turned)
    np.testing.assert_allclose(fair.images, other.images[::-1], atol=1e-5)
    np.testing.assert_allclose(fair.recipes, other.recipes[::-1], atol=1e-5)
    alone = replace(among, ids=among.ids[:3], recipes=among.recipes[:3], splits=among.splits[:3])
    few = EvaluatedModel("acme", fair.chef, alone)
    np.testing.assert_allclose(few.images, fair.images[:3], atol=1e-5)
    broken = [EvaluatedModel("acme", fair.chef, some, batch_statistics=True) for some in (among, alone)]
    assert np.abs(broken[0].images[:3] - broken[1].images).max() > 0.01
    assert np.abs(broken[0].recipes[:3] - broken[1].recipes).max() > 0.01
    # ... and the model that both share is as it was.
    np.testing.assert_array_equal(EvaluatedModel("acme", fair.chef, among).images, fair.images)


def test_a_model_left_in_training_mode_is_evaluated_all_the_same():
    among = population(dishes(20))
    wanted = evaluated("t+t+l", among)
    chef = evaluated("t+t+l", among).chef
    found = EvaluatedModel("t+t+l", chef.with_encoder(Encoder(chef.model.train(), chef.vocabulary)), among)
    np.testing.assert_allclose(found.recipes, wanted.recipes, atol=1e-6)
    np.testing.assert_allclose(found.images, wanted.images, atol=1e-6)


def test_a_model_with_another_canonical_map_reads_its_own_tokens():
    recipes = dishes(5)
    foreign = [
        recipe.with_ingredients(replace(item, token="something") for item in recipe.ingredients)
        for recipe in recipes
    ]
    among = replace(population(foreign), canonical="of another map")
    assert [text.ingredients for text in evaluated("t+t+l", among).texts] == [
        text.ingredients for text in evaluated("t+t+l", population(recipes)).texts
    ]


def test_prepared_recipes_are_read_as_in_training(prepared, trained):
    model = load(trained("t+t+l"))
    among = open_population(prepared, "test")
    found = EvaluatedModel("t+t+l", model, among)
    np.testing.assert_allclose(found.recipes, model.embed_recipes(among.recipes), atol=1e-6)


def test_retrieval_equals_the_naive_oracle():
    model = evaluated("t+t+l", population(dishes(40)))
    scores = summary(model.retrieval_ranks(seed=0))
    pair = model.images, model.recipes
    for direction, vectors in (("image-to-recipe", pair), ("recipe-to-image", pair[::-1])):
        cell = scores[direction]["full"]
        wanted = naive_scores(naive_ranks(*vectors), (1, 5, 10))
        assert cell.n == 40
        for name in ("medR", "R@1", "R@5", "R@10"):
            assert cell[name] == pytest.approx(wanted[name])


class TestCache:
    def test_a_photo_goes_through_a_tower_once(self, monkeypatch):
        model = evaluated("s+l+l", population(dishes(20)))
        tower = model.chef.model.tower
        seen = []
        features = tower.features
        monkeypatch.setattr(tower, "features", lambda images: seen.append(len(images)) or features(images))
        cache, encoder = Cache(), model.chef.encoder
        few = replace(model.population, ids=model.population.ids[:5])
        first = cache.features(encoder, few)
        whole = cache.features(encoder, model.population)
        again = cache.features(encoder, model.population)
        assert seen == [5, 15]
        assert torch.equal(whole[:5], first)
        assert torch.equal(whole, again)

    def test_another_tower_sees_for_itself(self):
        model = evaluated("s+l+l", population(dishes(5)))
        cache, encoder = Cache(), model.chef.encoder
        before = cache.features(encoder, model.population)
        with torch.no_grad():
            next(iter(model.chef.model.tower.parameters())).mul_(2)
        assert not torch.allclose(cache.features(encoder, model.population), before)
