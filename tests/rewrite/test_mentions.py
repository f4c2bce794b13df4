import pytest

from chef.text.words import words_in
from tests.conftest import cases
from tests.rewrite.small import mentions


def named(text, left, others=(), *, title=False, also=()):
    """The words of the text that name the ingredients of these lines."""
    words, finder = words_in(text), mentions(list(left), list(others), also)
    return [text[words[one.first].start : words[one.last - 1].end] for one in finder.find(text, title=title)]


@pytest.mark.parametrize(("text", "left", "others", "names"), cases("rewrite", "mentions"))
def test_mentions(text, left, others, names):
    assert named(text, left, others) == names


def test_a_name_used_as_a_verb_is_no_noun():
    finder = mentions(["salt"], [])
    assert len(finder.find("Salt the water. Add salt.")) == 2
    assert len(finder.find("Salt the water. Add salt.", nouns=True)) == 1


def test_titles_block_only_what_the_recipe_has():
    assert named("Tomato Soup", ["4 tomatoes"], title=True) == ["Tomato"]
    assert named("Peanut Butter Cookies", ["butter"], ["peanut butter"], title=True) == []
    assert named("Chicken Fried Rice", ["1 chicken"], title=True) == ["Chicken"]


def test_other_words_for_it():
    assert named("Brown the meat.", ["1 lb ground beef"], also=("meat",)) == ["meat"]
    assert named("Brown the meat.", ["1 lb ground beef"]) == []
