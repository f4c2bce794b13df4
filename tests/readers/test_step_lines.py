from __future__ import annotations

from typing import Any

import pytest

from chef.readers.step_lines import steps
from chef.recipe import Step


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("Boil.\n\n2. Peel.\nServe.", ["Boil.", "Peel.", "Serve."]),
        (["<p>Boil.</p><p>Peel.</p>"], ["Boil.", "Peel."]),
        (["Boil\nwell.", "Peel."], ["Boil well.", "Peel."]),
        (["Bake 1.5 hours.", "4 eggs go in."], ["Bake 1.5 hours.", "4 eggs go in."]),
        ([{"@type": "HowToStep", "text": "Boil.", "name": "Boiling"}, {"name": "Peel."}], ["Boil.", "Peel."]),
        ({"@type": "ItemList", "itemListElement": [{"text": "Boil."}]}, ["Boil."]),
        ({"1": "Boil.", "2": "Peel."}, ["Boil.", "Peel."]),
        ([{"image": "x.jpg"}, None, 5, True], []),
        (7, []),
    ],
)
def test_texts(value: Any, wanted: list[str]) -> None:
    assert [step.text for step in steps(value)] == wanted


def test_sections_of_schema_org() -> None:
    value = [
        {"@type": "HowToSection", "name": "Crust", "itemListElement": [{"text": "Roll."}, "Rest."]},
        {"@type": "HowToStep", "text": "Bake."},
    ]
    assert steps(value) == (Step("Roll.", "Crust"), Step("Rest.", "Crust"), Step("Bake."))


def test_sections_of_mealie_stay_until_the_next_title() -> None:
    value = [
        {"title": "Crust", "text": "Roll."},
        {"title": "", "text": "Rest."},
        {"title": "Top", "text": "Whip."},
    ]
    assert steps(value) == (Step("Roll.", "Crust"), Step("Rest.", "Crust"), Step("Whip.", "Top"))


def test_sections_of_nextcloud_and_by_key() -> None:
    assert steps(["## Crust", "Roll."]) == (Step("Roll.", "Crust"),)
    assert steps({"Crust": ["Roll."], "Top": ["Whip."]}) == (Step("Roll.", "Crust"), Step("Whip.", "Top"))


def test_our_own_sections() -> None:
    assert steps([{"text": "Roll.", "section": "Crust"}, "Bake."]) == (Step("Roll.", "Crust"), Step("Bake."))
