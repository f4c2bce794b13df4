from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.text.tokens import sentences, tokenise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pre-heat the oven", ["pre", "heat", "the", "oven"]),
        ("Don't stir!", ["dont", "stir"]),
        ("baker's flour", ["baker", "flour"]),
        ("1½ cups, 2.5 oz", ["1", "1/2", "cups", "2.5", "oz"]),
        ("350°F/180°C", ["350", "f", "180", "c"]),
        ("Crème brûlée", ["creme", "brulee"]),
        ("...", []),
    ],
)
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
