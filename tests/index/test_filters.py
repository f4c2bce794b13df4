import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.index.filters import Filters, IngredientResolver

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


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("rice", {"rice", "basmati_rice"}), ("Onions", {"onion", "red_onion", "green_onions"}),
        ("chicken", {"chicken_breasts"}), ("chicken_breasts", {"chicken_breasts"}), ("pork", {"pork_chops"}),
        ("nuts", {"walnuts", "peanut_butter"}), ("butter", {"butter", "garlic_butter"}),
        ("peppers", {"bell_peppers", "red_bell_pepper"}), ("pepper", {"black_pepper"}),
        ("eggs", {"eggs", "egg_whites"}), ("aubergine", {"eggplant"}),
        ("lamb", {"lamb_chops", "ground_lamb"}), ("Granny Mystery Paste", {"granny_mystery_paste"}),
    ],
)  # fmt: skip
def test_what_a_word_means(resolver, word, expected):
    assert resolver.resolve(word) & set(TOKENS) == expected


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
