import numpy as np
import pyarrow as pa
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.index.catalogue import Catalogue
from chef.index.query import LEXICAL, Part, build_query, lexical_scores, unit_vector
from chef.recipe import Recipe
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


def soups() -> list[Recipe]:
    """Dishes for tomato soup and beef stew, from the best to the worst."""
    tomatoes, beans = "1 kg ripe tomatoes", "500 g white beans"
    return [
        recipe("exact", "Tomato Soup", [tomatoes, "1 l water"]),
        recipe("long", "Tomato Soup with Basil, Pepper and Crusty Garlic Croutons", [tomatoes, "1 l water"]),
        recipe("by-kind", "Gazpacho", [tomatoes, "1 tsp salt"]),
        recipe("listed", "Minestrone", [beans, "2 tomatoes", "1 onion"]),
        recipe("other", "Miso Soup", ["100 g miso", "1 l water"]),
        recipe("beef", "Boeuf Bourguignon", ["1 kg beef chuck", "2 onions", "1 bottle red wine"]),
        recipe("no-stew", "Beef Noodles", ["500 g beef", "200 g rice noodles"]),
        recipe("not-mainly", "Cassoulet", [beans, "50 g beef", "1 onion"]),
        recipe("fry", "Kung Pao Shrimp", ["500 g shrimp", "50 g peanuts"]),
        recipe("cake", "Sponge Cake", ["2 cups flour", "4 eggs"]),
    ]


@pytest.fixture(scope="module")
def kitchen(model, tmp_path_factory) -> Index:
    index = Index(tmp_path_factory.mktemp("soups") / "c", model)
    index.add(soups())
    return index


def lexical(index: Index, text: str, catalogue: Catalogue | None = None) -> dict[str, float]:
    """How well the words match, by id."""
    catalogue = catalogue or index._catalogue()
    part = build_query(lambda: index.chef, None, text, None, None, None, SPACE).words
    scores = lexical_scores(catalogue, index.resolver(catalogue), part)
    return dict(zip(catalogue.ids.to_pylist(), scores.tolist(), strict=True))


def test_mainly_the_ingredient_and_of_the_kind_comes_first(kitchen):
    scores = lexical(kitchen, "tomato soup")
    order = ["exact", "long", "by-kind", "listed", "other", "cake"]
    assert sorted(order, key=scores.__getitem__, reverse=True) == order
    assert len({scores[id] for id in order}) == len(order)
    assert scores["cake"] == 0
    stew = lexical(kitchen, "beef stews")
    order = ["beef", "not-mainly", "no-stew", "other"]
    assert sorted(order, key=stew.__getitem__, reverse=True) == order
    assert len({stew[id] for id in order}) == len(order)


def test_a_hit_says_of_what_kind_it_is(kitchen):
    reasons = {hit.id: hit.why for hit in kitchen.search(text="tomato soups", k=20)}
    assert "a kind of soup" in reasons["by-kind"]
    for id in ("exact", "beef"):  # its title says so; it is none
        assert "a kind of soup" not in reasons[id]


def test_a_dish_called_so_comes_before_one_that_is_so_by_the_table(kitchen):
    scores = lexical(kitchen, "soup")
    assert min(scores["exact"], scores["long"], scores["other"]) > scores["by-kind"] > 0.5
    assert scores["by-kind"] == scores["listed"]
    assert scores["beef"] == 0 < lexical(kitchen, "stew")["beef"]
    assert lexical(kitchen, "stir fry")["fry"] > 0.5


def test_of_several_ingredients_all_count_more_than_the_main_one(kitchen):
    scores = lexical(kitchen, "beef onions white beans")
    assert scores["not-mainly"] > scores["beef"] > scores["no-stew"]
    # Only one of several can be the main one: that counts less, the more there are.
    alone, both = lexical(kitchen, "beef"), lexical(kitchen, "beef onions")
    assert alone["beef"] - alone["not-mainly"] > both["beef"] - both["not-mainly"] > 0


def test_an_unsure_main_ingredient_counts_as_listed(kitchen):
    catalogue = Catalogue(kitchen._catalogue().snapshot)
    for confidence, is_sure in ((0.5, True), (0.49, False), (None, False)):
        catalogue.__dict__.pop("sure_mains", None)
        catalogue._main_confidence = pa.array([confidence] * len(catalogue), pa.float64())
        scores = lexical(kitchen, "tomatoes", catalogue)
        assert (scores["by-kind"] > scores["listed"]) == is_sure
        assert scores["listed"] > 0
    del catalogue.sure_mains
    catalogue._main_confidence = None  # a collection of an earlier version
    assert not catalogue.sure_mains.names


def test_a_word_of_an_ingredient_asks_for_no_kind_of_dish(kitchen):
    """Sweet potatoes are no sweets."""
    assert lexical(kitchen, "sweet potatoes")["cake"] == 0 < lexical(kitchen, "sweet")["cake"]
    assert lexical(kitchen, "beans")["listed"] > 0.5  # a word for many, which no recipe has
