"""Ingredient lines: "2 cups (250 g) flour, sifted" -> name, amount, unit, grams.

A line is cleaned (no bullets, markup or emoji, numbers as digits); its amounts are read by our own grammar
(`amounts`), its name by the tagger of ingredient-parser-nlp on a sentence that is already free of repeated
amounts, brackets and remarks.

The name is what a cook would call the ingredient. Kept: what names the product (unsalted butter, red onion,
ground beef, smoked paprika, dried thyme, canned tuna). Dropped: size, preparation, freshness and state
(large, chopped, fresh, softened, frozen, ripe, cooked, boneless, organic), since these say what is done to
the ingredient, not what it is. A few products have a state for a name and keep it: frozen yogurt, crushed red
pepper, toasted sesame oil. The words are in `name_words.tsv` of `chef/food/tables`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from threading import Lock

from chef.files import rows
from chef.food.units import Unit, grams, match, unit_of
from chef.recipe import Ingredient, Recipe
from chef.text.lines.amounts import Quantity, find, read, spell_out
from chef.text.tokens import plain
from chef.text.verbs import labeller

# Longer text is no ingredient line; the rest is cut off so that no input takes long.
_LONGEST_LINE = 400


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_MARKS = _rules(
    (r"!?\[(?:recipe:)?([^\]]+)\](?:\([^)]*\))?", r"\1"),  # links
    (r"<[^>]{1,40}>", " "),  # markup
    (r"(?<=\w)[–—](?=[^\W\d])", " - "),
    (r"[*_`]{1,3}|\\", " "),  # emphasis, footnote stars
    (r"^(?:\s|[-+>•·▢☐□▪■●○◦‣–—]|\[[ xX]?\])+(?=\S)", ""),  # bullets and check boxes
    (r"\(?\$\s?\d+(?:[.,]\d+)?\)?", " "),  # price
)
# The one place where upper and lower case differ: T is a tablespoon, t a teaspoon.
_SPOONS = _rules((r"(\d)\s?T(?:\.|\b)(?!-)", r"\1 tbsp "), (r"(\d)\s?t(?:\.|\b)(?!-)", r"\1 tsp "))

_PARTS = (
    "sauce|dough|filling|toppings?|marinade|dressing|frosting|glaze|crust|batter|icing|garnish|base|rub|brine|"
    "coating"
)
_ABOUT = "about|approximately|approx\\.?|around|roughly|circa|ca\\.|up to|at least|heaping|scant|more or less"
_LONE_UNITS = (
    "pinch|dash|handful|splash|drizzle|squeeze|glug|knob|bunch|can|jar|package|pkg|packet|tbsp?|tbs|tsp|"
    "teaspoon|tablespoon|cup|sprinkle of|sprig|dollop|drop|glass|tub|tin|slice|"
    "head of|stalk of|clove of|stick of|piece of"
)
_BEFORE_HYPHEN = (
    "all|half|self|extra|low|non|creme|cream|fat|sugar|gluten|whole|bite|store|bone|skin|part|and"
)
_WORDING = _rules(
    (r"\(\s*(?:see\s+)?(?:recipe\s+)?notes?\s*\d*\s*\)", " "),  # (note 3)
    (r"[,;]?\s*(?:see\s+)?\bnotes?\s*\d*\s*\)", ")"),
    (r"^(?:(?:special )?equipment|ingredient info)\s*:.*", ""),
    (r"^[a-z]{2}:\s+(?=\S)", ""),  # en: flour
    (rf"^\(?(?:optional|(?:for |optional )?(?:{_PARTS})(?:es)?(?: as desired)?)\)?\s*[:,]\s*(?=\S)", ""),
    (r"^\(optional\)\s*(?=\S)", ""),
    (r"^for\s+(?:the\s+)?\w+(?:\s\w+)?\s*(?::\s*(?=\S)|[,-]\s*(?=\S*\d))", ""),  # for rolling, 1/4 cup sugar
    (r"^for\s+(?:greasing|brushing|frying)\s+(?=[a-z])", ""),
    (r"(\d\s?% fat),(?= [a-z])", r"\1"),  # 0% fat, plain yogurt
    (r"\bmince (garlic|ginger|onion)|\b(garlic|ginger) mince\b", r"\1\2"),  # any other mince is meat
    (r"(\d)\s*x\s*(?=\d)", r"\1 x "),
    (r"(\d)(?:\s?\+|x)\s(?=[a-z])", r"\1 "),  # 2+ cups, 2x onions
    (rf"\b({_BEFORE_HYPHEN}) - (?=[a-z])", r"\1-"),  # all - purpose
    (r"\bsemi\s*-?\s*sweet", "semisweet"),
    (r"(?<=\w)\s+/\s+(?=[a-z])", " or "),
    (rf"\b(?:{_ABOUT})\s+(?=\d)|~\s*(?=\d)", ""),
    (r"^(\d+)\s+each\b", r"\1"),
    # "pinch of salt" is one pinch.
    (rf"^(?=(?:(?:large|small|big|good|generous|healthy)\s+)?(?:{_LONE_UNITS})s?\.?\s+\w)", "1 "),
)
_HEADING = re.compile(
    r"(?:for|to make)\s+(?:the\s+)?[^\d]*:?|.*:|#+\s.*|-+\s*for\s.*|---+.*|"
    rf"(?:the\s+)?(?:{_PARTS}|ingredients?|optional|assembly|to serve|to garnish|note\b.*|"
    r"(?:\w+\s+)?ingredients|preparation|method|directions|instructions)"
)

# The name.
_EDGE = " \t,;:.-/*+&'\"()[]{}|!?=~_<>#•"
# The leaves of these go by the plant's own name; bay or curry leaves do not.
_LEAVES = re.compile(
    r"\b(basil|mint|parsley|cilantro|thyme|sage|coriander|oregano|rosemary|spinach|lettuce|tarragon|dill|"
    r"marjoram|kale|celery|chard|arugula|romaine|cabbage|fenugreek|methi)\s+(leaf|leaves|sprigs?|stems?|stalks?)"
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
# "kimchi w/liquid"; "feta/cotija cheese": the second of two words that share the end of the name.
_SLASH = re.compile(r"\s+w/.*|\s*/\s*[^\s/]+")
# Between two foods of a list, and not inside one name.
_LIST = re.compile(r"\b(?:and|or|but|with|plus|in|to)\b|[,/&+;]")
_NO_NAMES = frozenset(("or", "and", "to", "with", "for", "also", "plus", "serving", "garnish", "to serve"))
_LONGEST_SENTENCE = 300
_one_line_at_a_time = Lock()

_SHORT = 4  # words
_STARTS = {"piece": "2 slices ", "container": "2 cans "}
# Where the name is over and a remark begins.
_TAIL = re.compile(
    r"[\s,;(-]*(?:\b(?:plus|and|with|\+)\s+(?:some\s+)?(?:more|extra|additional)\b|\bplus\s|\bsuch as\b|"
    r"\be\.?g\.|\bpreferably\b|\bi used?\b|\bsee\s|\bor (?:to taste|more|less|as needed|so)\b|\bto taste\b|"
    r"\bas (?:needed|required|desired|necessary)\b|\bif (?:needed|desired|necessary|you)\b|\boptional\b|"
    r"\bdivided\b|\bat room temp|\broom temp|\bper person\b).*$"
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LEADING = re.compile(
    r"^(?:[\s,;:./+=~&-]|of\b(?!\s+the)|each\b|x\s|"
    r"(?:a\s+)?(?:little\s+)?(?:bit|touch|lots?|plenty|dab|enough)\s+(?:of\s+)?|"
    # What stands before "free range" is praise or a brand.
    r"(?:[a-z']+\s+){0,3}(?:free[\s-]range|cage[\s-]free)\s)+"
)


@lru_cache(maxsize=65536)
def parse_line(line: str) -> Ingredient:
    """The parsed line; what is not known is None. Any text is accepted; headings have no name.

    >>> parse_line("2 cups green beans, trimmed").name
    'green beans'
    """
    text = clean(line)
    quantity = read(text, find(text))
    if quantity is None and is_heading(text):
        return Ingredient(line)
    name, unit = _name(text, quantity)
    if name is None and quantity is not None and unit is not None and unit.kind in ("piece", "container"):
        # "4 cloves" are the spice, "8 rolls" are bread: the unit is the thing itself.
        name, unit = f"{unit.name}s", None
        quantity = replace(quantity, unit=None, parts=((quantity.amount, None),))
    if name is None:
        return Ingredient(line)
    if quantity is None:
        return Ingredient(line, name, grams=grams(name, None, None, text=text))
    return Ingredient(
        line,
        name,
        amount=round(quantity.amount, 4),
        unit=unit.name if unit else "",
        grams=_grams(name, quantity, unit, text),
    )


def with_names(recipe: Recipe) -> Recipe:
    """The recipe with a name for every ingredient whose line has one; a name that is there stays."""
    return recipe.with_ingredients(
        item if item.name else replace(item, name=parse_line(item.line).name) for item in recipe.ingredients
    )


def _name(text: str, quantity: Quantity | None) -> tuple[str | None, Unit | None]:
    """The name, and the unit: the quantity's own or the one behind the name ("2 garlic cloves")."""
    unit = quantity.unit if quantity else None
    # A plain sentence for the tagger: the number does not matter to it, only that there is one.
    start = _STARTS.get(unit.kind, "1 cup ") if unit else "2 " if quantity else ""
    rests = list(dict.fromkeys(_rests(text, quantity)))
    for rest in rests:
        name, counted = parse_name(start + rest)
        if name is None:
            continue
        behind = unit_of(counted) if unit is None and counted else None
        if behind is not None and behind.kind in ("piece", "container"):
            unit = behind
        return name, unit
    # The tagger took all for preparation or unit ("haloumi sliced"): a short rest is the name.
    short = rests[0].split(",")[0] if rests else ""
    return tidy(short) if len(short.split()) <= _SHORT else None, unit


