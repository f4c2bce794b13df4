import pytest

from chef.rewrite.lines import fitting, replace_in_line, rounded_weight
from tests.conftest import cases
from tests.rewrite.small import parsed, replacement


@pytest.mark.parametrize(("line", "word", "expected"), cases("rewrite", "lines"))
def test_lines(line, word, expected):
    is_one = expected in ("1 pear", "1 large leek, chopped")
    new = replace_in_line(parsed(line), replacement(word).noun)
    assert (new.text, new.is_one) == (expected, is_one)


@pytest.mark.parametrize(
    ("grams", "text"),
    [(453.59, "450 g"), (1587, "1.6 kg"), (9, "9 g"), (0.4, "1 g"), (113, "110 g"), (42, "40 g")],
)
def test_weights_as_a_cook_weighs(grams, text):
    assert rounded_weight(grams) == text


def test_remarks_lose_only_what_does_not_fit():
    assert fitting("peeled, cored and sliced", "pears") == "peeled, cored and sliced"
    assert fitting("peeled, cored and sliced", "tofu") == "sliced"
    assert fitting("melted and divided", "olive oil") == "divided"
    assert replace_in_line(parsed("4 slices bacon, crumbled"), replacement("shrimp").noun).lost == [
        "crumbled"
    ]
    assert replace_in_line(parsed("250 g salt cod"), replacement("chicken").noun).lost == ["salt"]
    assert fitting("skin removed", "beef") == ""
