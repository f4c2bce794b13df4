"""Lists of words that say what a part of an ingredient's name means, from `tables/words.tsv`.

All are singular: compare them with the keys of `chef.text.words`.
"""

from __future__ import annotations

from chef.files import rows


def _list(name: str) -> frozenset[str]:
    table = rows("chef.food", "words.tsv")
    return frozenset(word for row, words in table if row == name for word in words.split())


# What an animal is cut into: a chicken breast is chicken.
CUTS = _list("cut")
# What any food is divided into: apple wedges are apples.
PIECES = _list("piece")
# The same, and parts of plants: celery stalks are celery, though grape leaves are no grapes.
FORMS = PIECES | _list("plant part")
# What is made of a food and is no longer that food: chicken broth is no chicken.
DERIVED = _list("derived")
# Words that name an ingredient in an ingredient list but often mean something else alone in a sentence.
AMBIGUOUS = _list("ambiguous")
