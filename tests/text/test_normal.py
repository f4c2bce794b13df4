from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.text.normal import normalise, plain, without_accents


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("½ Cup", "1/2 cup"),
        ("1½ cups", "1 1/2 cups"),
        ("2 ⅓ cups", "2 1/3 cups"),
        ("1⁄2 cup", "1/2 cup"),
        ("“Fine”  sugar – baker’s", '"fine" sugar - baker\'s'),
        ("Jell-O® Gelatin™", "jell-o gelatin"),
        ("ﬂour\u00a0and\u200b water", "flour and water"),
        ("", ""),
    ],
)
def test_normalise(text, expected):
    assert normalise(text) == expected


@given(st.text())
def test_normal_text_stays_as_it_is(text):
    assert normalise(normalise(text)) == normalise(text)


def test_plain_keeps_the_case_and_accents_can_go():
    assert plain("1 T sugar, 1 t salt") == "1 T sugar, 1 t salt"
    assert without_accents("jalapeño, crème fraîche") == "jalapeno, creme fraiche"
