from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import torch
from PIL import Image

from chef.data.texts import PrepareSettings
from chef.food.canonical.map import SHIPPED
from chef.model.encoder import Encoder, batches_by_length, in_batches, one_thread
from chef.model.recipe_model import RecipeModel
from chef.model.tree import RecipeTrees, Tree
from chef.recipe import Recipe
from chef.text.lines.parse import parse_name
from tests.evaluate.dishes import dishes, evaluated, population
from tests.rewrite.small import FOODS, recipe, tiny_chef

THREADS = 6


def written(number: int) -> Recipe:
    """A recipe whose ingredient lines nobody has parsed yet."""
    foods = [FOODS[(number * 5 + place) % len(FOODS)].replace("_", " ") for place in range(4)]
    lines = [f"{number + place} cups {food}, finely chopped" for place, food in enumerate(foods)]
    return recipe(f"Dish {number}", lines, [f"Fry the {foods[0]}.", f"Add {foods[1]} and stir."], str(number))


def test_several_threads_get_what_one_gets():
    """Also while the parser loads: the model is new, and no line has been parsed before."""
    parse_name.cache_clear()
    alone, start = tiny_chef(), Barrier(THREADS)
    shared = RecipeModel(alone.model, alone.vocabulary, SHIPPED, PrepareSettings(), {})
    rng = np.random.default_rng(0)
    photos = [Image.fromarray(rng.integers(0, 255, (60, 80, 3), np.uint8)) for _ in range(THREADS)]

    def use(model: RecipeModel, number: int):
        some = [written(number), written(number + THREADS), written(number + 2 * THREADS)]
        return (
            [model.read(one).recipe for one in some],
            model.embed_recipes(some).tolist(),
            model.explain(some[0]),
            model.embed_images([photos[number]]).tolist(),
        )

    def at_once(number: int):
        start.wait()
        return [use(shared, number) for _ in range(3)]

    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(at_once, range(THREADS)))
    parse_name.cache_clear()
    for number, results in enumerate(together):
        assert results == [use(alone, number)] * 3


@pytest.mark.parametrize("variant", ["t+t+t", "g+l+l-attention"])
def test_the_batches_do_not_matter(variant):
    model = evaluated(variant, population(dishes(20)))
    encoder, texts = model.chef.encoder, model.texts
    whole = encoder.encode(texts)
    by_length = encoder.encode(texts, batches=batches_by_length(texts, 6))
    np.testing.assert_allclose(by_length.vectors, whole.vectors, atol=1e-6)
    assert by_length.trees == whole.trees
    np.testing.assert_allclose(
        encoder.embed(texts, batches=in_batches(range(20), 3)), whole.vectors, atol=1e-6
    )
    for row, text in enumerate(texts):
        alone = encoder.encode([text])
        assert alone.trees == whole.trees[row : row + 1] == whole[row : row + 1].trees
        if whole.attention is not None:
            assert alone.attention[0] == pytest.approx(whole.attention[row], abs=1e-6)


def test_batches_by_length_have_each_row_once_and_trees_at_the_same_levels():
    texts = evaluated("t+t+l", population(dishes(20))).texts
    trees = [RecipeTrees(Tree.left(text.ingredients)) if row % 3 else None for row, text in enumerate(texts)]
    batches = list(batches_by_length(texts, 6, trees))
    assert sorted(row for rows in batches for row in rows) == list(range(20))
    for rows in batches:
        assert len(rows) <= 6
        assert len({trees[row] is None for row in rows}) == 1
        lengths = [sum(map(len, texts[row].sentences)) for row in rows]
        assert lengths == sorted(lengths)
    limited = [
        [sum(map(len, texts[row].sentences)) for row in rows]
        for rows in batches_by_length(texts, 6, words=25)
    ]
    assert sum(map(len, limited)) == 20
    assert all(sum(lengths) <= 25 or len(lengths) == 1 for lengths in limited)
    assert any(1 < len(lengths) < 6 for lengths in limited[:-1])


def test_a_model_in_training_mode_is_set_to_evaluation_and_one_in_use_is_left_alone(monkeypatch):
    model = evaluated("t+t+l", population(dishes(2))).chef.model
    assert not Encoder(model.train()).model.training
    monkeypatch.setattr(type(model), "train", lambda *_: pytest.fail("the mode was changed"))
    monkeypatch.setattr(type(model), "_apply", lambda *_: pytest.fail("the model was moved"))
    Encoder(model)


def test_one_thread_inside_and_as_many_as_before_afterwards():
    usual = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        for wanted, threads in ((True, 1), (False, 3)):
            with one_thread(wanted):
                assert torch.get_num_threads() == threads
            with pytest.raises(ValueError, match="no"), one_thread(wanted):
                raise ValueError("no")
            assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(usual)
