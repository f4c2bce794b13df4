"""Units: every spelling leads to one unit, and no unit hides in a word."""

from __future__ import annotations

import re

import pytest

from chef.food.units import unit_of, unit_pattern, units


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
