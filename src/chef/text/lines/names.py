"""The name of an ingredient: the words a cook would call it by, without amount, preparation and remarks.

Kept: what names the product (unsalted butter, red onion, ground beef, smoked paprika, dried thyme,
canned tuna). Dropped: size, preparation, freshness and state (large, chopped, fresh, softened, frozen, ripe,
cooked, boneless, organic), since these say what is done to the ingredient, not what it is. A few products
have a state for a name and keep it: frozen yogurt, crushed red pepper, toasted sesame oil. The words are in
`name_words.tsv` of `chef/food/tables`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from threading import Lock

from chef.food.measures import match
from chef.tables import rows
from chef.text.lines.labeller import labeller

_EDGE = " \t,;:.-/*+&'\"()[]{}|!?=~_<>#•"
# The leaves of these go by the plant's own name; bay or curry leaves do not.
_LEAVES = re.compile(
    r"\b(basil|mint|parsley|cilantro|thyme|sage|coriander|oregano|rosemary|spinach|lettuce|tarragon|dill|"
    r"marjoram|kale|celery|chard|arugula|romaine|cabbage|fenugreek|methi)\s+(?:leaf|leaves|sprigs?|stems?|stalks?)"
    r"(?:\s+and\s+(?:tender\s+)?stems)?$"
)
_PART_OF_FRUIT = re.compile(
    r"^(?:the\s+)?(?:freshly\s+|fresh\s+|finely\s+|grated\s+|squeezed\s+|strained\s+)*(juice|zest|peel|rind)\s+(?:of|from)\s+"
    r"(?:an?\s+|the\s+|large\s+|small\s+|medium\s+|fresh\s+|whole\s+)*([a-z]+?)s?$"
)
_BOTH_OF_FRUIT = re.compile(
    r"^(?:\w+\s+)?(?:juice|zest|rind)\s+(?:and|&|\+)\s+(?:\w+\s+)?(?:juice|zest|rind)\s+(?:of|from)\s+(?:an?\s+)?"
)
_TWICE = re.compile(r"^(\w+?)s?\s+(\1\s+(?:juice|zest))$")  # 2 lemons lemon juice
_JOINED = re.compile(r"\s+(?:and|or|with|in|for|from|to|at|of|plus|&|the|a|as|such|like|per|on|any)$")
_NO_NAMES = frozenset(("or", "and", "to", "with", "for", "also", "plus", "serving", "garnish", "to serve"))
_LONGEST = 300
_one_line_at_a_time = Lock()


@lru_cache(maxsize=65536)
def parse_name(sentence: str) -> tuple[str | None, str | None]:
    """Name and counting unit in one plain sentence, such as "2 garlic cloves, chopped".

    The sentence should start with one amount only, as the tagger expects; see `chef.text.lines.parse`.

    >>> parse_name("2 garlic cloves, chopped")
    ('garlic', 'cloves')
    """
    if not any(sign.isalpha() for sign in sentence):
        return None, None
    try:
        with _one_line_at_a_time:  # the labeller keeps the features of the last line in itself
            parsed = labeller()(sentence[:_LONGEST], string_units=True)
    except (ValueError, ArithmeticError):
        # It takes every word that float() reads for a number ("nan bread", "inf") and stumbles over it.
        return None, None
    units = [str(unit) for item in parsed.amount if (unit := getattr(item, "unit", ""))]
    names = [name for item in parsed.name if (name := tidy(item.text)) is not None]
    return names[0] if names else None, units[0] if units else None


@cache
def _words() -> dict[str, frozenset[str]]:
    return {word: frozenset(kept.split("|")) for word, kept in rows("chef.food", "name_words.tsv")}


def tidy(name: str) -> str | None:
    """The name without words of state and praise, in lower case; None where nothing is left.

    >>> tidy("Large Fresh Basil leaves,")
    'basil'
    """
    name = _BOTH_OF_FRUIT.sub("", without_state(" ".join(name.lower().split()).strip(_EDGE)))
    name = _TWICE.sub(r"\2", _PART_OF_FRUIT.sub(r"\2 \1", name))
    words = name.split(" ")
    while len(words) > 1 and words[-1].strip(_EDGE) in _words():
        words = words[:-1]
    name = _LEAVES.sub(r"\1", _JOINED.sub("", " ".join(words).strip(_EDGE))).strip(_EDGE)
    if name in _words() or name in _NO_NAMES or not any(sign.isalpha() for sign in name):
        return None
    return _turned(name)


def without_state(text: str) -> str:
    """The text without the words of state that it starts with: "boneless, skinless chicken" -> "chicken"."""
    words = text.split(" ")
    while len(words) > 1 and _is_state(words[0].strip(_EDGE), words[1].strip(_EDGE)):
        words = words[1:]
        while len(words) > 1 and words[0].strip(_EDGE) in ("", "and", "or", "to"):
            words = words[1:]
    return " ".join(words)


def _is_state(word: str, following: str) -> bool:
    if word in _words():
        return following not in _words()[word]
    # An adverb goes with the participle it belongs to: finely chopped, freshly ground.
    return word.endswith("ly") and (following in _words() or following == "ground")


def _turned(name: str) -> str:
    """A name in dictionary order turned round ("oil, olive"), or cut at its comma."""
    first, comma, second = name.partition(", ")
    if not comma:
        return name
    turned = match(f"{second} {first}")
    return f"{second} {first}" if turned is not None and turned.by == "name" else first
