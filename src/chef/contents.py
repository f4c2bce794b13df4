"""What a recipe names: groups of foods and single foods, in every word of its lines, title and steps.

A recipe is read as a whole, with alternatives, brackets, lists and headings; nothing is decided by the one
name of a line. A line in which no food is recognised is not understood, and a recipe in another language than
English is not read: the contents say so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import chain

from chef.food import AMBIGUOUS, OBJECTS, VAGUE
from chef.food.canonical import shipped_map
from chef.food.groups import BREAK, Membership, Words, groups, lookalikes_in, named
from chef.food.kinds import kind_words
from chef.recipe import Recipe, Step
from chef.text.lines.parse import clean, is_heading
from chef.text.tokens import sentences
from chef.text.words import beside, key, keys, words_in

VERSION = 1  # of what is stored; a collection with another one must be rebuilt before it can be filtered
_ENGLISH = 0.65  # the least share of words that an English text has in English
_MIN_WORDS = 6  # fewer words do not show their language
_LONGEST = 6  # words in a name
_CLOSE = 0.86  # similarity at which a word that nobody knows is a misspelled food
_OR = re.compile(r"\s*/\s*(?=[^\W\d_])|\band/or\b|\bor\b", re.I)
_POSSESSIVE = re.compile(r"['’]s?(?=\s)")
_WORD = re.compile(r"[^\W\d_]{6,}")
_TURNED = re.compile(r"\b(sauce|oil|butter|paste|seeds?|noodles?|stock)\s*[,(]\s*([^\W\d_]+)", re.I)
_INSTEAD = re.compile(r"\b(?:instead|in place of|substitut\w*)\b", re.I)
_AND = re.compile(r"\s*[&+]\s*")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a recipe names. Nothing in it says that a recipe is free of anything."""

    contains: tuple[str, ...]  # groups
    may: tuple[str, ...]  # groups, by brand or by choice ("butter or oil")
    foods: tuple[str, ...]  # canonical ingredients
    not_understood: tuple[str, ...]  # lines in which no food was recognised
    is_english: bool


def contents(recipe: Recipe) -> Contents:
    """What a recipe names anywhere.

    >>> contents(Recipe("1", "Noodles", (Ingredient("chicken or 1 lb shrimp"),))).may
    ('crustaceans', 'meat', 'poultry', 'seafood', 'shellfish', 'sulphites')
    """
    found: dict[str, Membership] = {}
    foods: dict[str, None] = {}
    lines = [_read(item.line) for item in recipe.ingredients]
    for one in lines:
        for group, membership in one.groups:
            found[group] = max(membership, found.get(group, Membership.NOT))
        foods |= dict.fromkeys(one.foods)
    # What the list calls almond milk is "the milk" in the steps; a gluten-free bread is "the bread".
    others = lookalikes_in(_words(recipe.title))
    for one in lines:
        for group, masked in one.others:
            others.setdefault(group, set()).update(masked)
    for text in (recipe.title, *(part for step in recipe.steps for part in _parts(step))):
        words = _words(text)
        certain = {group for group, one in found.items() if one > Membership.MAY}
        for group, membership in named(words, VAGUE, in_text=True, but=certain).items():
            # A brand or a choice in passing is no reason: only what is certainly there.
            if found.get(group, Membership.NOT) < membership > Membership.MAY:
                known = VAGUE | others.get(group, set())
                if named(words, known, in_text=True).get(group, Membership.NOT) > Membership.MAY:
                    found[group] = membership
        foods |= dict.fromkeys(_foods_in(words, in_text=True))
    return Contents(
        contains=tuple(sorted(group for group, one in found.items() if one > Membership.MAY)),
        may=tuple(sorted(group for group, one in found.items() if one is Membership.MAY)),
        foods=tuple(foods),
        not_understood=tuple(
            item.line for item, one in zip(recipe.ingredients, lines, strict=True) if not one.is_understood
        ),
        is_english=is_english(recipe),
    )


def _parts(step: Step) -> Iterator[str]:
    """The section and the sentences of a step, without those that name a substitute."""
    yield step.section or ""
    yield from (text for text in sentences(step.text) if not _INSTEAD.search(text))


@dataclass(frozen=True, slots=True)
class _Line:
    groups: tuple[tuple[str, Membership], ...]
    others: tuple[tuple[str, frozenset[str]], ...]  # by group the words that name something else
    foods: tuple[str, ...]
    is_understood: bool


