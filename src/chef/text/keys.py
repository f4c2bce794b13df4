"""Step 1 of the canonical ingredients: two spellings of one name have the same key (paper, Sec. 4.1)."""

import threading
from collections.abc import Sequence
from functools import cache, lru_cache

from chef.files import rows
from chef.text.tokens import tokenise

# Alone, these plurals are another food: peppers are vegetables, pepper is the spice.
_PLURAL_ALONE = frozenset({"peppers"})


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular of a noun; every other word as it is.

    >>> singular("tomatoes"), singular("molasses"), singular("chopped")
    ('tomato', 'molasses', 'chopped')
    """
    if ours := _spellings("singular").get(word):
        return ours
    if not may_be_plural(word):
        return word
    lemma = _lemmas().get(word) or lemma_of(word)
    return lemma if lemma[:2] == word[:2] else word


def may_be_plural(word: str) -> bool:
    """Whether to look for a singular. Only nouns in -s have one: "chopped" must not become "chop"."""
    return len(word) >= 4 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def lemma_of(word: str) -> str:
    """What simplemma makes of a word; its dictionary takes a fifth of a second to load."""
    # Here and below on first use: training machines read prepared data without these packages.
    import simplemma

    return str(simplemma.lemmatize(word, lang="en")).lower()


@cache
def _lemmas() -> dict[str, str]:
    """`lemma_of` of the words that recipes use most."""
    return {row[0]: row[1] for row in rows("chef.text", "singulars.tsv")}


@lru_cache(maxsize=1 << 16)
def spelled(word: str) -> str:
    """The singular in the one spelling we use.

    >>> spelled("chillies"), spelled("yoghurts")
    ('chili', 'yogurt')
    """
    word = singular(word)
    return _spellings("spelling").get(word, word)


@cache
def _spellings(kind: str) -> dict[str, str]:
    """A list of `spellings.tsv`: other ways to write a word, and ours."""
    table = rows("chef.text", "spellings.tsv")
    return {other: ours for row, ours, others in table if row == kind for other in others.split()}


_of_thread = threading.local()


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    if word.endswith("ing"):
        return word
    if not hasattr(_of_thread, "stemmer"):  # one for each thread: a stemmer keeps the word that it works on
        import snowballstemmer

        _of_thread.stemmer = snowballstemmer.stemmer("english")
    return str(_of_thread.stemmer.stemWord(word))


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
    stems = [_stem(spelled(word)) for word in words[:-1]]
    return " ".join([*stems, last_of(words)])


def last_of(words: Sequence[str]) -> str:
    """The last word of the name's key: names with the same key have it in common."""
    if not words:
        return ""
    return words[0] if len(words) == 1 and words[0] in _PLURAL_ALONE else spelled(words[-1])


def key(name: str) -> str:
    """The key of a name.

    >>> key("Green Beans") == key("green bean")
    True
    """
    return key_of(tokenise(name))
