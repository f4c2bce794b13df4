"""Units: every spelling leads to one unit, and no unit hides in a word; grams as a cook would give them."""

import re

import pytest

from chef.files import rows
from chef.food.units import grams, unit_of, unit_pattern, units
from tests.conftest import cases


def test_spellings() -> None:
    spellings = {
        "Tbsp.": "tablespoon", "TBSPS": "tablespoon", "EL": "tablespoon", "cucharadas": "tablespoon",
        "cucchiaio": "tablespoon", "cuillère à café": "teaspoon", "fl. oz.": "fluid ounce", "Prise": "pinch",
        "tins": "can", "lbs": "pound", "dl": "deciliter", '"': "inch",
    }  # fmt: skip
    for spelling, name in spellings.items():
        unit = unit_of(spelling)
        assert unit is not None
        assert unit.name == name


def test_no_spelling_means_two_units_and_other_words_none() -> None:
    assert unit_of("flour") is unit_of("") is None
    owners: dict[str, str] = {}
    for unit in units().values():
        for spelling in unit.spellings:
            assert owners.setdefault(spelling, unit.name) == unit.name


def test_measures_of_mass_and_volume_have_a_size() -> None:
    for unit in units().values():
        assert (unit.size is not None) == (unit.kind in ("mass", "volume", "length"))
    assert units()["pound"].size == pytest.approx(16 * (units()["ounce"].size or 0), rel=1e-3)
    assert units()["cup"].size == pytest.approx(16 * (units()["tablespoon"].size or 0), rel=1e-3)


def test_pattern_ends_at_word_end() -> None:
    pattern = re.compile(unit_pattern())
    assert pattern.match("garlic") is None
    assert pattern.match("lemon") is None
    match = pattern.match("fl. oz. of rum")
    assert match is not None
    assert match.group() == "fl. oz."


@pytest.mark.parametrize(("name", "amount", "unit", "weight"), cases("food", "usual things"))
def test_usual_things(name: str, amount: float, unit: str, weight: float) -> None:
    assert grams(name, amount, unit) == pytest.approx(weight, rel=0.1)


def test_size_matters() -> None:
    small, plain, large = (grams("onion", 1, "", size=size) for size in ("small", None, "large"))
    assert (small, plain, large) == (70, 110, 150)
    # A food with one weight only: house factors for the sizes.
    assert grams("mango", 1, "", size="small") < grams("mango", 1, "")  # type: ignore[operator]


def test_state_matters() -> None:
    def cup(name: str, text: str) -> float:
        return grams(name, 1, "cup", text=text) or 0

    assert (
        cup("rice", "1 cup rice") == cup("rice", "1 cup uncooked rice") > cup("rice", "1 cup cooked rice") > 0
    )
    assert cup("almonds", "whole almonds") > 1.3 * cup("almonds", "sliced almonds") > 0


def test_a_part_weighs_no_more_than_its_food() -> None:
    ours = {name.rstrip("=") for names, *_ in rows("chef.food", "foods.tsv") for name in names.split("|")}
    parts = {"leaf": "leaves", "sprig": "sprigs", "clove": "cloves", "slice": "slices", "stick": "sticks"}
    for name in ours | {title for _, title, _ in rows("chef.food", "measures.tsv")}:
        wholes = [grams(name, 1, unit) or 0 for unit in ("", "head", "bulb", "bunch", "loaf")]
        for one, many in parts.items() if any(wholes) else ():
            assert (grams(name, 1, one) or 0) <= max(wholes), name
            # "lettuce leaves"; some are foods of their own: "chicken sausage slice".
            assert name not in ours or (grams(f"{name} {many}", 1, "") or 0) <= max(wholes), name


def test_without_an_amount_only_seasonings_weigh() -> None:
    assert 0 < (grams("salt", None, None) or 0) < 10
    assert grams("chicken", None, None) is None
    assert grams("water", None, None) is None


def test_what_nobody_can_tell() -> None:
    assert grams("skewers", 4, "") is None
    assert grams("qwertz", 1, "cup") is None
    assert grams("qwertz", 2, "package") is None
    assert grams("flour", 1, "furlong") is None


def test_mass_needs_no_food_and_a_spoon_of_the_unknown_is_small_anyway() -> None:
    assert grams("qwertz", 2, "kilogram") == 2000
    assert grams("qwertz", 1, "teaspoon") == pytest.approx(4, abs=1)
