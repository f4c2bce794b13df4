import numpy as np
import pytest

from chef.errors import ChefError
from chef.index.query import LEXICAL, Part, build_query, lexical_scores, unit_vector
from tests.index.small import SPACE, photo, recipe


def test_the_score_of_several_parts_is_their_weighted_mean(index, catalogue):
    like = recipe("q", "Beef", ["1 kg beef"])
    data = photo("red")
    query = build_query(
        lambda: index.chef, index.chef.embed_images([data])[0], None, like, None, {"image": 3}, SPACE
    )
    image, text = query.parts
    assert (image.weight, text.weight) == (0.75, 0.25)
    hits = index.search(data, recipe=like, weights={"image": 3}, k=6)
    scores = {hit.id: hit.score for hit in hits}
    for row, vector in enumerate(catalogue.recipe_vectors.vectors):
        wanted = 0.75 * float(vector @ image.vector) + 0.25 * float(vector @ text.vector)
        assert scores[catalogue.ids[row].as_py()] == pytest.approx(wanted, abs=1e-5)


def test_words_are_cosine_and_letters(index, catalogue):
    query = build_query(lambda: index.chef, None, " tomato salad ", None, None, None, SPACE)
    (part,) = query.parts
    assert part.tokens == ("tomatoes",)
    row = catalogue.row("salad")
    assert lexical_scores(catalogue, index.resolver(catalogue), part)[row] == pytest.approx(1)
    (hit, *_) = index.search(text="tomato salad")
    assert hit.id == "salad"
    assert hit.score == pytest.approx(
        LEXICAL + (1 - LEXICAL) * float(catalogue.recipe_vectors.vectors[row] @ part.vector), abs=1e-5
    )


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
        build_query(lambda: index.chef, None, "soup", None, None, weights, SPACE)


def test_vectors_of_the_user():
    assert np.linalg.norm(unit_vector(np.full(SPACE, 7.0), SPACE)) == pytest.approx(1)
    for bad in (np.zeros(SPACE), np.ones(SPACE + 1), np.full(SPACE, np.nan)):
        with pytest.raises(ChefError, match="not a point"):
            unit_vector(bad, SPACE)


def test_lexical_scores(index, catalogue):
    def ranked(text: str, *tokens: str) -> dict[str, float]:
        part = Part("text", 1.0, np.zeros(SPACE), text, tuple(text.split()), tokens)
        scores = lexical_scores(catalogue, index.resolver(catalogue), part)
        return dict(zip(catalogue.ids.to_pylist(), scores.tolist(), strict=True))

    def above_half(ranks: dict[str, float]) -> set[str]:
        return {id for id, score in ranks.items() if score > 0.5}

    title = ranked("chicken soups", "chicken")
    assert title.pop("soup") == pytest.approx(1.0)
    assert max(title, key=title.__getitem__) == "rice"
    assert title["rice"] < 0.85
    assert above_half(ranked("onion", "onion")) == {"soup", "curry", "salad"}  # the ingredients count, too
    rare = ranked("chicken cake", "chicken")
    assert rare["cake"] > rare["soup"] > rare["toast"] == 0
    assert not any(ranked("zzz").values())
    tagged = ranked("quick")
    assert above_half(tagged) == {"rice", "curry"}
    assert max(tagged.values()) < 0.8  # no title says it