@lru_cache(maxsize=1 << 16)
def _read(line: str) -> _Line:
    text = _WORD.sub(lambda match: _corrected(match[0]), _AND.sub(" and ", line))
    text += "".join(f"; {match[2]} {match[1]}" for match in _TURNED.finditer(text))
    parts = [_words(part) for part in _OR.split(text)]
    whole = _words(text)
    heading = is_heading(clean(line))
    found = named(whole, VAGUE if heading else ())
    if heading:
        found = {group: one for group, one in found.items() if one > Membership.MAY}
    elif len(parts) > 1:
        of_parts = [named(part) for part in parts if any(part)]
        for group in {group for one in of_parts for group in one} | found.keys():
            every = min((one.get(group, Membership.NOT) for one in of_parts), default=Membership.NOT)
            found[group] = max(every, Membership.MAY)
    foods = tuple(dict.fromkeys(food for part in parts for food in _foods_in(part)))
    is_named = bool(found or foods) or heading or not any(whole)
    others = tuple((group, frozenset(words)) for group, words in lookalikes_in(whole).items())
    is_understood = is_named or _is_known(whole) or _is_prose(line, whole)
    return _Line(tuple(sorted(found.items())), others, foods, is_understood)


@lru_cache(maxsize=1 << 14)
def _corrected(word: str) -> str:
    """A misspelled food as we spell it, any other word as it is."""
    from simplemma import is_known

    small = key(word)
    if small in _food_words() or is_known(small, lang="en") or is_known(word, lang="en"):
        return word
    return next(iter(get_close_matches(small, _food_words(), n=1, cutoff=_CLOSE)), word)


@cache
def _food_words() -> dict[str, None]:
    phrases = chain(_names(), *(table for table in groups().values()))
    return dict.fromkeys(sorted({word for phrase in phrases for word in phrase if len(word) > 4}))


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> Words:
    """The keys of a text's words, with a BREAK wherever more than a space or a hyphen is between two."""
    text = _POSSESSIVE.sub("", text)
    words, out = words_in(text), list[str]()
    for at, word in enumerate(words):
        if at and not beside(text, words[at - 1], word):
            out.append(BREAK)
        out.append(word.key)
    return tuple(out)


@cache
def _names() -> dict[Words, str]:
    """The names of the canonical map by their words."""
    names: dict[Words, str] = {}
    for entry in sorted(shipped_map(), key=lambda entry: -entry.count):  # pepper is black pepper
        names.setdefault(keys(entry.name), entry.token)
    return names


@cache
def _known() -> frozenset[Words]:
    """What else a line may be about: kinds of food, what groups know to be something else, and objects."""
    phrases = {phrase for table in groups().values() for phrase in table if len(phrase) > 1}
    return frozenset(kind_words() | phrases | {tuple(name.split("_")) for name in OBJECTS})


def _is_known(words: Words) -> bool:
    known = _known()
    starts = range(len(words))
    return any(words[at:end] in known for at in starts for end in range(at + 1, at + _LONGEST + 1))


def _is_prose(line: str, words: Words) -> bool:
    """Whether a line has no amount, no name and only ordinary words: "at room temperature"."""
    from simplemma import is_known

    has_signs = any(sign.isdigit() for sign in line) or any(sign.isupper() for sign in line[1:])
    return not has_signs and all(is_known(word, lang="en") for word in words if word)


def _foods_in(words: Words, *, in_text: bool = False) -> Iterator[str]:
    """The canonical ingredients that are named, the longest name at each place.

    in_text: in a sentence, where single words such as "roll" or "season" need not be foods.
    """
    names, at = _names(), 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            token = names.get(words[at : at + length])
            if token is not None and not (length == 1 and in_text and words[at] in AMBIGUOUS):
                yield token
                at += length - 1
                break
        at += 1


def is_english(recipe: Recipe) -> bool:
    """Whether a recipe is in the language that we read, as far as its words show."""
    # On first use: its dictionary takes a third of a second to load.
    from simplemma import in_target_language

    texts = (" ".join(item.line for item in recipe.ingredients), " ".join(step.text for step in recipe.steps))
    return all(
        text.count(" ") < _MIN_WORDS - 1 or in_target_language(text, lang="en") >= _ENGLISH for text in texts
    )
