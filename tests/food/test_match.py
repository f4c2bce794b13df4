"""Foods: the tables are sound, and names find their food."""

import pytest

from chef.files import rows
from chef.food.units import key_of, match, singular, units, usda_name
from tests.conftest import cases

SIZES = {"each", "small", "medium", "large", "taste"}


@pytest.mark.parametrize(("word", "one"), cases("food", "singular"))
def test_singular(word: str, one: str) -> None:
    assert singular(word) == one


def test_key_folds_spelling() -> None:
    assert key_of("Jalapeño Chillies") == key_of("jalapeno chili")
    assert key_of("All-Purpose Flours") == "all purpose flour"


def test_every_row_of_our_table_is_sound() -> None:
    usda = {row[0] for row in rows("chef.food", "measures.tsv")}
    seen: set[str] = set()
    for names, number, measures, reason in rows("chef.food", "foods.tsv"):
        assert number in usda or not number
        assert reason
        for name in names.split("|"):
            plain = name.rstrip("=")
            assert key_of(plain) == plain, "a name that is no key is never found"
            assert plain not in seen
            assert not name.endswith("=") or number
            seen.add(plain)
        for measure in measures.split():
            key, _, value = measure.partition("=")
            assert key.split("/")[0] in {"ml", *SIZES, *units()}
            assert float(value) > 0
    assert len(seen) > 300


def test_densities_are_those_of_food() -> None:
    for _, title, measures in rows("chef.food", "measures.tsv"):
        for measure in measures.split():
            key, _, value = measure.partition("=")
            assert not key.startswith("ml") or 0.005 < float(value) < 2.2, title


@pytest.mark.parametrize(
    ("one", "other"),
    [("scallions", "spring onion"), ("courgette", "zucchini"), ("confectioners' sugar", "icing sugar")],
)
def test_two_names_of_one_food(one: str, other: str) -> None:
    assert usda_name(one) is not None
    assert usda_name(one) == usda_name(other)


@pytest.mark.parametrize(
    ("one", "other"), [("walnuts", "hazelnuts"), ("cumin", "mustard seeds"), ("beef", "lamb")]
)
def test_measured_alike_is_not_the_same_food(one: str, other: str) -> None:
    assert usda_name(one) is None or usda_name(one) != usda_name(other)


def test_ways_to_find_a_food() -> None:
    flour, rare, end = match("flour"), match("rhubarb"), match("grandmother's salsa")
    assert flour is not None
    assert (flour.by, flour.food.title) == ("name", "Wheat flour, white, all-purpose, enriched, bleached")
    assert rare is not None
    assert (rare.by, rare.food.title) == ("words", "Rhubarb, raw")
    assert end is not None
    assert end.by == "end"
    assert match("qwertz") is None
    assert usda_name("qwertz") is None
