import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from chef.data.batches import recipe_batch
from chef.errors import ChefError
from chef.model.joint import JointModel, Merges, RecipeEncoder
from chef.model.noise import SampleNoise
from chef.model.registry import ModelConfig, models, ours, peers, variant, variants
from chef.model.words import ContextWords, WordVectors
from tests.model.small_words import config_of, fill_table, small_context, small_words

SMALL = ModelConfig("t+t+l", 30, {"kind": "small-cnn", "size": 32}, word=6, hidden=8, space=16)
Numbers = dict[str, list]


def numbers(words: int, most: int, seed: int = 0) -> list[Numbers]:
    """Random recipes as word numbers."""
    rng = random.Random(seed)

    def row(longest: int) -> list[int]:
        return [rng.randrange(1, words) for _ in range(rng.randint(1, longest))]

    return [
        {"title": row(4), "ingredients": row(7), "sentences": [row(6) for _ in range(rng.randint(1, 5))]}
        for _ in range(most)
    ]


def encoder(name: str, **changes: Any) -> RecipeEncoder:
    torch.manual_seed(0)
    words, context = small_words(name, vocabulary=30), small_context(name, vocabulary=30)
    return RecipeEncoder(replace(variant(name), **changes), words, hidden=8, context=context).double()


@pytest.mark.parametrize("name", models())
def test_a_batch_equals_its_recipes_one_by_one(name: str) -> None:
    tower = encoder(name).eval()
    recipes = numbers(30, 6)
    whole = tower(recipe_batch(recipes))
    assert whole.vector.shape == (6, tower.outputs)
    assert name not in variants() or tower.outputs == 24
    first_sentence = 0
    for row, recipe in enumerate(recipes):
        alone = tower(recipe_batch([recipe]))
        torch.testing.assert_close(whole.vector[row], alone.vector[0])
        for mine, its in zip(whole.merges, alone.merges, strict=True):
            assert (mine is None) == (its is None)
        if alone.merges.sentences is not None:
            mine = whole.merges.sentences[first_sentence : first_sentence + len(recipe["sentences"])]
            assert torch.equal(mine[:, : alone.merges.sentences.shape[1]], alone.merges.sentences)
        first_sentence += len(recipe["sentences"])


@pytest.mark.parametrize("name", models())
def test_every_parameter_learns(name: str) -> None:
    tower = encoder(name)
    tower(recipe_batch(numbers(30, 6))).vector.square().sum().backward()
    for parameter, value in tower.named_parameters():
        assert value.grad is not None, parameter
        assert value.grad.abs().max() > 0, parameter
    if isinstance(tower.words, WordVectors):
        assert tower.words.weight.grad[0].abs().max() == 0  # padding is no word


@pytest.mark.parametrize("name", models())
def test_half_precision_stays_near(name: str) -> None:
    tower = encoder(name).float().eval()
    batch = recipe_batch(numbers(30, 6))
    exact = tower(batch)
    with torch.autocast("cpu", torch.bfloat16):
        rough = tower(batch, merges=exact.merges)  # rounding may tip a tree, so it is given
    rough.vector.float().sum().backward()
    assert torch.cosine_similarity(rough.vector.float(), exact.vector).min() > 0.999


def test_sentences_come_in_their_recipes_order() -> None:
    tower = encoder("s+l+l").eval()
    first, second = numbers(30, 2)
    first["sentences"] = [[2, 3], [4, 5, 6], [7]]
    turned = {**first, "sentences": first["sentences"][::-1]}
    as_written, reversed_ = tower(recipe_batch([first, second])), tower(recipe_batch([turned, second]))
    assert not torch.allclose(as_written.instructions.vector[0], reversed_.instructions.vector[0])
    torch.testing.assert_close(as_written.instructions.vector[1], reversed_.instructions.vector[1])
    torch.testing.assert_close(as_written.sentences.vector[:3], reversed_.sentences.vector[:3].flip(0))


@pytest.mark.parametrize("name", ["t+t+t", "g+t+l"])
def test_noise_of_the_sample_ignores_the_batch(name: str) -> None:
    tower = encoder(name)
    recipes = numbers(30, 6)
    index = torch.tensor([5, 17, 3, 8, 2, 11])
    whole = tower(recipe_batch(recipes), noise=SampleNoise(index, 4)).vector
    part = tower(recipe_batch(recipes[3:5]), noise=SampleNoise(index[3:5], 4)).vector
    torch.testing.assert_close(whole[3:5], part)


def test_equal_sentences_of_a_recipe_meet_different_noise() -> None:
    tower = encoder("t+t+t")
    tower.sentences.lstm.query.data.zero_()  # scores are equal: the noise alone decides
    recipe = {"title": [2], "ingredients": [3], "sentences": [[4, 5, 6, 7, 8, 9, 10, 11]] * 6}
    merges = tower(recipe_batch([recipe]), noise=SampleNoise(torch.tensor([1]), 0)).merges.sentences
    assert len({tuple(row) for row in merges.tolist()}) == 6


