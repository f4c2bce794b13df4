from __future__ import annotations

import numpy as np
import pytest

from chef.index.lexical import lexical_scores


@pytest.fixture
def ranked(index, catalogue):
    """Titles with their lexical scores, best first."""

    def rank(text: str, read: list[str], tokens: list[str]) -> list[tuple[str, float]]:
        scores = lexical_scores(catalogue, index.resolver(catalogue), text, read, tokens)
        order = np.argsort(-scores, kind="stable")
        return [(catalogue.ids[row].as_py(), float(scores[row])) for row in order]

    return rank


def test_an_equal_title_has_one_and_wins(ranked):
    found = ranked("chicken soups", ["chicken", "soups"], ["chicken"])
    assert found[0] == ("soup", pytest.approx(1.0))
    assert found[1][0] == "rice"
    assert found[1][1] < 0.85


def test_ingredients_count_in_the_list_too(ranked):
    found = dict(ranked("onion", ["onion"], ["onion"]))
    assert {id for id, score in found.items() if score > 0.5} == {"soup", "curry", "salad"}


def test_rare_words_weigh_more(ranked):
    found = dict(ranked("chicken cake", ["chicken", "cake"], ["chicken"]))
    assert found["cake"] > found["soup"] > found["toast"] == 0


def test_words_nobody_has_find_nothing(ranked):
    assert all(score == 0 for _, score in ranked("zzz", ["zzz"], []))


def test_a_tag_counts_nearly_as_much_as_a_word_of_the_title(ranked):
    found = dict(ranked("quick", ["quick"], []))
    assert {id for id, score in found.items() if score > 0.5} == {"rice", "curry"}
    assert max(found.values()) < 0.8  # no title says it