def _rests(text: str, quantity: Quantity | None) -> Iterator[str]:
    """What may hold the name, best first: the line without amounts, brackets and remarks, then with them."""
    for start, end in sorted(quantity.spans if quantity else (), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    rest = text
    while (shorter := _BRACKETS.sub(" ", rest)) != rest:
        rest = shorter
    rest = re.sub(r"(?<=\w\s)\(.*$|[()\[\]]", " ", rest)
    for candidate in (_TAIL.sub("", rest), rest, re.sub(r"[()\[\]]", " ", text)):
        candidate = without_state(_LEADING.sub("", " ".join(candidate.split())))
        if any(sign.isalpha() for sign in candidate):
            yield candidate


def _grams(name: str, quantity: Quantity, unit: Unit | None, text: str) -> float | None:
    """Grams of all parts of the quantity; where they are not known, of the amount as counted."""

    def weigh(value: float, part: Unit | None) -> float | None:
        known = part or unit
        return grams(name, value, known.name if known else "", size=quantity.size, text=text)

    for parts in (quantity.parts, ((quantity.amount, unit),)):
        weights = [weigh(value, part) for value, part in parts]
        if weights[0] is not None:
            return round(sum(weight for weight in weights if weight is not None), 2)
    return None


def clean(line: str) -> str:
    """The line in lower case and plain signs, with numbers as digits.

    >>> clean("- **Half** a cup (see note 2) flour™")
    '1/2 cup flour'
    """
    text = "".join(map(_sign, html.unescape(line[:_LONGEST_LINE])))
    text = _apply(_SPOONS, plain(_apply(_MARKS, text)))
    return _apply(_WORDING, spell_out(" ".join(text.lower().split())))


def is_heading(text: str) -> bool:
    """Whether a cleaned line without an amount is a heading of the list ("For the sauce:")."""
    return _HEADING.fullmatch(text) is not None


def _apply(rules: tuple[tuple[re.Pattern[str], str], ...], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _sign(sign: str) -> str:
    """The sign itself; a space for emoji and trade marks, nothing for invisible signs."""
    category = unicodedata.category(sign)
    return "" if category == "Cf" else " " if category == "So" and sign != "°" else sign


@lru_cache(maxsize=65536)
def parse_name(sentence: str) -> tuple[str | None, str | None]:
    """Name and counting unit in one plain sentence, such as "2 garlic cloves, chopped".

    The sentence should start with one amount only, as the tagger expects; see `parse_line`.

    >>> parse_name("2 garlic cloves, chopped")
    ('garlic', 'cloves')
    """
    if not any(sign.isalpha() for sign in sentence):
        return None, None
    try:
        with _one_line_at_a_time:  # the labeller keeps the features of the last line in itself
            parsed = labeller()(sentence[:_LONGEST_SENTENCE], string_units=True)
    except (ValueError, ArithmeticError):
        # It takes every word that float() reads for a number ("nan bread", "inf") and stumbles over it.
        return None, None
    units = [str(unit) for item in parsed.amount if (unit := getattr(item, "unit", ""))]
    if not units and parsed.name and (leaves := _LEAVES.search(parsed.name[0].text)):
        units = [leaves[2]]
    return _food([item.text for item in parsed.name], sentence), units[0] if units else None


def _food(texts: list[str], sentence: str) -> str | None:
    """The first name of a sentence that is a food.

    A name that is none is an adjective of the next ("lowfat drained yogurt"), shares its end ("soya/pea
    milk"), or is a slip, a brand or a heading and yields to it ("garnishes: cheddar").
    """
    names = [(name, text) for text in texts if (name := tidy(text)) is not None]
    if not names:
        return None
    (first, start), *others = names
    adjective = all("*" in _words().get(word, ()) for word in first.split())
    if match(first) is not None and not adjective:
        return first
    if not others or start not in sentence:
        return None if adjective else first
    second, end = others[0]
    between = sentence.partition(start)[2].partition(end)[0]
    if _LIST.search(between):
        shared = f"{first} {second.split()[-1]}"
        found = match(shared) if adjective or " " in second else None
        if found is not None and (found.by == "name" or re.search(r"(?<!\d)/", between)):
            return shared
        return second if adjective else first
    if adjective:
        return f"{first} {second}"
    return next((name for name, _ in others if match(name) is not None), first)


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
    while len(words) > 1 and "*" not in _words().get(words[-1].strip(_EDGE), "*"):
        words = words[:-1]
    name = _LEAVES.sub(r"\1", _JOINED.sub("", " ".join(words).strip(_EDGE))).strip(_EDGE)
    if "*" not in _words().get(name, "*") or name in _NO_NAMES or not any(sign.isalpha() for sign in name):
        return None
    if _SLASH.search(name):
        one, shared = _SLASH.split(name)[0], _SLASH.sub("", name)
        known = match(one) if " " in one else None
        if (known is not None and known.by == "name") or match(shared) is None:
            return tidy(one) or tidy(shared)
        return tidy(shared)
    # A name in dictionary order is turned round ("oil, olive"), any other cut at its comma.
    first, comma, second = name.partition(", ")
    if comma and all(word in _words() for word in first.split()):  # plain, nonfat yogurt
        return tidy(f"{first} {without_state(second)}")
    turned = match(f"{second} {first}") if comma else None
    return f"{second} {first}" if turned is not None and turned.by == "name" else first


def without_state(text: str) -> str:
    """The text without the words of state that it starts with: "boneless, skinless chicken" -> "chicken"."""
    words = text.split(" ")
    while len(words) > 1 and _is_state(words[0].strip(_EDGE), words[1].partition("/")[0].strip(_EDGE)):
        words = words[1:]
        while len(words) > 1 and words[0].strip(_EDGE) in ("", "and", "or", "to"):
            words = words[1:]
    return " ".join(words)


def _is_state(word: str, following: str) -> bool:
    if word in _words():
        return not _words()[word] & {following, "*"}
    # An adverb goes with the participle it belongs to: finely chopped, freshly ground.
    return word.endswith("ly") and (following in _words() or following == "ground")
