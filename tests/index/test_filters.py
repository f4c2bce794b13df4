import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.index import Index, values
from chef.index.conditions import AtMost, Has, IdIn, MainIs, Understood
from chef.index.filters import Filters, IngredientResolver, understand
from tests.conftest import cases, probes
from tests.index.small import recipe, write_model

WORDS = st.lists(st.sampled_from(["chicken", "nuts", "onion", "dairy", "salt", "beef", "gluten"]), max_size=2)


@settings(deadline=None, max_examples=60)
@given(
    WORDS,
    WORDS,
    st.sampled_from([None, "chicken", "bread"]),
    st.sampled_from([None, 2, 3, 4]),
    st.lists(st.sampled_from(["quick", "SOUP", "none"]), max_size=1),
    st.lists(st.sampled_from(["soup", "cake", "unknown"]), max_size=2),
)
def test_filters_hold_exactly(index, with_, without, main, most, tags, exclude):
    catalogue = index._catalogue()
    resolver = index.resolver(catalogue)
    mask = Filters(with_, without, main, most, tags, exclude).mask(catalogue, resolver)
    mask = np.ones(len(catalogue), bool) if mask is None else mask
    passed = {catalogue.ids[row].as_py() for row in np.flatnonzero(mask)}
    for entry in index.entries():
        tokens = set(entry.tokens)
        expected = (
            all(tokens & resolver.resolve(word) for word in with_)
            and not any(tokens & resolver.resolve(word, derived=True) for word in without)
            and (main is None or entry.main_ingredient in resolver.resolve(main))
            and (most is None or len(tokens) <= most)
            and all(tag.lower() in {own.lower() for own in entry.recipe.tags} for tag in tags)
            and entry.id not in exclude
        )
        assert (entry.id in passed) is expected, entry.id


def test_nothing_asked_is_no_filter_and_no_ingredients_an_error(catalogue):
    assert Filters().mask(catalogue, None) is None
    assert not Filters(exclude=["soup"])
    assert Filters(max_ingredients=3)
    with pytest.raises(ChefError, match="leaves nothing"):
        Filters(max_ingredients=0).mask(catalogue, None)


TOKENS = """
basmati_rice rice rice_vinegar red_onion onion green_onions chicken_breasts chicken_broth bacon pork_chops
walnuts walnut_oil butter peanut_butter garlic_butter bell_peppers red_bell_pepper black_pepper eggs
egg_whites mayonnaise eggplant granny_mystery_paste lamb_chops ground_lamb lamb_stock
""".split()


@pytest.fixture(scope="module")
def resolver() -> IngredientResolver:
    return IngredientResolver(CanonicalMap.load(), TOKENS)


@pytest.mark.parametrize(("word", "expected"), cases("index", "what a word means"))
def test_what_a_word_means(resolver, word, expected):
    assert resolver.resolve(word) & set(TOKENS) == set(expected)


@pytest.mark.parametrize(
    ("word", "more"),
    [("nuts", {"walnut_oil"}), ("pork", {"bacon"}), ("poultry", {"chicken_broth"}), ("eggs", {"mayonnaise"})],
)
def test_derived_foods_are_what_is_made_of_it(resolver, word, more):
    assert resolver.resolve(word, derived=True) - resolver.resolve(word) == more


