import pytest

from chef.index.filters import understand
from tests.conftest import probes

KNOWN = {"coconut", "mushrooms", "garlic", "onions", "cheese", "sugar", "cream", "bell peppers"}


@pytest.mark.parametrize(("text", "rest", "without", "diet"), probes("asked.tsv"))
def test_filters_in_words(text, rest, without, diet):
    asked = understand(text, lambda word: word.lower() in KNOWN)
    assert (asked.text, ", ".join(asked.without), asked.diet or "") == (rest, without, diet)
