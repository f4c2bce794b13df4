"""An ingredient line in which another ingredient has come in: quantity, states, name, remarks."""

from __future__ import annotations

import re

from chef.food.canonical.qualifiers import QUALIFIERS
from chef.food.kinds import fits, kind_of, states
from chef.food.units import SIZES, unit_of
from chef.food.words import CUTS, FORMS
from chef.recipe import Ingredient
from chef.rewrite.coming import Coming
from chef.rewrite.nouns import capital, like
from chef.rewrite.quantity import quantity, split
from chef.text.words import Word, keys, words_in

_GROUND = frozenset(("ground", "minced"))
_ALTERNATIVE = re.compile(r"^\s*(?:/|(?:and/)?or\b|and\b)\s*[^,;(]*", re.I)
_REMARK = re.compile(r"\s*([,;(]|\s[-–]\s)\s*([^,;()]*)\)?")
# A remark in brackets that is about the dish and not about the ingredient that left.
_STAYS = re.compile(r"\b(?:optional|divided|see|note|to taste|as needed|for|plus|more)\b", re.I)
_FRUIT_PARTS = frozenset(("juice", "zest", "peel", "rind"))
_JOINT = frozenset(("and", "or"))
_AMOUNT = re.compile(r"\d|[¼-¾⅐-⅞]")


def new_line(item: Ingredient, coming: Coming) -> tuple[str, bool]:
    """The new line, and whether it has just one of a counted thing.

    >>> new_line(parse_line("2 chicken breasts (about 1 lb), cubed"), beef)
    ('about 450 g beef, cubed', False)
    """
    line = " ".join(item.line.split())
    name = keys(item.name or "")
    # Of a name that is spread over the line, such as "whole-milk or part-skim ricotta", its last word.
    place = _name_in(line, name) or (None if _FRUIT_PARTS & set(name) else _name_in(line, name[-1:]))
    if place is None and (new := _of_another_fruit(item, coming)):
        return new, False
    if place is None:
        head, old, tail = _head_of(item), "", ""
    else:
        head, old, tail = line[: place[0]], line[place[0] : place[1]], line[place[1] :]
    written, before = split(head)
    amount = quantity(item, written, coming, size=_size(before))
    before = _states(before, coming, counted=amount.kept)
    noun = _ground(item, coming)
    is_one = amount.one and coming.noun.counted
    words = coming.noun.form(is_one) if noun is None else noun
    new = amount.text + before + (like(old, words) if not amount.text + before else words)
    new += _remarks(tail, coming, item, kept=amount.kept)
    new = re.sub(r"\s+([,;])", r"\1", " ".join(new.split()))
    return (capital(new) if line[:1].isupper() else new), is_one


def _name_in(line: str, name: tuple[str, ...]) -> tuple[int, int] | None:
    """Where the words of a name stand in the line, with a cut or form behind them."""
    words = words_in(line)
    for at in range(len(words) - len(name) + 1 if name else 0):
        if tuple(word.key for word in words[at : at + len(name)]) == name:
            last = at + len(name)
            while last < len(words) and _goes_on(line, words[last - 1], words[last]):
                last += 1
            return words[at].start, words[last - 1].end
    return None


def _of_another_fruit(item: Ingredient, coming: Coming) -> str | None:
    """ "juice of 1 lemon" with lime juice in place of lemon juice: "juice of 1 lime"."""
    old, new = (item.name or "").split(), coming.noun.singular.split()
    if len(old) != 2 or len(new) != 2 or old[1] != new[1]:
        return None
    changed = re.sub(
        rf"\b{re.escape(old[0])}(e?s)?\b", lambda m: like(m[0], new[0]) + (m[1] or ""), item.line, flags=re.I
    )
    return changed if changed != item.line else None


def _goes_on(line: str, left: Word, right: Word) -> bool:
    """Whether a cut, a form or a unit follows the name: chicken [breast halves], garlic [cloves]."""
    unit = unit_of(right.written)
    is_part = right.key in CUTS | FORMS or (unit is not None and unit.kind == "piece")
    return is_part and line[left.end : right.start].strip() == ""


def _head_of(item: Ingredient) -> str:
    """A quantity written anew, for a line whose words cannot be told apart."""
    if item.amount is None:
        return ""
    amount = f"{round(item.amount, 2):g} "
    return f"{amount}{item.unit} " if item.unit else amount


def _size(written: str) -> str | None:
    """The size that the words of state tell, if any: small, medium or large."""
    return next((SIZES[word] for word in written.lower().split() if word in SIZES), None)


def _states(written: str, coming: Coming, *, counted: bool) -> str:
    """What may stay of the words between quantity and name; sizes only where things are still counted."""
    words = [word for word in re.split(r"[\s,]+", written) if word]
    stay = [
        word
        for word in words
        if _is_known(word) and fits(word.replace("-", " "), coming.noun.singular)
        if counted or word.lower() not in SIZES
    ]
    if len(stay) == len(words):
        return written
    while stay and (stay[0].lower() in _JOINT or stay[-1].lower() in _JOINT):
        stay = stay[1:] if stay[0].lower() in _JOINT else stay[:-1]
    # An adverb goes with the word that it belonged to.
    stay = [word for at, word in enumerate(stay) if not (word.endswith("ly") and at == len(stay) - 1)]
    return " ".join(stay) + " " if stay else ""


def _is_known(word: str) -> bool:
    """Whether a word before a name says how it is bought or cut, and not which one it is."""
    small = word.lower()
    return (
        small in QUALIFIERS
        or small in SIZES
        or bool(states(small))
        or small.endswith("ly")
        or small in _JOINT
    )


def _ground(item: Ingredient, coming: Coming) -> str | None:
    """Ground beef becomes ground turkey, not turkey."""
    how = next((word for word in (item.name or "").split() if word in _GROUND), None)
    kind = kind_of(coming.noun.singular)
    if how is None or kind is None or "grind" not in kind.traits or len(coming.noun.singular.split()) > 1:
        return None
    return f"{how} {coming.noun.singular}"


def _remarks(tail: str, coming: Coming, item: Ingredient, *, kept: bool) -> str:
    """What follows the name and still holds: ", cut into strips" but not ", skin removed"."""
    tail = _ALTERNATIVE.sub("", tail)
    direct = re.match(r"[^,;(]*", tail)
    out = direct[0] if direct and fits(direct[0], coming.noun.singular) else ""
    old = keys(item.name or "")
    for match in _REMARK.finditer(tail, len(direct[0]) if direct else 0):
        sign, text = match[1], match[2].strip()
        if not text or (old and old[-1] in keys(text)):
            continue
        if sign == "(":
            amount = _AMOUNT.search(text) is not None
            if not (kept and item.unit != "" if amount else _STAYS.search(text)):
                continue
            out += f" ({text})"
        elif stays := fitting(text, coming.noun.singular):
            out += f"{sign} {stays}" if sign in ",;" else f" {sign.strip()} {stays}"
    return out


def fitting(phrase: str, food: str) -> str:
    """The parts of a remark between commas and "and" that fit the food.

    >>> fitting("peeled, cored and sliced", "tofu"), fitting("melted and cooled", "olive oil")
    ('sliced', 'cooled')
    """
    if fits(phrase, food):
        return phrase.strip()
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", phrase.strip())
    kept = [part.strip() for part in parts if part.strip() and fits(part, food)]
    return " and ".join([", ".join(kept[:-1]), kept[-1]]) if len(kept) > 1 else "".join(kept)