def test_a_known_ingredient_that_nothing_has_means_itself(resolver):
    assert resolver.resolve("saffron") == {"saffron_threads"}


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("chikken", r"unknown ingredient 'chikken' \(did you mean"),
        ("walnutz", r"unknown ingredient 'walnutz' \(did you mean"),
        ("qqqqqqqq", "name an ingredient"),
        *((word, "empty ingredient") for word in ("", "  ", "🍕", "../")),
    ],
)
def test_an_unknown_word_is_an_error(resolver, word, problem):
    with pytest.raises(ChefError, match=problem):
        resolver.resolve(word)


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> Index:
    """Recipes that a filter must read in every word, or cannot read."""
    folder = tmp_path_factory.mktemp("read")
    collection = Index(folder / "collection", write_model(folder))
    collection.add(
        [
            recipe("rice", "Plain Rice", ["1 cup rice", "1 tsp salt"]),
            recipe("choice", "Rice", ["1 cup rice", "1 tbsp oil or ghee"]),
            recipe(
                "step", "Rice Salad", ["1 cup rice"], ["Boil the rice.", "Sprinkle with crushed peanuts."]
            ),
            recipe("stew", "Beef Stew", ["500 g beef", "2 potatoes"]),
            recipe("secret", "Rice with a Secret", ["1 cup rice", "2 tbsp zzyxqua"]),
            recipe(
                "german",
                "Reis",
                ["200 g Reis", "50 g Mandeln", "etwas Salz und Pfeffer"],
                ["Den Reis in Wasser kochen und mit den Mandeln bestreuen, dann heiss servieren."],
            ),
        ]
    )
    return collection


@pytest.mark.parametrize(("asked", "ids"), cases("index", "a group or diet"))
def test_a_group_or_diet_is_asked_of_the_whole_recipe(read, asked, ids):
    assert {hit.id for hit in read.search(**asked)} == set(ids)


def test_what_was_not_understood_is_said(read):
    hits = {hit.id: hit for hit in read.search(without=["soy"], include_unsure=True)}
    assert hits["secret"].not_understood == ["2 tbsp zzyxqua"]
    assert "not understood: '2 tbsp zzyxqua'" in hits["secret"].why
    assert "not in English, so it was not read" in hits["german"].why
    assert hits["rice"].not_understood == []


def test_an_unknown_diet_is_an_error_with_close_matches(read):
    with pytest.raises(ChefError, match=r"unknown diet 'vegn' \(did you mean 'vegan'\?\)"):
        read.search(diet="vegn")


def test_a_collection_that_does_not_say_what_it_contains_must_be_rebuilt(tmp_path, monkeypatch):
    model = write_model(tmp_path)
    monkeypatch.setattr(values, "CONTENTS_VERSION", 0)
    collection = Index(tmp_path / "old", model)
    collection.add([recipe("rice", "Rice", ["1 cup rice"])])
    assert [hit.id for hit in collection.search(without=["salt"])] == ["rice"]
    with pytest.raises(ChefError, match="chef index rebuild"):
        collection.search(without=["dairy"])
    monkeypatch.undo()
    collection.rebuild()
    assert [hit.id for hit in collection.search(without=["dairy"])] == ["rice"]


KNOWN = {"coconut", "mushrooms", "garlic", "onions", "cheese", "sugar", "cream", "bell peppers"}


@pytest.mark.parametrize(("text", "rest", "without", "diet"), probes("asked.tsv"))
def test_filters_in_words(text, rest, without, diet):
    asked = understand(text, lambda word: word.lower() in KNOWN)
    assert (asked.text, ", ".join(asked.without), asked.diet or "") == (rest, without, diet)


@pytest.mark.parametrize(
    "condition",
    [
        AtMost("tokens", 3),
        AtMost("tokens", 1, besides=["onion", "chicken_thighs", "salt"]),
        Has("tokens", ["salt", "beef"]),
        Has("words", ["chicken", "soup"], every=True),
        Has("tags", []) | Has("tags", [], every=True) & ~Has("tags", ["quick"]),
        MainIs(["beef", "tomatoes"]) | MainIs([]),
        ~(IdIn(["soup", "it's", "toast"]) & Understood()),
        IdIn([]),
    ],
    ids=str,
)
def test_a_condition_means_the_same_in_memory_and_in_sql(index, catalogue, condition):
    passing = np.array(catalogue.ids.to_pylist())[condition.mask(catalogue)]
    rows = index._store.lance_snapshot().columns({"id": "id"}, condition.sql)
    assert sorted(rows["id"].to_pylist()) == passing.tolist()
