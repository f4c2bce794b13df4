from __future__ import annotations

import random

import numpy as np

from chef.data.doctor.checks.texts import Texts, runs_of_words, titled_words
from chef.recipe import Ingredient

_WORDS = [f"word{n}" for n in range(400)]


def _lines(*lines: str) -> tuple[Ingredient, ...]:
    return tuple(map(Ingredient, lines))


def test_runs_are_the_distinct_runs_of_six_words() -> None:
    words = ["a", "b", "c"] * 10
    assert len(runs_of_words(words)) == 3
    assert len(runs_of_words(words[:5])) == 0
    assert not np.intersect1d(runs_of_words(list("abcdef")), runs_of_words(list("abcdfe"))).size


def test_name_words_leave_amounts_brackets_and_remarks_out() -> None:
    plain = titled_words("Pie", _lines("flour", "brown sugar"))
    assert np.array_equal(
        titled_words("pie!", _lines("2 cups (240 g) flour, sifted", "1 tbsp Brown Sugar")), plain
    )
    assert not np.intersect1d(titled_words("Tart", _lines("flour", "brown sugar")), plain).size
    assert len(titled_words(" ", _lines("flour"))) == 0


def _naive_runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[n : n + 6]) for n in range(len(words) - 5)}


def test_repeats_as_comparing_all_pairs_of_instructions() -> None:
    """Recipes cut together from a few common texts, some of them in several recipes."""
    chance = random.Random(1)
    texts = [chance.choices(_WORDS, k=60) for _ in range(6)]
    recipes = [
        text[: chance.randint(10, 60)] + chance.choices(_WORDS, k=chance.randint(0, 60))
        for text in chance.choices(texts, k=80)
    ]
    splits = np.array(chance.choices([0, 1], k=80), np.int64)
    gathered = Texts()
    for words in recipes:
        gathered.add("", (), words)
    repeats = gathered.repeats(splits)

    runs = [_naive_runs(words) for words in recipes]
    pairs = 0
    for i in range(80):
        earlier: dict[bool, list[int]] = {True: [-1], False: [-1]}
        for j in range(i):
            small, large = sorted((len(runs[i]), len(runs[j])))
            shared = len(runs[i] & runs[j])
            if small >= 20 and shared >= 0.6 * small and shared >= 0.3 * large:
                earlier[bool(splits[i] == splits[j])].append(j)
                pairs += 1
        assert repeats.within[i] == (earlier[True][1:] or [-1])[0]
        assert repeats.across[i] == (earlier[False][1:] or [-1])[0]
    assert 10 < pairs < 80 * 79 / 2


def test_same_title_and_most_ingredients_repeat() -> None:
    gathered = Texts()
    gathered.add("Plum Cake", _lines("flour", "plums", "sugar", "butter", "eggs"), ["bake"])
    gathered.add("plum cakes", _lines("2 cups flour", "6 plums", "1 cup sugar", "butter", "2 eggs"), ["mix"])
    gathered.add("Plum Cake", _lines("rye flour", "plums", "honey", "oil", "yeast", "milk"), ["bake"])
    gathered.add("Cherry Cake", _lines("flour", "plums", "sugar", "butter", "eggs"), ["bake"])
    repeats = gathered.repeats(np.zeros(4, np.int64))
    assert repeats.within.tolist() == [-1, 0, -1, -1]


def test_template_steps_count_for_nothing() -> None:
    chance = random.Random(2)
    greeting = chance.choices(_WORDS, k=60)
    gathered = Texts()
    for _ in range(3):
        gathered.add("", (), chance.choices(_WORDS, k=30) + greeting)
    splits = np.zeros(3, np.int64)
    assert gathered.repeats(splits).within.tolist() == [-1, 0, 0]
    assert gathered.repeats(splits, [greeting]).within.tolist() == [-1, -1, -1]
