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

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from threading import Lock

from chef.files import rows, rules
from chef.food.units import Unit, grams, match, unit_of
from chef.recipe import Ingredient, Recipe
from chef.text.lines.amounts import RE, Quantity, find, read, spell_out
from chef.text.tokens import plain
from chef.text.verbs import labeller

# Longer text is no ingredient line; the rest is cut off so that no input takes long.
_LONGEST_LINE = 400
_EDGE = " \t,;:.-/*+&'\"()[]{}|!?=~_<>#•"
_NO_NAMES = frozenset(("or", "and", "to", "with", "for", "also", "plus", "serving", "garnish", "to serve"))
_LONGEST_SENTENCE = 300
_one_line_at_a_time = Lock()
_SHORT = 4  # words
_STARTS = {"piece": "2 slices ", "container": "2 cans "}


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
    while (shorter := RE["brackets"].sub(" ", rest)) != rest:
        rest = shorter
    rest = re.sub(r"(?<=\w\s)\(.*$|[()\[\]]", " ", rest)
    for candidate in (RE["tail"].sub("", rest), rest, re.sub(r"[()\[\]]", " ", text)):
        candidate = without_state(RE["leading"].sub("", " ".join(candidate.split())))
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


@lru_cache(maxsize=1 << 12)
def clean(line: str) -> str:
    """The line in lower case and plain signs, with numbers as digits.

    >>> clean("- **Half** a cup (see note 2) flour™")
    '1/2 cup flour'
    """
    text = "".join(map(_sign, html.unescape(line[:_LONGEST_LINE])))
    text = _apply("spoons", plain(_apply("marks", text)))
    return _apply("wording", spell_out(" ".join(text.lower().split())))


def is_heading(text: str) -> bool:
    """Whether a cleaned line without an amount is a heading of the list ("For the sauce:")."""
    return RE["heading"].fullmatch(text) is not None


def _apply(stage: str, text: str) -> str:
    for pattern, replacement in rules("chef.text", "line_rules.tsv")[stage]:
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
    if not units and parsed.name and (leaves := RE["leaves"].search(parsed.name[0].text)):
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
    if RE["list"].search(between):
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
    name = RE["both of fruit"].sub("", without_state(" ".join(name.lower().split()).strip(_EDGE)))
    name = RE["twice"].sub(r"\2", RE["part of fruit"].sub(r"\2 \1", name))
    words = name.split(" ")
    while len(words) > 1 and "*" not in _words().get(words[-1].strip(_EDGE), "*"):
        words = words[:-1]
    name = RE["leaves"].sub(r"\1", RE["joined"].sub("", " ".join(words).strip(_EDGE))).strip(_EDGE)
    if "*" not in _words().get(name, "*") or name in _NO_NAMES or not any(sign.isalpha() for sign in name):
        return None
    if RE["slash"].search(name):
        one, shared = RE["slash"].split(name)[0], RE["slash"].sub("", name)
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
