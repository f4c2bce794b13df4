from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.text.tokens import normalise, plain, sentences, tokenise, without_accents


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pre-heat the oven", ["pre", "heat", "the", "oven"]), ("Don't stir!", ["dont", "stir"]),
        ("baker's flour", ["baker", "flour"]), ("1½ cups, 2.5 oz", ["1", "1/2", "cups", "2.5", "oz"]),
        ("350°F/180°C", ["350", "f", "180", "c"]), ("Crème brûlée", ["creme", "brulee"]), ("...", []),
    ],
)  # fmt: skip
def test_tokenise(text, expected):
    assert tokenise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boil. Drain. Serve.", ["Boil.", "Drain.", "Serve."]),
        ("Cook 5 min. until soft. Serve.", ["Cook 5 min. until soft.", "Serve."]),
        ("Cook 5 min. Stir; serve hot.", ["Cook 5 min.", "Stir;", "serve hot."]),
        ("Add 1.5 cups of stock", ["Add 1.5 cups of stock"]),
        ("Stir (do not beat.) Then rest", ["Stir (do not beat.)", "Then rest"]),
        ("Mix\n\nBake", ["Mix", "Bake"]),
        (" ... ", []),
        ("", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


@given(st.text())
def test_tokens_are_clean_and_sentences_lose_none(text):
    tokens = tokenise(text)
    assert all(token == token.lower() and token.split() == [token] for token in tokens)
    assert [word for part in sentences(text) for word in tokenise(part)] == tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("½ Cup", "1/2 cup"), ("1½ cups", "1 1/2 cups"), ("2 ⅓ cups", "2 1/3 cups"), ("1⁄2 cup", "1/2 cup"),
        ("“Fine”  sugar – baker’s", '"fine" sugar - baker\'s'), ("Jell-O® Gelatin™", "jell-o gelatin"),
        ("ﬂour\u00a0and\u200b water", "flour and water"), ("", ""),
    ],
)  # fmt: skip
def test_normalise(text, expected):
    assert normalise(text) == expected


@given(st.text())
def test_normal_text_stays_as_it_is(text):
    assert normalise(normalise(text)) == normalise(text)


def test_plain_keeps_the_case_and_accents_can_go():
    assert plain("1 T sugar, 1 t salt") == "1 T sugar, 1 t salt"
    assert without_accents("jalapeño, crème fraîche") == "jalapeno, creme fraiche"