def test_kept_trees() -> None:
    tower = encoder("t+t+t").eval()
    batch = recipe_batch(numbers(30, 4))
    free = tower(batch)
    kept = tower(batch, merges=free.merges)
    torch.testing.assert_close(free.vector, kept.vector)
    left = Merges(ingredients=torch.where(free.merges.ingredients >= 0, 0, -1))
    changed = tower(batch, merges=left)
    assert torch.equal(changed.merges.ingredients, left.ingredients)
    assert torch.equal(changed.merges.sentences, free.merges.sentences)


def test_a_model_without_titles_reads_none() -> None:
    tower = encoder("pic2rec").eval()
    recipes = numbers(30, 3)
    encoding = tower(recipe_batch(recipes))
    assert encoding.title is None
    assert tower.outputs == 16
    other = tower(recipe_batch([{**recipe, "title": [9]} for recipe in recipes]))
    assert torch.equal(other.vector, encoding.vector)


def test_instructions_without_sentences_are_one_text() -> None:
    tower = encoder("afternoon").eval()
    assert tower.sentences is None
    recipes = numbers(30, 4)
    recipes[2]["sentences"] = []
    whole = tower(recipe_batch(recipes))
    assert whole.sentences is None
    assert whole.merges == Merges()
    for row, recipe in enumerate(recipes):
        text = [word for sentence in recipe["sentences"] for word in sentence] or [1]
        mean = tower.words(torch.tensor([text])).mean(1)[0]
        torch.testing.assert_close(whole.instructions.vector[row], mean)


def test_minilm_that_reads_along_adds_the_means_of_three_whole_texts() -> None:
    tower = encoder("chef-base").eval()
    recipe = {"title": [4, 9], "ingredients": [3, 8, 5], "sentences": [[2, 7, 6], [4]]}
    encoding = tower(recipe_batch([recipe, *numbers(30, 3)]))
    texts = [[4, 9], [3, 8, 5], [2, 7, 6, 4]]
    means = [tower.context(torch.tensor([text])).mean(1)[0] for text in texts]
    wanted = torch.cat([mean / mean.norm() * (6**0.5 / 2) for mean in means])  # all equally long
    torch.testing.assert_close(encoding.vector[0, -18:], wanted)
    assert encoding.vector.shape[1] == tower.outputs == 2 * 3 * 8 + 3 * 6


def test_minilm_reads_what_variants_of_a_recipe_share_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tower = encoder("chef-base").eval()
    recipe, other = numbers(30, 2)
    variants_of_it = [recipe, {**recipe, "ingredients": [3, 8]}, {**recipe, "ingredients": [9]}]
    read: list[int] = []
    context = tower.context
    assert isinstance(context, ContextWords)
    means = context.means
    monkeypatch.setattr(context, "means", lambda ids: (read.append(len(ids)), means(ids))[1])
    whole = tower(recipe_batch([*variants_of_it, other])).vector
    assert read == [2, 4, 2]  # titles, ingredients, instructions
    for row, one in enumerate([*variants_of_it, other]):
        torch.testing.assert_close(whole[row], tower(recipe_batch([one])).vector[0])


def test_readers_read_the_same_words_each_for_itself() -> None:
    tower, batch = encoder("chef-base").eval(), recipe_batch(numbers(30, 4))
    encoding = tower(batch)
    assert len(encoding.others) == 1
    parts = encoding.vector[:, :-18].reshape(4, 2, 24)  # recipe, reader, features
    torch.testing.assert_close(parts[:, 0], torch.cat(encoding.vectors, 1))
    assert not torch.allclose(parts[:, 0], parts[:, 1])
    alone = encoder("h-t").eval()  # what that model makes of the same words
    alone.words = tower.words
    alone.load_state_dict(tower.others[0].state_dict(), strict=False)
    torch.testing.assert_close(alone(batch).vector, parts[:, 1])


def test_readers_have_noise_of_their_own() -> None:
    tower = encoder("chef-base", others=("t+t+l", "t+t+l")).train()
    batch = recipe_batch(numbers(30, 4))
    for other in tower.others:
        other.load_state_dict(tower.state_dict(), strict=False)
    noise = SampleNoise(torch.arange(4), seed=0)
    first, second = (tower(batch, noise=noise) for _ in range(2))
    torch.testing.assert_close(first.vector, second.vector)
    parts = [first.ingredients.vector, *(other.ingredients.vector for other in first.others)]
    assert not torch.allclose(parts[0], parts[1])
    assert not torch.allclose(parts[1], parts[2])


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
