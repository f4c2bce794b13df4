from __future__ import annotations

import numpy as np
import pytest

from chef.rewrite.neighbours import neighbours
from chef.rewrite.swap import swap
from tests.rewrite.small import collection


def test_the_nearest_by_cosine_without_the_original(index):
    stew = next(recipe for recipe in collection() if recipe.id == "stew-0")
    swapped = swap(index.chef, stew, "chicken", "beef")
    hits, photos = neighbours(index, swapped, k=5)
    others = [recipe for recipe in collection() if recipe.id != stew.id]
    scores = index.chef.embed_recipes(others) @ swapped.vector
    assert [hit.score for hit in hits] == pytest.approx(sorted(scores.tolist(), reverse=True)[:5], abs=1e-4)
    assert hits[0].id == others[int(np.argmax(scores))].id
    assert stew.id not in {hit.id for hit in hits}
    assert photos == []  # nobody here has one


def test_they_say_why(index):
    stew = next(recipe for recipe in collection() if recipe.id == "stew-0")
    hits, _ = neighbours(index, swap(index.chef, stew, "chicken", "beef"), k=11)
    beef = next(hit for hit in hits if hit.id == "stew-1")
    assert beef.why[0] == f"is like the changed recipe ({beef.score:.2f})"
    assert beef.why[1:] == ["has beef", "shares carrots, onion, salt"]
