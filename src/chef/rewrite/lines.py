"""An ingredient line with another ingredient in it: quantity, states, name, remarks.

The quantity is the author's own where it still makes sense, otherwise its weight.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chef.food import CUTS, FORMS
from chef.food.canonical.map import QUALIFIERS
from chef.food.doneness import doneness_of
from chef.food.kinds import fits, food_of, kind_of, states
from chef.food.units import SIZES, Unit, grams, unit_of, units
from chef.food.usage import base, row_of, usage_of
from chef.recipe import Ingredient
from chef.rewrite.grammar import RE, WORDS, Noun, capitalise, match_case
from chef.text.words import Word, keys, words_in

_CONJUNCTIONS = ("and", "or")
_DIGIT = re.compile(r"\d|[¼-¾⅐-⅞]")
_BRACKETS = r"\([^()]*\)|\[[^\[\]]*\]"
# Units that count pieces, and the trait that a food needs to come in them; others come by weight.
_PIECES = {
    unit: trait for trait in "solid block flesh stick leaf can".split() for unit in WORDS[f"in {trait}"]
}
_MAX_COUNT = 12  # things that a cook would count
_SAME_SIZE = (0.6, 1.7)  # a pear is as good as an apple, an egg is not


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line with another ingredient."""

    text: str
    is_one: bool = False  # exactly one of a countable thing
    is_kept: bool = True  # the quantity is the author's own
    lost: list[str] = field(default_factory=list)  # what the old line said besides and this one does not


@dataclass(frozen=True, slots=True)
class Quantity:
    """The text before the name, ending in a space unless it is empty."""

    text: str
    is_one: bool = False  # exactly one piece
    is_kept: bool = True  # the author's own


def replace_in_line(item: Ingredient, noun: Noun) -> NewLine:
    """The line with the new ingredient: its quantity, and of the rest what is said of the new one as well.

    >>> replace_in_line(parse_line("2 chicken breasts (about 1 lb), cubed"), beef).text
    'about 450 g beef, cubed'
    """
    line = " ".join(RE["percent"].sub("", item.line).split())
    name = keys(item.name or "")
    # Of a name that is spread over the line, such as "whole-milk or part-skim ricotta", its last word.
    span = _find_name(line, name) or (None if WORDS["peel"] & set(name) else _find_name(line, name[-1:]))
    if span is not None:
        head, old, tail = line[: span[0]], line[span[0] : span[1]], line[span[1] :]
    elif new := _replace_fruit(item, noun):
        return NewLine(new)
    else:  # the words of the line cannot be told apart
        unit = f"{item.unit} " if item.unit else ""
        head, old, tail = "" if item.amount is None else f"{round(item.amount, 2):g} {unit}", "", ""
    written, before = split_quantity(head)
    ground = next((word for word in (item.name or before).lower().split() if word in WORDS["ground"]), None)
    ground = ground or next((word for word in before.lower().split() if word in WORDS["ground"]), None)
    size = next((SIZES[word] for word in before.lower().split() if word in SIZES), None)
    quantity = new_quantity(item, written, noun, size=size)
    kind, done = kind_of(noun.singular), doneness_of(noun.singular)
    is_piece = units()[item.unit].kind == "piece" if item.unit else False  # 12 thin slices of ham
    before = _fitting_states(before, noun, is_counted=quantity.is_kept and (noun.countable or is_piece))
    is_some = item.amount is None or (item.unit and units()[item.unit].kind == "volume")  # 2 tbsp lime
    last = words_in(old)[-1:]
    is_singular = is_some and kind and "count" in kind.traits and last and not last[0].is_plural
    is_singular = is_singular and last[0].key not in WORDS["no plural"]
    is_one = bool(quantity.is_one or is_singular) and noun.countable
    words = noun.form(is_one)
    if ground and kind is not None and "grind" in kind.traits and len(noun.singular.split()) == 1:
        # ground beef becomes ground turkey, not turkey
        words = f"{noun.singular} mince" if ground == "mince" else f"{ground} {noun.singular}"
    if done is not None and (done.bought or done.name == "ready meat"):
        before = re.sub(r"\b(?:raw|uncooked|dried|dry)\s+", "", before)
        if done.bought and not RE["bought cooked"].search(quantity.text + before):
            words = f"cooked {words}"
    if RE["canned"].search(head + old) and not RE["canned"].search(quantity.text + before):
        tail = re.sub(r",?\s*\b(?:un)?drained\b(?: and rinsed\b)?|,?\s*\brinsed and drained\b", "", tail)
    kept = _fitting_remarks(tail, noun, item, quantity.is_kept, written=bool(written.strip()))
    is_weighed = not quantity.is_kept and re.search(r"\d\s*(?:kg|g|lbs?|oz|pounds?|ounces?)\b", kept)
    before = ("" if is_weighed else quantity.text) + before
    new = before + (words if before else match_case(old, words)) + kept
    new = re.sub(r"\s+([,;:.])", r"\1", " ".join(new.split()))
    new = new if new.count("(") == new.count(")") else new.replace("(", "").replace(")", "")
    new = capitalise(new) if line[:1].isupper() else new
    return NewLine(new, is_one, quantity.is_kept, list(_lost(line, name, new)))


