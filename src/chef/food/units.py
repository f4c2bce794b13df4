"""Units of ingredient lines, and grams: the amount times what one unit of that food weighs.

`unit_of` knows the spellings of units. Mass units need no food. Volumes take the food's density, in the state
the line names (chopped, cooked, packed ...). Counted things take the weight of one, by size. Figures come
from the USDA's household measures and from house estimates, both in `tables/` with their source. Vague
measures have house figures too: a pinch is 0.4 ml, a dash 0.6 ml, a handful 10 to 60 g by the food, and a
seasoning, herb, fat or garnish without any amount ("salt, to taste") weighs the `taste` of its row, at most
30 g. Where even a cook could not tell ("chicken", without an amount), the answer is None.

The food that a name means is found by `match`: in `tables/foods.tsv`, written by hand for the common names,
then in `tables/measures.tsv`, the USDA's household measures. A name that neither knows is looked up by its
last words ("Aunt Mary's salsa" -> "salsa").
"""

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from chef.files import rows, word_lists
from chef.food import FORMS
from chef.text.tokens import normalise, without_accents

Kind = Literal["mass", "volume", "length", "piece", "container"]

_LISTS = word_lists("chef.food", "words.tsv")
_UNCHANGED = frozenset(_LISTS["no plural"])
_SOFT = frozenset(_LISTS["no weight"])
_USDA_STATES = frozenset(_LISTS["usda state"])
_USDA_KINDS = frozenset(_LISTS["usda kind"])


def singular(word: str) -> str:
    """A rough singular, enough to give the plural and the singular of a food one key; needs no dictionary.

    >>> singular("tomatoes"), singular("leaves"), singular("couscous")
    ('tomato', 'leaf', 'couscous')
    """
    if word in _UNCHANGED or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + ("y" if len(word) > 5 else "ie")
    if word.endswith(("leaves", "loaves", "halves", "knives")):
        return {"leav": "leaf", "loav": "loaf", "halv": "half", "kniv": "knife"}[word[:-2][-4:]]
    if word.endswith(("oes", "shes", "ches", "xes", "sses")):
        return word[:-2]
    return word[:-1]


@cache
def _spellings() -> dict[str, str]:
    return {row[0]: row[1] for row in rows("chef.food", "measure_spellings.tsv")}


@lru_cache(maxsize=65536)
def key_of(name: str) -> str:
    """The key under which names are compared: plain singular words.

    >>> key_of("All-Purpose Flours")
    'all purpose flour'
    """
    text = without_accents(normalise(name)).replace("'s ", " ").replace("s' ", " ").replace("'", "")
    words = map(singular, re.findall(r"[a-z0-9&%]+", text))
    return " ".join(_spellings().get(word, word) for word in words)


@dataclass(frozen=True)
class Food:
    """What is known of one food: grams per millilitre, of one piece, of a slice ... (keys: see foods.tsv)."""

    title: str | None  # the USDA's name of the food that the measures are of, None for house figures alone
    measures: dict[str, float] = field(hash=False)


@cache
def _usda() -> dict[str, Food]:
    table = rows("chef.food", "measures.tsv")
    return {number: Food(title, _measures(text)) for number, title, text in table}


def _measures(text: str) -> dict[str, float]:
    return {key: float(value) for key, value in (pair.split("=") for pair in text.split())}


@cache
def _table() -> tuple[dict[str, Food], frozenset[str]]:
    """Our own rows by name, and the names that are the very USDA food of their row."""
    foods: dict[str, Food] = {}
    same: set[str] = set()
    for names, number, text, _ in rows("chef.food", "foods.tsv"):
        base = _usda().get(number, Food(None, {}))
        food = Food(base.title, {**base.measures, **_measures(text)})
        for name in names.split("|"):
            foods[name.rstrip("=")] = food
            if name.endswith("="):
                same.add(name.rstrip("="))
    return foods, frozenset(same)


@cache
def _words_of_foods() -> tuple[dict[str, list[list[str]]], dict[str, frozenset[str]]]:
    """The words of each USDA food, by the segments of its name, and the foods of each word."""
    segments = {
        number: [key_of(part).split() for part in (food.title or "").split(",")]
        for number, food in _usda().items()
    }
    index: dict[str, set[str]] = {}
    for number, parts in segments.items():
        for part in parts:
            for word in part:
                index.setdefault(word, set()).add(number)
    return segments, {word: frozenset(numbers) for word, numbers in index.items()}


