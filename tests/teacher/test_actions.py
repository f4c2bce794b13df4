from collections import Counter
from math import exp

import pytest

from benchmarks.teacher_actions import fit
from chef.teacher.actions import SURE, Action, ActionTagger, action, actions, candidates
from tests.conftest import probes


@pytest.mark.parametrize(("sentence", "word"), probes("actions.tsv"))
def test_what_the_cook_does(sentence, word):
    told = action(sentence)
    assert told.word == word
    assert told.confidence <= 1


@pytest.mark.parametrize(
    "sentence",
    ["Do not boil.", "Don’t rinse them.", "Ingredients", "It is a cold soup.", "Serves 4."],
)
def test_nothing_to_do_is_not_surely_an_action(sentence):
    told = action(sentence)
    assert told is None or told.confidence < SURE


def test_a_step_has_one_action_a_sentence():
    told = actions("Boil the pasta; drain it. Two days!\nStir in the sauce.")
    assert [one.word if one else None for one in told] == ["boil", "drain", None, "stir"]


def test_light_words_give_way_and_otherwise_the_likeliest_is_told():
    weights = {"word let": 1.0, "word use": 5.0, "word cool": 0.0, "word add": -9.0}
    tagger = ActionTagger(weights)
    assert tagger("let cool") == Action("cool", 0.5)
    assert tagger("let add use") == Action("use", 1 / (1 + exp(-5)))
    assert tagger("of the sea") is None


def test_fit_finds_the_optimum():
    labelled = [("Mix and bake it.", ["bake"]), ("Mix the eggs.", ["mix"]), ("Bake the mix.", ["bake"])]
    weights = fit(labelled, decay=0.5, least=2)
    slopes = {feature: 0.5 * weight for feature, weight in weights.items()}
    counts = Counter()
    for sentence, named in labelled:
        for word, features in candidates(sentence):
            counts.update(features)
            likely = 1 / (1 + exp(-sum(weights.get(feature, 0) for feature in features)))
            for feature in set(features) & set(weights):
                slopes[feature] += likely - (word in named)
    assert set(weights) == {feature for feature, count in counts.items() if count >= 2}
    assert max(map(abs, slopes.values())) < 1e-3
    assert weights["word bake"] > 0