def _lost(line: str, name: tuple[str, ...], new: str) -> Iterator[str]:
    """What a line said of its ingredient and the new line does not say; amounts do not count."""
    kept = {*keys(new), *(WORDS["function"] - {"can"}), *SIZES, *WORDS["quantity"], "each"}
    for part in re.split(r"[,;()/]|\s[-–]\s|\band\b", line):
        words = [
            word
            for word in words_in(part)
            if word.key not in kept and word.written.lower() not in kept
            if word.key not in name
            or _describes_state(word.written)
            or word.key in WORDS["prepared"] | WORDS["ground"]
            if word.key not in CUTS and ((unit := unit_of(word.key)) is None or unit.name in ("can", "jar"))
        ]
        if words:
            yield part[words[0].start : words[-1].end]


def _find_name(line: str, name: tuple[str, ...]) -> tuple[int, int] | None:
    """The span of a name in the line, with a cut, form or unit after it: [garlic cloves]."""
    words = words_in(line)

    def continues(left: Word, right: Word) -> bool:
        unit = unit_of(right.written)
        is_part = right.key in CUTS | FORMS or (unit is not None and unit.kind == "piece")
        return is_part and line[left.end : right.start].strip() == ""

    for at in range(len(words) - len(name) + 1 if name else 0):
        if tuple(word.key for word in words[at : at + len(name)]) == name:
            last = at + len(name)
            while last < len(words) and continues(words[last - 1], words[last]):
                last += 1
            return words[at].start, words[last - 1].end
    return None


def _replace_fruit(item: Ingredient, noun: Noun) -> str | None:
    """ "juice of 1 lemon" with lime juice in place of lemon juice: "juice of 1 lime"."""
    old, new = (item.name or "").split(), noun.singular.split()
    if len(old) != 2 or len(new) != 2 or old[1] != new[1]:
        return None
    pattern = rf"\b{re.escape(old[0])}(e?s)?\b"
    line = re.sub(pattern, lambda m: match_case(m[0], new[0]) + (m[1] or ""), item.line, flags=re.I)
    return line if line != item.line else None


def _fitting_states(written: str, noun: Noun, *, is_counted: bool) -> str:
    """Of the words between quantity and name those that still hold; sizes only for counted things."""
    if WORDS["peel"] & {*keys(written)}:  # juice from 1 lemon
        return written
    words = [word for word in re.split(r"[\s,]+", RE["from"].sub("", written)) if word]
    kept = [
        word
        for word in words
        if _describes_state(word) and holds(word.replace("-", " "), noun.singular)
        if is_counted or (word.lower() not in SIZES and unit_of(word.lower()) is None)
    ]
    is_of = is_counted and words[-1:] == ["of"]
    if len(kept) == len(words) or (is_of and fits(written, noun.singular)):
        return written
    while kept and (kept[0].lower() in _CONJUNCTIONS or kept[-1].lower() in _CONJUNCTIONS):
        kept = kept[1:] if kept[0].lower() in _CONJUNCTIONS else kept[:-1]
    if kept and kept[-1].endswith(("ly", "very", "extra")):  # an adverb goes with the word that it modified
        kept.pop()
    return " ".join(kept) + " " if kept else ""


