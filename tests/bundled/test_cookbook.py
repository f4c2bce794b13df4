from __future__ import annotations

from collections import Counter

from chef.bundled.cookbook import LICENCE, SOURCE, cookbook, digest


def test_at_least_240_dishes_of_20_cuisines_each_whole():
    recipes = list(cookbook())
    assert len(recipes) >= 240
    assert len({recipe.id for recipe in recipes}) == len(recipes)
    for recipe in recipes:
        assert recipe.title
        assert len(recipe.ingredients) >= 2, recipe.id
        assert len(recipe.steps) >= 2, recipe.id
        assert recipe.tags, recipe.id
        assert (recipe.source, recipe.licence) == (SOURCE, LICENCE)


def test_titles_are_not_repeated():
    titles = Counter(recipe.title.casefold() for recipe in cookbook())
    assert [title for title, count in titles.items() if count > 1] == []


def test_the_digest_is_stable():
    assert digest() == digest()
    assert len(digest()) == 64