def _by_words(key: str) -> Food | None:
    """The USDA food with all the words of the name, its last word in a leading place, and few words more."""
    segments, index = _words_of_foods()
    words = key.split()
    if not words:
        return None
    numbers = frozenset.intersection(*(index.get(word, frozenset()) for word in words))
    scores = {number: _score(words, segments[number]) for number in sorted(numbers)}
    best = max(scores, key=lambda number: scores[number], default="")
    return _usda()[best] if scores.get(best, 0.0) > 0 else None


def _score(words: list[str], parts: list[list[str]]) -> float:
    head, everything = words[-1], [word for part in parts for word in part]
    kind = parts[0][0] in _USDA_KINDS and len(parts) > 1
    leading = parts[0] + parts[1] if kind else parts[0]
    # One word alone must be the food's whole name: "rhubarb" is "Rhubarb, raw", "white" is no "Beans, white".
    if head not in leading or (len(words) == 1 and words != parts[0] and not (kind and words == parts[1])):
        return 0.0
    score = 4.0 - 0.3 * (len(everything) - len(words)) + (1.0 if "raw" in everything else 0.0)
    return score - len((_USDA_STATES & set(everything)) - set(words))


@dataclass(frozen=True)
class Match:
    """The food for a name, and what matched: the whole "name", the USDA's "words" or the name's "end"."""

    food: Food
    by: str


# The forms a food is cut or sold in: "sun-dried tomato halves". Meat and mince are foods of the table.
_FORMS = FORMS - {"meat", "mince"}


@lru_cache(maxsize=65536)
def match(name: str) -> Match | None:
    """The food for a name: our table, then the USDA's words, then the last words of the name.

    >>> match("lacinato kale").food.title
    'Kale, raw'
    """
    key = key_of(name)
    foods, _ = _table()
    if key in foods:
        return Match(foods[key], "name")
    words = key.split()
    plain = " ".join(word for word in words if word not in _SOFT)
    if plain and plain in foods and plain != key:
        return Match(foods[plain], "end")
    stop = len(words)
    while stop > 1 and words[stop - 1] in _FORMS:
        stop -= 1
    if (shorter := " ".join(words[:stop])) in foods:
        return Match(foods[shorter], "end")
    if len(words) > 1 and (food := _by_words(key)) is not None:
        return Match(food, "words")
    for start in range(1, len(words)):
        if (end := " ".join(words[start:])) in foods:
            return Match(foods[end], "end")
    if food := _by_words(key):
        return Match(food, "words")
    for stop in range(len(words) - 1, 0, -1):
        if (front := " ".join(words[:stop])) in foods:
            return Match(foods[front], "end")
    return None


def usda_name(name: str) -> str | None:
    """The USDA's name of the food that a name means; None where it is not certain.

    >>> usda_name("scallions") == usda_name("spring onion")
    True
    """
    matched = match(name)
    if matched is None or matched.by == "end":
        return None
    if matched.by == "words" or key_of(name) in _table()[1]:
        return matched.food.title
    other = _by_words(key_of(name))
    return other.title if other else None


