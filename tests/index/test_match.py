import math
from dataclasses import replace

import numpy as np
import pytest

from chef.index.match import Calibration, judge
from chef.index.query import LEXICAL, build_query, lexical_scores
from tests.index.small import SPACE, photo

SLOPE, OFFSET = 9.0, -2.0
NUMBERS = Calibration({"image": (SLOPE, OFFSET), "text": (SLOPE, OFFSET)}, np.array([1.0, 0.5]), 0.0)


@pytest.fixture
def query(index):
    vector = index.chef.embed_images([photo("red")])[0]
    return build_query(lambda: index.chef, vector, None, None, None, None, SPACE)


def test_probabilities_are_the_odds_over_all_recipes_and_none(query, catalogue):
    match, found = judge(NUMBERS, True, query, catalogue, None, [3, 1])
    odds = [
        math.exp(SLOPE * float(vector @ query.parts[0].vector) + OFFSET) / len(catalogue)
        for vector in catalogue.recipe_vectors.vectors
    ]
    assert found == pytest.approx([odds[3] / (1 + sum(odds)), odds[1] / (1 + sum(odds))])
    here = sum(odds) / (1 + sum(odds))
    assert match == ("good" if here >= 0.5 else "weak" if here >= 0.1 else "none")


@pytest.mark.parametrize(("offset", "wanted"), [(20.0, "good"), (-1.5, "weak"), (-30.0, "none")])
def test_the_match_of_a_query(query, catalogue, offset, wanted):
    flat = replace(NUMBERS, parts={"image": (0.0, offset)})
    match, found = judge(flat, True, query, catalogue, None, [0])
    assert match == wanted
    assert found == pytest.approx([1 / len(catalogue) * (1 - 1 / (1 + math.exp(offset)))])


def test_no_food_no_match_and_nobody_knows_of_what_was_not_calibrated(query, catalogue):
    assert judge(NUMBERS, False, query, catalogue, None, [0, 1]) == ("none", [0.0, 0.0])
    assert judge(None, True, query, catalogue, None, [0]) == (None, [None])
    only_words = replace(NUMBERS, parts={"text": (1.0, 0.0)})
    assert judge(only_words, True, query, catalogue, None, [0]) == (None, [None])
    assert NUMBERS.is_food(np.array([-0.4]))
    assert not NUMBERS.is_food(np.array([-0.6]))


def test_words_count_with_their_letters_and_two_parts_match_as_the_worse(index, query, catalogue):
    both = build_query(lambda: index.chef, query.parts[0].vector, "tomato salad", None, None, None, SPACE)
    scores = lexical_scores(catalogue, index.resolver(catalogue), both.words)
    row = catalogue.row("salad")
    words = replace(both, parts=both.parts[1:])
    _, (likely,) = judge(NUMBERS, True, words, catalogue, scores, [row])
    cosines = catalogue.recipe_vectors.vectors @ words.parts[0].vector
    odds = np.exp(SLOPE * ((1 - LEXICAL) * cosines + LEXICAL * scores) + OFFSET) / len(catalogue)
    assert likely == pytest.approx(odds[row] / (1 + odds.sum()), rel=1e-5)
    far = replace(NUMBERS, parts={"image": (0.0, -30.0), "text": (0.0, 30.0)})
    assert judge(far, True, both, catalogue, scores, [row]) == ("none", [None])


def test_no_reason_has_a_negative_number(index, catalogue):
    hits = index.search(vector=-catalogue.recipe_vectors.vectors[0], k=6)
    assert hits[-1].score < 0
    assert not any("-" in reason for hit in hits for reason in hit.why)


def test_hits_without_any_of_the_words_are_only_near(index):
    hits = index.search(text="chicken soup", k=6)
    words = [{"chicken", "soup"} & {*hit.title.lower().split(), *hit.ingredients} for hit in hits]
    assert 0 < hits.fitting < len(hits)
    assert all("chicken" in " ".join([hit.title.lower(), *hit.ingredients]) for hit in hits[: hits.fitting])
    assert not any(words[hits.fitting :])
    # Where nobody has the words, and where more than words is asked for, all are hits as they come.
    assert index.search(text="stir until soft", k=4).fitting == 4
    assert index.search(image=photo("red"), k=4).fitting == 4
    assert index.search(image=photo("red"), text="chicken soup", k=4).fitting == 4
    assert index.search(with_=["chicken"]).fitting == 2
    assert index.search(text="zzzz").fitting == 0