def _describes_state(word: str) -> bool:
    """Whether a word before a name says how it is bought or cut, and not which one it is."""
    lower = word.lower()
    known = lower in QUALIFIERS or lower in SIZES or lower in _CONJUNCTIONS
    return known or lower.endswith("ly") or bool(states(lower))


def holds(phrase: str, food: str) -> bool:
    """Whether cooks say this of the food in a list.

    >>> holds("crumbled", "bacon"), holds("crumbled", "shrimp")
    (True, False)
    """
    usage = usage_of(food)
    if not fits(phrase, food) or usage is None or not usage.lines:
        return fits(phrase, food) and bool(states(phrase))
    return all(
        word.key in WORDS["function"]
        or ((unit := unit_of(word.key)) and unit.kind != "piece")
        or not usage.lines.isdisjoint(map(base, (word.key, word.written.lower())))
        for word in words_in(phrase)
    )


def _fitting_remarks(tail: str, noun: Noun, item: Ingredient, is_kept: bool, *, written: bool) -> str:
    """Of what follows the name that which still holds: ", cut into strips" but not ", skin removed"."""
    other = RE["alternative"].match(tail)
    had, has = kind_of(item.name or ""), kind_of(noun.singular)
    if other and (tail.startswith("/") or kind_of(other[1]) in (None, had, has)):
        tail = tail[other.end() :]  # breasts [or thighs], but not: shrimp or pork
    is_like = (row := row_of(noun.singular)) is not None and row == row_of(item.name or "")
    out, old = "", {*keys(item.name or "")[-1:], *keys(food_of(item.name or ""))}
    for match in RE["remark"].finditer(tail):
        sign, text = match[1] or match[2] or "", match[3].strip(" )")
        text = text if out else text.removeprefix("and ")
        if not text or re.match(r"or\b|such as\b", text):
            continue
        if sign == "(":
            names = [word.written for word in words_in(text) if word.key not in WORDS["quantity"] | {"each"}]
            own = units()[item.unit].kind if item.unit else None
            is_same = names and all((unit := unit_of(name)) and unit.kind == own for name in names)
            if is_kept and is_same if _DIGIT.search(text) else RE["kept remark"].search(text):
                out += f" ({text})"
            continue
        is_fine = is_like or (RE["kept remark"].search(text) and fits(text, noun.singular))
        part = text if is_fine else fitting(text, noun.singular)
        if old & {*keys(text)} or (not is_kept and re.search(r"\beach\b", text)):
            part = ""
        if item.amount is not None and not written and _DIGIT.search(text):
            part = " ".join(word for word in text.split() if fits(word, noun.singular))  # butter, 2 tbsp
        if part:
            out += f"{sign or ' '}{' ' if sign.strip() else ''}{part}"
    return out


def fitting(phrase: str, food: str) -> str:
    """The parts of a remark between commas and "and" that hold for the food.

    >>> fitting("peeled, cored and sliced", "tofu"), fitting("melted and cooled", "olive oil")
    ('sliced', 'cooled')
    """
    if holds(phrase, food):
        return phrase.strip()
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", phrase.strip())
    kept = [part.strip() for part in parts if part.strip() and holds(part, food)]
    return " and ".join([", ".join(kept[:-1]), kept[-1]]) if len(kept) > 1 else "".join(kept)


def split_quantity(head: str) -> tuple[str, str]:
    """The text before a name, split into its quantity and the words of state.

    >>> split_quantity("2 large boneless ")
    ('2 ', 'large boneless ')
    """
    end, has_quantity = 0, False
    for match in RE["quantity part"].finditer(head):
        part = match[0].strip().lower()
        is_amount = part[0].isdigit() or "¼" <= part[0] <= "⅞" or part[0] in "([" or part in WORDS["quantity"]
        if not is_amount and unit_of(part.rstrip(".")) is None:
            break
        has_quantity = has_quantity or is_amount
        end = match.end()
    end += len(head[end:]) - len(head[end:].lstrip())
    return (head[:end], head[end:]) if has_quantity else ("", head)


