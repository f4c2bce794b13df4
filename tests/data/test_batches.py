from __future__ import annotations

import torch

from chef.data.batches import Pair, collate, recipe_batch

SOUP = {"title": [5, 6, 7], "ingredients": [8], "sentences": [[9, 10], [11]]}
NOTHING = {"title": [], "ingredients": [], "sentences": []}
PIE = {"title": [4], "ingredients": [8, 3, 2], "sentences": [[12, 13, 14]]}


def test_padding_lengths_and_flat_sentences():
    batch = recipe_batch([SOUP, NOTHING, PIE])
    assert batch.title.tolist() == [[5, 6, 7], [1, 0, 0], [4, 0, 0]]
    assert batch.title_lengths.tolist() == [3, 1, 1]
    assert batch.ingredients.tolist() == [[8, 0, 0], [1, 0, 0], [8, 3, 2]]
    assert batch.ingredient_lengths.tolist() == [1, 1, 3]
    assert batch.sentences.tolist() == [[9, 10, 0], [11, 0, 0], [1, 0, 0], [12, 13, 14]]
    assert batch.sentence_lengths.tolist() == [2, 1, 1, 3]
    assert batch.steps.tolist() == [2, 1, 1]
    assert len(batch) == 3


def test_pairs_are_gathered_in_order():
    pairs = [Pair(recipe, torch.full((3, 2, 2), float(i)), 10 + i) for i, recipe in enumerate([PIE, SOUP])]
    batch = collate(pairs).to("cpu")
    assert batch.index.tolist() == [10, 11]
    assert batch.images.shape == (2, 3, 2, 2)
    assert batch.images[1, 0, 0, 0] == 1
    assert batch.recipes.steps.tolist() == [1, 2]
    assert batch.recipes.title.dtype == torch.long
