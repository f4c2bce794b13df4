from __future__ import annotations

import chef
from chef.index.rows import title_words, tokens_of
from tests.index.small import recipe


def test_tokens_are_unique_and_in_order(model):
    made = chef.load(model).read(
        recipe("x", "X", ["1 onion", "2 eggs", "1 onion, diced", "1 frumious bandersnatch"])
    )
    assert tokens_of(made.recipe) == ["onion", "eggs", "frumious_bandersnatch"]


def test_title_words():
    assert title_words("Chillies & Yoghurts, chillies!") == ["chili", "yogurt"]
    assert title_words("🍕") == []