def new_quantity(item: Ingredient, written: str, noun: Noun, *, size: str | None = None) -> Quantity:
    """The quantity of what replaces a line's ingredient; `written` is the old one."""
    unit = units().get(item.unit) if item.unit else None
    if item.amount is None or not written.strip():
        return Quantity(written)
    if unit is None:
        return _count(item, item.amount or 1.0, written, noun, size)
    kind, trait = kind_of(noun.singular), _PIECES.get(unit.name)
    traits, old = kind.traits if kind else frozenset[str](), kind_of(item.name or "")
    is_other = old is None or old.traits.isdisjoint(("flesh", "egg"))
    if item.grams and is_other and ("egg" in traits or (unit.kind == "volume" and "flesh" in traits)):
        return _by_weight(item.grams, noun)  # nobody fills a cup with raw chicken, or weighs eggs
    if unit.kind in ("mass", "volume", "length"):
        return Quantity(_without_other_measures(written, unit))
    is_small = noun.countable and trait in ("solid", "flesh")  # shrimp come in no slices
    if item.grams is None or (trait in traits and not is_small):
        return Quantity(written)
    return _by_weight(item.grams, noun)


def _count(item: Ingredient, amount: float, written: str, noun: Noun, size: str | None) -> Quantity:
    """The quantity in place of things that were counted."""
    if item.grams is None:
        if noun.countable:
            return Quantity(written, is_one=amount <= 1)
        return Quantity(f"{written.rstrip()} {'piece' if amount <= 1 else 'pieces'} of ")
    kind = kind_of(noun.singular)
    # A cook counts eggs, apples and pork chops, not blueberries.
    is_counted_out = kind is None or "count" in kind.traits or keys(noun.singular)[-1] in CUTS
    each = grams(noun.singular, 1.0, "", size=size) if noun.countable and is_counted_out else None
    if each is None:
        return _by_weight(item.grams, noun)
    count = item.grams / each
    if _SAME_SIZE[0] <= count / amount <= _SAME_SIZE[1] and "(" not in written:
        return Quantity(written, is_one=amount <= 1)
    if 0.75 <= count <= _MAX_COUNT:
        return Quantity(f"about {round(count)} ", is_one=round(count) == 1, is_kept=False)
    return _by_weight(item.grams, noun)


def _by_weight(value: float, noun: Noun) -> Quantity:
    kind, text = kind_of(noun.singular), rounded_weight(value)
    if kind is not None and "egg" in kind.traits and (each := grams(noun.singular, 1.0, "")):
        return Quantity(f"about {max(1, round(value / each))} ", is_one=value < 1.5 * each, is_kept=False)
    if kind is not None and "liquid" in kind.traits:
        # Close enough for all that pours: a millilitre of it weighs about a gram.
        text = text.replace("kg", "l").replace(" g", " ml")
    return Quantity(f"about {text} ", is_kept=False)


def rounded_weight(value: float) -> str:
    """Grams as a cook would weigh them.

    >>> rounded_weight(453.59), rounded_weight(1587.0), rounded_weight(9.0)
    ('450 g', '1.6 kg', '9 g')
    """
    if value >= 1000:
        return f"{round(value / 1000, 1):g} kg"
    step = 1 if value < 10 else 5 if value < 100 else 10 if value < 400 else 50
    return f"{max(step, round(value / step) * step):g} g"


def _without_other_measures(written: str, unit: Unit) -> str:
    """ "1/2 cup (1 stick)" of butter is half a cup of oil, but no stick; nor do 120 ml weigh the same."""

    def keep_same_kind(match: re.Match[str]) -> str:
        measure = RE["measure"].search(match[0])
        other = unit_of(measure[1]) if measure else None
        return match[0] if other is not None and other.kind == unit.kind else ""

    return re.sub(r"\s{2,}", " ", re.sub(_BRACKETS, keep_same_kind, written))
