from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from chef.data.batches import recipe_batch
from chef.errors import ChefError
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig, ours, peers
from chef.model.tree import Tree
from tests.model.small_words import config_of, fill_table
from tests.model.test_recipe_encoder import numbers

SMALL = ModelConfig("t+t+l", 30, {"kind": "small-cnn", "size": 32}, word=6, hidden=8, space=16)


def test_a_photo_can_be_the_mean_with_its_mirror_image() -> None:
    torch.manual_seed(0)
    model = JointModel(replace(SMALL, image_views=2)).eval()
    images = torch.randn(5, 3, 32, 32)
    plain, mirrored = (model.embed_images(x, views=1) for x in (images, images.flip(3)))
    wanted = torch.nn.functional.normalize((plain + mirrored) / 2, dim=1)
    torch.testing.assert_close(model.embed_images(images), wanted)
    assert not torch.allclose(plain, wanted, atol=1e-5)
    torch.testing.assert_close(model.embed_images(images.flip(3)), wanted)
    features = model.tower.features(images)  # of one view: there is no other to take the mean with
    torch.testing.assert_close(model.embed_images(features), plain)
    once = JointModel(SMALL).eval()
    once.load_state_dict(model.state_dict())
    torch.testing.assert_close(once.embed_images(images), plain)
    torch.testing.assert_close(once.embed_images(images, views=2), wanted)


def test_a_frozen_tower_learns_nothing_and_keeps_its_statistics() -> None:
    model = JointModel(SMALL)
    model.tower.freeze()
    model.train()
    before = {name: value.clone() for name, value in model.tower.state_dict().items()}
    model.embed_images(torch.randn(5, 3, 32, 32)).sum().backward()
    assert all(value.grad is None for value in model.tower.parameters())
    assert all(torch.equal(value, before[name]) for name, value in model.tower.state_dict().items())
    model.tower.freeze(False)
    model.train()
    model.embed_images(torch.randn(5, 3, 32, 32))[:, 0].sum().backward()
    assert all(value.grad is not None for value in model.tower.parameters())
    assert not torch.equal(model.tower.layers[1].running_mean, before["layers.1.running_mean"])


def test_trees_of_a_batch() -> None:
    model = JointModel(SMALL).eval()
    recipes = numbers(30, 3)
    merges = model.trees(recipe_batch(recipes))
    assert merges.ingredients is not None
    for row, recipe in enumerate(recipes):
        tree = Tree.from_merges([str(n) for n in recipe["ingredients"]], merges.ingredients[row].tolist())
        assert len(tree.depths) == len(recipe["ingredients"])
    assert merges.sentences is not None
    assert len(merges.sentences) == sum(len(recipe["sentences"]) for recipe in recipes)
    assert merges.instructions is None  # an LSTM reads them


def test_word_vectors_start_the_embeddings_and_are_trained() -> None:
    model = JointModel(SMALL)
    vectors = np.random.default_rng(0).normal(size=(30, 6)).astype(np.float32)
    model.set_word_vectors(vectors)
    words = model.recipe.words.weight
    assert words[0].tolist() == [0] * 6
    assert np.array_equal(words[1:].detach().numpy(), vectors[1:])
    assert words.requires_grad
    with pytest.raises(ChefError, match="do not fit"):
        model.set_word_vectors(vectors[:, :3])
    with pytest.raises(ChefError, match="minilm-trees takes no word vectors"):
        JointModel(config_of("minilm-trees", vocabulary=30)).set_word_vectors(vectors)


@pytest.mark.parametrize("name", ["t+t+l", *peers(), *ours()])
def test_both_sides_share_one_space_and_are_built_again(name: str) -> None:
    like = config_of(name, vocabulary=30)
    config = replace(SMALL, variant=name, words=like.words, context=like.context)
    model = JointModel(config)
    for words in filter(None, (model.recipe.words, model.recipe.context)):
        fill_table(words)
    recipes = model.embed_recipes(recipe_batch(numbers(30, 5)))
    images = model.embed_images(torch.randn(5, 3, 32, 32))
    assert recipes.shape == images.shape == (5, 16)
    for points in (recipes, images):
        torch.testing.assert_close(points.norm(dim=1), torch.ones(5))
    (images * recipes).sum().backward()
    assert all(value.grad is not None for value in model.parameters())
    again = JointModel(ModelConfig.from_json(config.to_json())).eval()
    again.load_state_dict(model.eval().state_dict())
    batch = recipe_batch(numbers(30, 3))
    assert torch.equal(again.embed_recipes(batch), model.embed_recipes(batch))


def test_acme_as_published_sees_the_other_pictures_and_as_fixed_does_not() -> None:
    model = JointModel(replace(SMALL, variant="acme"))
    images = torch.randn(6, 3, 32, 32)
    model.embed_images(images)  # statistics to remember
    model.eval()
    torch.testing.assert_close(model.embed_images(images)[:3], model.embed_images(images[:3]))
    model.use_batch_statistics(True)
    assert not torch.allclose(model.embed_images(images)[:3], model.embed_images(images[:3]))
