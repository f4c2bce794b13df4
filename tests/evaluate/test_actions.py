import json

import numpy as np
import pytest

from chef.evaluate.actions import CONTROLS, Hits, action_words
from chef.evaluate.results import ActionWords, CannotDo
from chef.measure.bootstrap import PairedTest
from chef.model.tree import Tree
from chef.typed_json import from_json, to_json
from tests.evaluate.dishes import dishes, evaluated, population


def sentence(text: str, shape=Tree.right) -> Tree:
    return shape(text.split())


# By WordNet "butter" and "salt" are verbs; here only chop, fry, add and serve are used as verbs.
RECIPES = [
    [sentence("chop the carrots"), sentence("fry the carrots in butter", Tree.left)],
    [sentence("then add the salt", Tree.left), sentence("the onions")],
    [],
    [sentence("serve")],
]


def test_the_share_of_verbs_and_of_the_controls_by_both_tests():
    result = action_words(RECIPES, seed=0)
    # chosen: chop, butter, salt, the, serve
    assert (result.sentences, result.verbs, result.strict_verbs) == (5, 4, 2)
    assert (result.model["percent"], result.model["strict_percent"]) == (80.0, 40.0)
    # first words: chop, fry, then, the, serve
    first, word = result.controls["first-word"], result.controls["random-word"]
    assert (first["percent"], first["strict_percent"]) == (60.0, 60.0)
    # a word at random: 1 of 3, 2 of 5, 2 of 4, 0 of 2, 1 of 1; strictly 1/3, 1/5, 1/4, 0, 1
    assert word["percent"] == pytest.approx(100 * (1 / 3 + 2 / 5 + 2 / 4 + 1) / 5)
    assert word["strict_percent"] == pytest.approx(100 * (1 / 3 + 1 / 5 + 1 / 4 + 1) / 5)


def test_of_equally_shallow_leaves_the_first_counts_alone():
    both = Tree.from_merges("chop carrots fry onions".split(), [0, 1, 0])  # all at depth 2
    result = action_words([[both]], seed=0)
    assert (result.sentences, result.verbs) == (1, 1)  # never more verbs than sentences


@pytest.mark.parametrize("words", [1, 3, 4, 7])
def test_the_random_tree_is_the_mean_of_random_trees(words):
    tokens = [str(place) for place in range(words)]
    generator = np.random.default_rng(words)
    drawn = np.zeros(words)
    for _ in range(3000):
        drawn[Tree.random(tokens, generator).shallowest[0]] += 1 / 3000
    exact = CONTROLS["random-tree"](Tree.left(tokens))
    assert exact.sum() == pytest.approx(1)
    np.testing.assert_allclose(exact, drawn, atol=0.04)


def test_a_right_branching_tree_is_the_first_word():
    words = [[sentence(text) for text in ("chop the carrots", "then fry", "serve with onions")]]
    result = action_words(words, seed=0)
    assert result.model["percent"] == result.controls["first-word"]["percent"]
    assert result.against["first-word"]["percent"] == PairedTest(0.0, [0.0, 0.0], 1.0)


def test_intervals_resample_recipes():
    # One recipe holds all the verbs: how many there are hangs on how often it is drawn.
    good = [sentence("chop the carrots")] * 50
    bad = [[sentence("the onions")] * 50] * 9
    model = action_words([good, *bad], seed=0).model
    low, high = model.ci["percent"]
    assert (low, model["percent"]) == (0, pytest.approx(10))
    assert high >= 30


def test_a_better_choice_is_found_better():
    recipes = [[Tree.right(["chop", "the", "onions"])] for _ in range(30)]
    others = [[Tree.left(["chop", "the", "onions"])] for _ in range(30)]
    test = Hits(recipes).against(Hits(others), seed=0)["percent"]
    assert (test.difference, test.ci) == (100.0, [100.0, 100.0])
    assert test.p < 0.01


def test_the_result_has_the_agreed_form():
    result = action_words(evaluated("t+t+l", population(dishes(20))).sentence_trees, seed=0)
    assert {"sentences", "verbs", "percent", "strict_percent", "controls"} <= set(to_json(result))
    assert set(result.controls) == set(CONTROLS) == {"first-word", "random-word", "random-tree"}
    assert result.controls["first-word"]["percent"] == 100.0  # "fry ...", "add ..."
    assert from_json(ActionWords, json.loads(json.dumps(to_json(result))), "") == result


def test_who_cannot_do_it():
    with pytest.raises(CannotDo, match="without trees"):
        action_words(evaluated("s+l+l", population(dishes(3))).sentence_trees, seed=0)
    with pytest.raises(CannotDo, match="no recipe has a sentence"):
        action_words([[], []], seed=0)
