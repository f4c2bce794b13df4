import pytest

from chef.text.words import words_in
from tests.rewrite.small import mentions


def named(text, left, others=(), *, title=False, also=()):
    """The words of the text that name the ingredients of these lines."""
    words, finder = words_in(text), mentions(list(left), list(others), also)
    return [text[words[one.first].start : words[one.last - 1].end] for one in finder.find(text, title=title)]


@pytest.mark.parametrize(
    ("text", "left", "others", "names"),
    [
        # other names of the same ingredient, and what is longer is another one
        ("Trim the green beans; boil the beans, drain the Green Bean.", ["1 lb string beans"], [],
         ["green beans", "beans", "Green Bean"]),
        ("Melt the butter with peanut butter and buttermilk.", ["butter"], ["peanut butter"], ["butter"]),
        ("Pour in the chicken broth, add the chicken.", ["2 chicken breasts"], [], ["chicken"]),
        # the short form belongs to the only one
        ("Top with the cheese.", ["100 g cheddar cheese"], [], ["cheese"]),
        ("Top with the cheese.", ["100 g cheddar cheese"], ["50 g parmesan cheese"], []),
        # a cut needs a determiner
        ("Turn the breasts and leave them.", ["4 chicken breasts"], [], ["breasts"]),
        ("Roast for an hour.", ["1 kg pork roast"], [], []),
        # the sauce that is made is not the bottled one
        ("Pour the sauce over the soy sauce.", ["2 tbsp soy sauce"], [], ["soy sauce"]),
        # other things with the name
        ("Brush with egg wash.", ["2 eggs"], [], []),
        ("Use a garlic press.", ["garlic"], [], []),
        ("A butter-flavored spray.", ["butter"], [], []),
        # states and forms are not part of it
        ("Add the cooked chicken pieces.", ["500 g chicken"], [], ["chicken"]),
    ],
)  # fmt: skip
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
