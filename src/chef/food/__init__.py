"""What CHEF knows about foods, from the tables in `tables/`.

canonical   names and their canonical ingredient: `CanonicalMap.load().token("spring onions")`
kinds       what a food is used as, and which states fit it: `kind_of`, `fits`
doneness    when a food is done, with the sources: `doneness_of`
usage       which words cooks use with a food: `usage_of`, `is_odd`
substitutes what cooks use in its place, by what it does in a dish: `Use`; what it can do without: `least`
groups      what a food is made of, for filters: `has("dairy", token)`, `is_one`
families    what counts as chicken, beef, pork, fish, apple in swaps: `family`, `members`
units       spellings of units, household measures of foods, weights: `unit_of`, `match`, `grams`

The lists of words below say what a part of an ingredient's name means (`tables/words.tsv`). All are singular:
compare them with the keys of `chef.text.words`.
"""

from chef.files import word_lists

_LISTS = word_lists("chef.food", "words.tsv")

# What an animal is cut into: a chicken breast is chicken.
CUTS = frozenset(_LISTS["cut"])
# What any food is divided into: apple wedges are apples.
PIECES = frozenset(_LISTS["piece"])
# The same, and parts of plants: celery stalks are celery, though grape leaves are no grapes.
FORMS = PIECES | frozenset(_LISTS["plant part"])
# What is made of a food and is no longer that food: chicken broth is no chicken.
DERIVED = frozenset(_LISTS["derived"])
# Words that name an ingredient in an ingredient list but often mean something else alone in a sentence.
AMBIGUOUS = frozenset(_LISTS["ambiguous"])
# Words that name a food in an ingredient list, but alone in a title or a step also a dish, a cut, an action
# or a thing: cake, flank, toast, stock.
VAGUE = frozenset(_LISTS["vague"])
# What is listed among ingredients and is no food: skewers.
OBJECTS = frozenset(_LISTS["object"])
