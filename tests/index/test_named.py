import pytest

from chef.files import rows
from chef.index.conditions import Has
from chef.index.filters import IngredientResolver
from chef.index.named import anywhere, described, dish_of, is_kind, key, mainly, meant, names_in, taken_apart

READ = {"tomato": ["tomatoes"], "french onion": ["french", "onion"], "onion": ["onion"]}


@pytest.fixture(scope="module")
def resolver(index) -> IngredientResolver:
    return IngredientResolver(index.chef.texts.canonical, ["black_beans", "beans", "egg_whites", "tomatoes"])


def test_words_that_name_a_dish_together_are_one_name_and_stop_words_none():
    assert names_in(["chicken", "stir", "fry"]) == ["chicken", "stir_fry"]
    assert names_in(["the", "soup", "with", "rice", "rice"]) == ["soup", "rice"]
    assert names_in(["soups", "soup"]) == ["soups", "soup"]
    assert names_in(["fry", "stir"]) == ["fry", "stir"]
    assert names_in(["the"]) == ["the"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stews", "a kind of stew"),
        ("ice_cream", "a kind of ice cream"),
        ("dinner", "a dinner dish"),
        ("stir_fry", "a kind of stir fry"),
        ("cold", "a cold dish"),
    ],
)
def test_what_a_dish_is_said_to_be(name, said):
    assert described(name) == said


@pytest.mark.parametrize(
    ("token", "said", "parts"),
    [
        ("tomato_soup", ["tomato", "soup"], ["tomatoes", "soup"]),
        ("condensed_french_onion_soup", ["onion", "soup"], ["onion", "soup"]),  # what nobody said is left out
        ("rice_noodles", ["rice", "noodle"], ["rice_noodles"]),  # noodles are an ingredient
        ("soup", ["soup"], ["soup"]),
        ("black_beans", ["black", "bean"], ["black_beans"]),
    ],
)
def test_an_ingredient_that_is_a_dish_is_taken_apart(token, said, parts):
    assert [*taken_apart(token, said, {"noodles", "tomato_soup"}, lambda words: READ[words])] == parts


def test_general_words_mean_ingredients_and_endings_of_their_names_do_not(resolver):
    assert meant("bean", (), resolver) == {"black_beans", "beans"}
    assert meant("tomatoes", ("tomatoes",), resolver) == {"tomatoes"}
    for word in ("white", "soup", "zzz"):  # no egg white, a dish, nothing
        assert meant(word, (), resolver) == frozenset()
    assert "'beans'" in anywhere("bean", (), resolver).sql
    assert "main_ingredient IN ('beans', 'black_beans')" in mainly("bean", (), resolver).sql
    assert "main_ingredient" not in mainly("soup", (), resolver).sql


def test_kinds_of_dish_are_found_by_other_words_in_both_numbers():
    assert is_kind("stews")
    assert is_kind("stir_fry")
    assert not is_kind("stir")
    assert dish_of("zzz") is None
    assert dish_of("stews") == dish_of("stew")
    burger = dish_of("burgers")
    assert isinstance(burger, Has)
    assert "cheeseburger" in burger.names


def test_the_table_has_every_name_once_and_none_that_is_one_word_by_mistake():
    seen = set()
    for course, names in rows("chef.food", "courses.tsv"):
        for name in names.split():
            assert (key(course), key(name)) not in seen, name
            seen.add((key(course), key(name)))
            # As titles are matched a doubled word is one: "dan dan" would be whatever is called Dan.
            assert len(key(name).split()) == len(name.split("_")), name
            assert key(name) != key(course), name
