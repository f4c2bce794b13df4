from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.index.filters import Filters

WORDS = st.lists(st.sampled_from(["chicken", "nuts", "onion", "dairy", "salt", "beef", "gluten"]), max_size=2)


@settings(deadline=None, max_examples=60)
@given(
    WORDS,
    WORDS,
    st.sampled_from([None, "chicken", "bread"]),
    st.sampled_from([None, 2, 3, 4]),
    st.lists(st.sampled_from(["quick", "SOUP", "none"]), max_size=1),
    st.lists(st.sampled_from(["soup", "cake", "unknown"]), max_size=2),
)
def test_filters_hold_exactly(index, with_, without, main, most, tags, exclude):
    catalogue = index._catalogue()
    meanings = index._meanings(catalogue)
    found = Filters(with_, without, main, most, tags, exclude).mask(catalogue, meanings)
    passed = set() if found is None else {catalogue.ids[row].as_py() for row in np.flatnonzero(found)}
    if found is None:
        passed = {entry.id for entry in index.entries()}
    for entry in index.entries():
        tokens = set(entry.tokens)
        expected = (
            all(tokens & meanings.of(word) for word in with_)
            and not any(tokens & meanings.traces(word) for word in without)
            and (main is None or entry.main_ingredient in meanings.of(main))
            and (most is None or len(tokens) <= most)
            and all(tag.lower() in {own.lower() for own in entry.recipe.tags} for tag in tags)
            and entry.id not in exclude
        )
        assert (entry.id in passed) is expected, entry.id


def test_nothing_asked_is_no_filter(catalogue):
    assert Filters().mask(catalogue, None) is None
    assert not Filters(exclude=["soup"])
    assert Filters(max_ingredients=3)


def test_no_ingredients_at_all_is_an_error(catalogue):
    with pytest.raises(ChefError, match="leaves nothing"):
        Filters(max_ingredients=0).mask(catalogue, None)
