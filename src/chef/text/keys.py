"""Step 1 of the canonical ingredients: two spellings of one name have the same key (paper, Sec. 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from chef.text.tokens import tokenise

# Words that simplemma has wrong, or whose singular is another thing (greens are not the colour green).
_SINGULAR = {
    "leaves": "leaf", "loaves": "loaf", "halves": "half", "calves": "calf", "curries": "curry",
    "veggies": "veggie", "fries": "fries", "greens": "greens", "brussels": "brussels", "brussel": "brussels",
    "hops": "hops", "preserves": "preserves", "grits": "grits", "quesadillas": "quesadilla", "naans": "naan",
    "ladyfingers": "ladyfinger", "oreos": "oreo", "chillis": "chilli", "bitters": "bitters",
    "poblanos": "poblano", "serranos": "serrano", "passatas": "passata", "oats": "oats", "oat": "oats",
}  # fmt: skip

# One word, several ways to write it: the first is ours.
_SPELLINGS = (
    ("chili", "chile", "chilli", "chilly", "chillie"),
    ("yogurt", "yoghurt", "yoghourt", "yogourt"),
    ("omelet", "omelette"),
    ("donut", "doughnut"),
    ("flavor", "flavour"),
    ("flavoring", "flavouring"),
    ("color", "colour"),
    ("coloring", "colouring"),
    ("ketchup", "catsup"),
    ("mayonnaise", "mayo", "mayonaise"),
    ("whiskey", "whisky"),
    ("chipotle", "chipolte"),
    ("parmesan", "parmesean", "parmasan", "parmesen"),
    ("worcestershire", "worchestershire", "worcester", "worcestshire", "worchester"),
    ("jalapeno", "jalepeno", "jalapino"),
    ("hummus", "houmous", "hoummus"),
    ("turmeric", "tumeric"),
    ("cardamom", "cardamon", "cardomom", "cardmaom"),
    ("fettuccine", "fettucine", "fettuccini", "fettucini"),
    ("linguine", "linguini"),
    ("zucchini", "zuchini", "zuchinni"),
    ("broccoli", "brocoli", "brocolli"),
    ("mozzarella", "mozarella", "mozzerella"),
    ("fillet", "filet"),
    ("masala", "massala"),
    ("coriander", "coirander", "corriander"),
    ("szechuan", "sichuan", "szechwan"),
)
_SPELLING = {other: first for first, *others in _SPELLINGS for other in others}

# Alone, these plurals are another food: peppers are vegetables, pepper is the spice.
_PLURAL_ALONE = frozenset({"peppers"})


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular of a noun; every other word as it is.

    >>> singular("tomatoes"), singular("molasses"), singular("chopped")
    ('tomato', 'molasses', 'chopped')
    """
    if word in _SINGULAR:
        return _SINGULAR[word]
    # Only nouns in -s have plurals here: simplemma would also turn "chopped" into "chop".
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    # Here and below on first use: training machines read prepared data without these packages.
    import simplemma

    lemma: str = simplemma.lemmatize(word, lang="en").lower()
    return lemma if lemma[:2] == word[:2] else word


@lru_cache(maxsize=1 << 16)
def spelled(word: str) -> str:
    """The singular in the one spelling we use.

    >>> spelled("chillies"), spelled("yoghurts")
    ('chili', 'yogurt')
    """
    word = singular(word)
    return _SPELLING.get(word, word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return word if word.endswith("ing") else str(_stemmer().stemWord(word))


def plain_name(name: str) -> str:
    """A name as the map writes it: its words with single spaces.

    >>> plain_name("All-purpose  Flour")
    'all purpose flour'
    """
    return " ".join(tokenise(name))


def key_of(words: Sequence[str]) -> str:
    """The key of a name given as words; names with the same key are one ingredient.

    The last word names the food, so it only loses its plural: icing must not become ice. Nor is an
    -ing cut anywhere: whipping cream is not whipped cream, pickling onions are not pickled onions.

    >>> key_of(["diced", "tomatoes"]) == key_of(["dice", "tomato"])
    True
    """
    if not words:
        return ""
    if len(words) == 1 and words[0] in _PLURAL_ALONE:
        return words[0]
    stems = [_stem(spelled(word)) for word in words[:-1]]
    return " ".join([*stems, spelled(words[-1])])


def key(name: str) -> str:
    """The key of a name.

    >>> key("Green Beans") == key("green bean")
    True
    """
    return key_of(tokenise(name))
