from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.readers.lines import clean, clean_lines, decode, ingredients, steps
from chef.recipe import Ingredient, Step
from tests.conftest import cases


@pytest.mark.parametrize(("value", "wanted"), cases("readers", "ingredient lines"))
def test_lines(value: Any, wanted: list[str]) -> None:
    assert [item.line for item in ingredients(value)] == wanted


def test_our_own_form_keeps_what_was_parsed_unless_it_is_of_a_wrong_type() -> None:
    own = {
        "line": "2 cups cream:",
        "name": "cream",
        "amount": 2,
        "unit": "cup",
        "grams": 480.0,
        "token": "cream",
    }
    bad = {"line": "cream", "name": 5, "amount": "two", "unit": [], "grams": float("inf"), "token": None}
    assert ingredients([own, bad, {"line": "milk", "amount": 10**400, "grams": True}]) == (
        Ingredient("2 cups cream:", "cream", 2.0, "cup", 480.0, "cream"),
        Ingredient("cream"),
        Ingredient("milk"),
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    assert decode("Crème brûlée".encode(encoding)) == "Crème brûlée"


def test_endless_nesting_ends() -> None:
    value: Any = ["salt"]
    for _ in range(500):
        value = [value]
    assert ingredients(value) == ()


@pytest.mark.parametrize(("value", "wanted"), cases("readers", "texts"))
def test_texts(value: Any, wanted: list[str]) -> None:
    assert [step.text for step in steps(value)] == wanted


ROLL, REST, BAKE, WHIP = Step("Roll.", "Crust"), Step("Rest.", "Crust"), Step("Bake."), Step("Whip.", "Top")
SECTION = {"@type": "HowToSection", "name": "Crust", "itemListElement": [{"text": "Roll."}, "Rest."]}
MEALIE = [
    {"title": "Crust", "text": "Roll."},
    {"title": "", "text": "Rest."},
    {"title": "Top", "text": "Whip."},
]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ([SECTION, {"@type": "HowToStep", "text": "Bake."}], (ROLL, REST, BAKE)),
        (MEALIE, (ROLL, REST, WHIP)),  # a section stays until the next title
        (["## Crust", "Roll."], (ROLL,)),
        ({"Crust": ["Roll."], "Top": ["Whip."]}, (ROLL, WHIP)),
        ([{"text": "Roll.", "section": "Crust"}, "Bake."], (ROLL, BAKE)),
    ],
    ids=["schema.org", "Mealie", "Nextcloud", "by key", "ours"],
)
def test_sections(value: Any, wanted: tuple[Step, ...]) -> None:
    assert steps(value) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("  two \t cups\n flour ", "two cups flour"),
        ("salt &amp; pepper", "salt & pepper"),
        ("salt &amp;amp; pepper", "salt & pepper"),
        ("<p>1<sup>1/2</sup> cups</p>", "11/2 cups"),
        ("<td>2</td><td>eggs</td>", "2 eggs"),
        ("&lt;b&gt;bold&lt;/b&gt; claim", "bold claim"),
        ("heat < 180 & > 90", "heat < 180 & > 90"),
        ("a\x00b\x07c\ud800d", "abcd"),
        ("soft\u00adhyphen\u200b\ufeff", "softhyphen"),
        ("1\u00a0cup\u2028milk", "1 cup milk"),
        ("👩\u200d🍳 says hi", "👩\u200d🍳 says hi"),
    ],
)
def test_clean(raw: str, wanted: str) -> None:
    assert clean(raw) == wanted


@given(st.text(st.sampled_from("ab <>/&;#\n\t&lt;amp\x00\ud800"), max_size=40))
def test_clean_text_stays_as_it_is(raw: str) -> None:
    once = clean(raw)
    assert clean(once) == once
    once.encode()  # can be written out


def test_lines_end_at_breaks_and_block_tags() -> None:
    assert clean_lines("a<br>b\r\n\nc<p>d</p>") == ["a", "b", "c", "d"]
    assert clean_lines("&lt;li&gt;a&lt;/li&gt;&lt;li&gt;b&lt;/li&gt;") == ["a", "b"]


# Python itself refuses to write out the last number.
