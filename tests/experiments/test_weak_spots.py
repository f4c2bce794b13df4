from types import SimpleNamespace

import numpy as np
import pytest
from weak_spots import kind_of, weak_spots

from chef.recipe import Ingredient, Recipe


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Tomato soup", "soups and stews"), ("Chicken with mustard sauce", "poultry"),
        ("Peanut butter cookies", "biscuits and bars"), ("Leg of lamb", "meat"),
        ("In butter", "sauces, dips and spreads"), ("Nameless delight", "all others"), ("", "all others"),
    ],
)  # fmt: skip
def test_a_kind_is_the_last_word_that_names_a_dish_before_what_is_beside_it(title, kind):
    assert kind_of(title) == kind


def subject(titles: list[str], seed: int = 0) -> SimpleNamespace:
    draw = np.random.default_rng(seed)
    recipes = draw.standard_normal((len(titles), 8))
    images = recipes + draw.standard_normal(recipes.shape)
    images, recipes = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (images, recipes))
    known = [
        Recipe(str(row), title, ingredients=(Ingredient("egg"),) * (2 + row % 4))
        for row, title in enumerate(titles)
    ]
    return SimpleNamespace(images=images, recipes=recipes, population=SimpleNamespace(recipes=known))


def test_each_kind_is_counted_apart_and_the_weakest_comes_first():
    titles = ["Tomato soup"] * 30 + ["Apple pie"] * 25 + ["Iced tea"] * 9
    given = subject(titles)
    scores = given.images @ given.recipes.T
    # The obvious way: sort the answers to each photo, see where its own recipe stands.
    ranks = [list(np.argsort(-row)).index(at) + 1 for at, row in enumerate(scores)]
    first = [int(np.argmax(row)) for row in scores]
    report = weak_spots(given)
    assert {spot.name for spot in report.kinds} == {"soups and stews", "pies and tarts"}  # 9 are too few
    for spot in report.kinds:
        mine = [row for row, title in enumerate(titles) if kind_of(title) == spot.name]
        assert spot.n == len(mine)
        assert spot.scores["R@1"] == pytest.approx(100 * np.mean([ranks[row] == 1 for row in mine]))
        assert spot.scores["R@10"] == pytest.approx(100 * np.mean([ranks[row] <= 10 for row in mine]))
        assert spot.scores["medR"] == np.median([ranks[row] for row in mine])
        others = [titles[first[row]] for row in mine if titles[first[row]] != titles[row]]
        assert others.count(max(set(others), key=others.count)) == sum(
            kind_of(title) == spot.instead for title in others
        )
    tenth = [spot.scores["R@10"] for spot in report.kinds]
    assert tenth == sorted(tenth)
    wrong = [row for row in range(len(titles)) if first[row] != row]
    assert report.wrong == len(wrong) > 0
    same = np.mean([titles[first[row]] == titles[row] for row in wrong])
    assert report.same_kind == pytest.approx(100 * same)
    assert {spot.name: spot.n for spot in report.lengths} == {"1 to 4": 48, "5 to 14": 16}
