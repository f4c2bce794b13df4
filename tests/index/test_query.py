from __future__ import annotations

import numpy as np
import pytest

from chef.errors import ChefError
from chef.index.query import LEXICAL, build_query, lexical_scores, unit_vector
from tests.index.small import SPACE, photo, recipe


def test_the_score_of_several_parts_is_their_weighted_mean(index, catalogue):
    like = recipe("q", "Beef", ["1 kg beef"])
    data = photo("red")
    query = build_query(index.chef, data, None, like, None, {"image": 3})
    image, text = query.parts
    assert (image.weight, text.weight) == (0.75, 0.25)
    hits = index.search(data, recipe=like, weights={"image": 3}, k=6)
    scores = {hit.id: hit.score for hit in hits}
    for row, vector in enumerate(catalogue.recipe_vectors.vectors):
        wanted = 0.75 * float(vector @ image.vector) + 0.25 * float(vector @ text.vector)
        assert scores[catalogue.ids[row].as_py()] == pytest.approx(wanted, abs=1e-5)


def test_words_are_cosine_and_letters(index, catalogue):
    query = build_query(index.chef, None, " tomato salad ", None, None, None)
    (part,) = query.parts
    assert part.tokens == ("tomatoes",)
    bonus = query.bonus(catalogue, index.resolver(catalogue))
    row = catalogue.row("salad")
    assert bonus[row] == pytest.approx(LEXICAL)
    (hit, *_) = index.search(text="tomato salad")
    assert hit.id == "salad"
    assert hit.score == pytest.approx(
        LEXICAL + (1 - LEXICAL) * float(catalogue.recipe_vectors.vectors[row] @ part.vector), abs=1e-5
    )


def test_a_query_without_parts_is_empty(index):
    assert not build_query(index.chef, None, "  ", None, None, None)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"photo": 1}, "no part 'photo'"),
        ({"text": -1}, "the weight of text"),
        ({"text": float("nan")}, "weight"),
        ({"text": 0}, "all weights"),
    ],
)
def test_bad_weights(index, weights, said):
    with pytest.raises(ChefError, match=said):
        build_query(index.chef, None, "soup", None, None, weights)


def test_vectors_of_the_user():
    assert np.linalg.norm(unit_vector(np.full(SPACE, 7.0), SPACE)) == pytest.approx(1)
    for bad in (np.zeros(SPACE), np.ones(SPACE + 1), np.full(SPACE, np.nan)):
        with pytest.raises(ChefError, match="not a point"):
            unit_vector(bad, SPACE)


@pytest.fixture
def ranked(index, catalogue):
    """Titles with their lexical scores, best first."""

    def rank(text: str, read: list[str], tokens: list[str]) -> list[tuple[str, float]]:
        scores = lexical_scores(catalogue, index.resolver(catalogue), text, read, tokens)
        order = np.argsort(-scores, kind="stable")
        return [(catalogue.ids[row].as_py(), float(scores[row])) for row in order]

    return rank


def test_an_equal_title_has_one_and_wins(ranked):
    ranks = ranked("chicken soups", ["chicken", "soups"], ["chicken"])
    assert ranks[0] == ("soup", pytest.approx(1.0))
    assert ranks[1][0] == "rice"
    assert ranks[1][1] < 0.85


def test_ingredients_count_in_the_list_too(ranked):
    ranks = dict(ranked("onion", ["onion"], ["onion"]))
    assert {id for id, score in ranks.items() if score > 0.5} == {"soup", "curry", "salad"}


def test_rare_words_weigh_more(ranked):
    ranks = dict(ranked("chicken cake", ["chicken", "cake"], ["chicken"]))
    assert ranks["cake"] > ranks["soup"] > ranks["toast"] == 0


def test_words_nobody_has_find_nothing(ranked):
    assert all(score == 0 for _, score in ranked("zzz", ["zzz"], []))


def test_a_tag_counts_nearly_as_much_as_a_word_of_the_title(ranked):
    ranks = dict(ranked("quick", ["quick"], []))
    assert {id for id, score in ranks.items() if score > 0.5} == {"rice", "curry"}
    assert max(ranks.values()) < 0.8  # no title says it