# What recipes call a small, medium or large thing.
SIZES = {word: size for size, words in rows("chef.food", "sizes.tsv") for word in words.split("|")}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its one English name; `size` in grams, millilitres or centimetres, by its kind."""

    name: str
    kind: Kind
    size: float | None
    spellings: tuple[str, ...]


@cache
def units() -> dict[str, Unit]:
    """All units by their name."""
    table: dict[str, Unit] = {}
    for name, kind, size, spellings in rows("chef.food", "units.tsv"):
        if kind not in ("mass", "volume", "length", "piece", "container"):
            raise ValueError(f"units.tsv: {name} has the unknown kind {kind!r}")
        words = tuple(dict.fromkeys([name, *spellings.split("|")]))
        table[name] = Unit(name, kind, float(size) if size else None, words)  # type: ignore[arg-type]
    return table


@cache
def _names() -> dict[str, str]:
    return {_key(spelling): unit.name for unit in units().values() for spelling in unit.spellings}


def _key(spelling: str) -> str:
    return " ".join(spelling.lower().replace(".", " ").split())


def unit_of(spelling: str) -> Unit | None:
    """The unit a spelling means, if any; upper and lower case and dots make no difference.

    >>> unit_of("Tbsp.").name
    'tablespoon'
    """
    name = _names().get(_key(spelling))
    return units()[name] if name is not None else None


@cache
def unit_pattern() -> str:
    """A regular expression (without groups) for any spelling, longest first; for lower-case text."""
    spellings = {spelling.lower() for unit in units().values() for spelling in unit.spellings}
    signs = {spelling for spelling in spellings if not spelling[-1].isalpha()}
    words = sorted(spellings - signs, key=len, reverse=True)
    # A dot may stand after every part ("fl. oz."), and a word must end there: "g" is not in "garlic".
    parts = "|".join(r"\.?\s?".join(re.escape(part) for part in _key(word).split()) for word in words)
    return rf"(?:(?:{parts})(?![^\W\d_])\.?|{'|'.join(map(re.escape, sorted(signs)))})"


# The state words of a line, in the words of the measures.
_STATES = word_lists("chef.food", "measure_states.tsv")
_STATE = re.compile(rf"(?<!un)(?<!be )(?<!pre)\b({'|'.join(_STATES)})\b")
# The weight of a size relative to a medium one, where a food has one weight only.
_SIZE_FACTOR = {"small": 0.7, "medium": 1.0, "large": 1.35}

# Grams of one where the food has no such measure of its own: house estimates that hold for most foods.
_UNIT_DEFAULTS = {
    "can": 400.0, "sprig": 1.0, "clove": 3.0, "handful": 30.0, "leaf": 0.5, "slice": 25.0, "stalk": 30.0,
}  # fmt: skip
# Parts of a thing, which weigh no more than the thing.
_PARTS = frozenset(("leaf", "sprig", "clove", "slice", "stick"))
# A head of cauliflower or a fillet of salmon is one of it, where the food does not say otherwise.
_IS_ONE = frozenset(("piece", "fillet", "head", "bulb", "ear", "link", "pod"))
# Up to this many millilitres a food of unknown density is taken as something between powder and liquid.
_SMALL_VOLUME = 20.0
_UNKNOWN_DENSITY = 0.75


def grams(
    name: str, amount: float | None, unit: str | None, *, size: str | None = None, text: str = ""
) -> float | None:
    """Grams of `amount` times `unit` of the ingredient `name`, None where nobody could tell.

    `unit` is a name of `units`, "" for counted things; `size` is small, medium or large; `text`,
    the whole line, tells the state (chopped, cooked, packed).

    >>> grams("butter", 2, "stick")
    226.0
    """
    matched = match(name)
    food = matched.food if matched else None
    if amount is None:
        return food.measures.get("taste") if food else None
    if not unit and matched:
        food, unit = _part(name, matched)
    if not unit:
        one = _each(food, size) if food else None
    else:
        known = units().get(unit)
        one = _one(food, known, size, _state(text)) if known else None
    return amount * one if one is not None else None


def _part(name: str, matched: Match) -> tuple[Food, str]:
    """The food and the unit of a counted name: "4 endive leaves" are no endives; most names have no unit."""
    front, _, last = key_of(name).rpartition(" ")
    if last in _PARTS and matched.by == "name":
        each = matched.food.measures.get("each", 0.0)
        return matched.food, last if matched.food.measures.get(last, each) < each else ""
    if last in _PARTS and (whole := match(front)) is not None and whole.by == "name":
        return whole.food, last
    return matched.food, ""


def _one(food: Food | None, unit: Unit, size: str | None, states: tuple[str, ...]) -> float | None:
    """Grams of one unit of the food."""
    if unit.kind == "mass":
        return unit.size
    if food is not None:
        # The food's own figure for the unit comes first: a stick of butter, a pinch of saffron.
        for key in (f"{unit.name}/{size}", unit.name):
            if key in food.measures:
                return food.measures[key]
    if unit.kind == "volume" and unit.size is not None:
        if food is None:
            return unit.size * _UNKNOWN_DENSITY if unit.size <= _SMALL_VOLUME else None
        others = (key for key in food.measures if key.startswith("ml/"))
        keys = (*(f"ml/{state}" for state in states), "ml", *others)
        return next((unit.size * food.measures[key] for key in keys if key in food.measures), None)
    if unit.name in _IS_ONE and food is not None and (each := _each(food, size)) is not None:
        return each
    default, each = _UNIT_DEFAULTS.get(unit.name), _each(food, size) if food else None
    return min(default, each) if default and each and unit.name in _PARTS else default


def _each(food: Food, size: str | None) -> float | None:
    measures = food.measures
    if size is not None and size in measures:
        return measures[size]
    middle = measures.get("each", measures.get("medium"))
    if middle is not None:
        return middle * _SIZE_FACTOR.get(size or "medium", 1.0)
    return measures.get("large", measures.get("small"))


@lru_cache(maxsize=4096)
def _state(text: str) -> tuple[str, ...]:
    """The measures' states that the line names, the most telling first."""
    # Cooked rice weighs as cooked rice, however it is also chopped or packed.
    words = sorted(_STATE.findall(text), key=lambda word: word not in ("cooked", "steamed", "leftover"))
    return tuple(dict.fromkeys(state for word in words for state in _STATES[word]))
