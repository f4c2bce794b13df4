"""Titles, ingredient lines and sentences: words for what a dish family lays out, from `phrases.json`.

In the sentence templates of a verb `{v}` is the verb itself, so the action word is always in the sentence;
`{x}` are the foods, `{y}` the foods after "with"; `{in}`, `{to}`, `{into}` the pan ("in a large pot", then
"in the pot"); `{t}` minutes; `{temp}` an oven temperature. `[a|b]` chooses one; `{hot}` needs a hot pan.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from chef.data.kitchen.tables import Food, Sentence, foods, read_text

PHRASES: dict[str, Any] = json.loads(read_text("phrases.json"))
VERBS: dict[str, Any] = PHRASES["verbs"]
# A cooking method: what the food is called once done, and the look it gets.
METHODS: dict[str, tuple[str, str]] = PHRASES["methods"]
_NICE: dict[str, list[float]] = PHRASES["amounts"]  # unit: the amounts that recipes use
_FRACTIONS = {0.25: "1/4", 0.5: "1/2", 0.75: "3/4", 1 / 3: "1/3", 2 / 3: "2/3"}
_BY_MASS = frozenset("meat poultry fish seafood pasta grain plant root cheese".split())
_NOT_BY_MASS = frozenset(("spice", "herb", "seasoning", "allium", "egg", "citrus"))
_SPOONS = ("cup", "tbsp", "tsp", "lb", "taste")  # all other measures of a food are pieces of it
_SHORT = ("g", "kg", "ml", "oz", "lb", "tbsp", "tsp")  # written alike for one and several
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_PAN = re.compile(r"\{(in|to|into)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """One written ingredient line and its truth."""

    text: str
    grams: float
    name: str  # the surface form used
    plural: bool


def number(amount: float) -> str:
    """An amount as cooks write it.

    >>> number(2.0), number(0.25), number(1.5), number(1.2)
    ('2', '1/4', '1 1/2', '1.2')
    """
    whole, part = divmod(amount + 1e-6, 1)
    nearest = min(_FRACTIONS, key=lambda value: abs(value - part))
    if part < 0.01:
        return f"{whole:.0f}"
    if abs(nearest - part) > 0.02:
        return f"{amount:.1f}"
    return f"{whole:.0f} {_FRACTIONS[nearest]}" if whole else _FRACTIONS[nearest]


def write_line(food: Food, grams: float, metric: bool, rng: Random) -> Line:
    """A line for about this many grams of a food; `Line.grams` is what the line says exactly."""
    if food.kind == "seasoning" and ("tsp" not in food.measures or rng.random() < 0.5):
        name = rng.choice(food.forms)
        text = rng.choice((f"{name}, to taste", f"{name} to taste", name, f"{name}, to season"))
        return Line(text[0].upper() + text[1:], food.measures["taste"], name, " and " in name)
    unit, one = _unit(food, grams, metric, rng)
    amount = _nice(unit, grams / one)
    is_counted, s = unit == "_", "s" if amount > 1 else ""
    others = [form for form in food.also if not is_counted or (s and form.endswith("s"))]
    name = food.one if is_counted and not s else food.many
    name = rng.choice(others) if others and rng.random() < 0.3 else name
    words = [number(amount), *([] if is_counted else [unit if unit in _SHORT else unit + s])]
    if unit in ("can", "jar"):  # "1 can canned tomatoes" says it twice
        name = next((form for form in food.forms if not form.startswith(("canned", "tinned"))), name)
        words.insert(rng.randint(1, 2), f"({food.measures[unit]:.0f} g)")
    text = " ".join([*words, name]).replace("bunchs", "bunches")
    remarks = PHRASES["preparations"].get(food.kind)
    if remarks and unit not in ("can", "jar") and not name.startswith(("ground", "minced", "frozen")):
        text += f", {rng.choice(remarks)}" if rng.random() < 0.5 else ""
    plural = bool(s) if is_counted else name == food.many != food.one or name.endswith("s")
    return Line(text, round(amount * one, 2), name, plural)


def _unit(food: Food, grams: float, metric: bool, rng: Random) -> tuple[str, float]:
    """A unit that fits the amount, and the grams of one."""
    pieces = [(unit, one) for unit, one in food.measures.items() if unit not in _SPOONS]
    pieces = [(unit, one) for unit, one in pieces if 0.4 <= grams / one <= 14]
    is_light = grams < 40 or food.kind in _NOT_BY_MASS
    if pieces and (is_light or rng.random() < 0.6):
        return rng.choice(pieces)
    cup = food.measures.get("cup") or food.measures.get("tbsp", 0) * 16 or food.measures.get("tsp", 0) * 48
    is_liquid = bool(cup) and food.kind in ("liquid", "dairy")
    often = 0.1 if food.kind in _BY_MASS and food.shape != "grain" else 0.5
    is_spooned = is_light or (is_liquid and not metric) or rng.random() < often
    if is_spooned and cup and grams / cup <= _NICE["cup"][-1]:
        sizes = {"cup": cup, "tbsp": cup / 16, "tsp": cup / 48}
        unit = "cup" if grams > 0.24 * cup else "tbsp" if 18 * grams > cup else "tsp"
        return unit, sizes[unit]
    if metric and is_liquid:
        return "ml", cup / 240
    if metric or is_light:
        return ("kg", 1000.0) if grams >= 1000 else ("g", 1.0)
    return ("lb", 454.0) if grams > 380 else ("oz", 28.35)


def _nice(unit: str, amount: float) -> float:
    if unit in _NICE:
        return min(_NICE[unit], key=lambda value: abs(value - amount))
    if unit == "kg":
        return round(amount, 1)
    if unit in ("g", "ml"):
        step = 1 if amount < 15 else 5 if amount < 100 else 25 if amount < 300 else 50
        return max(step, round(amount / step) * step)
    return 0.5 if amount < 0.7 else max(1, round(amount))


@dataclass(frozen=True, slots=True)
class Named:
    """A food as the author of this recipe calls it."""

    token: str
    spoken: str  # in sentences
    one: str  # before a noun, in titles
    many: str


@dataclass(slots=True)
class Narrator:
    """Turns the sentences of a family into words; remembers which pans were already named."""

    foods: Mapping[str, Sequence[Named]]  # role -> foods
    method: str | None
    pans: set[str] = field(default_factory=set)

    def say(self, sentence: Sentence, rng: Random, first: bool, last: bool) -> tuple[str, str] | None:
        """The sentence in words and its action word; None where its foods are absent."""
        what = [named for role in sentence.what for named in self.foods.get(role, ())]
        extra = [named for role in sentence.extra for named in self.foods.get(role, ())]
        verbs = [self.method or "cook" if verb == "METHOD" else verb for verb in sentence.verbs]
        if verbs == ["PREPARE"]:
            verbs, what = _prepared(what, rng)
        x, y = _noun(sentence.what, what), _noun(sentence.extra, extra)
        if sentence.extra == ["season"]:
            y = y.removeprefix("the ")
        lines = {verb: [t for t in VERBS[verb]["templates"] if _fits(t, y, sentence.pan)] for verb in verbs}
        verbs = [verb for verb in verbs if lines[verb]]
        if not x or not verbs or (sentence.needs_extra and not y):
            return None
        verb = rng.choice(verbs)
        text = expand(rng.choice(lines[verb]), rng)
        fields = {"v": verb, "x": x, "y": y, "hot": "", "t": _minutes(rng, *VERBS[verb]["minutes"])}
        fields["temp"] = rng.choice(PHRASES["temperatures"])
        if sentence.pan is not None and _PAN.search(text):
            pan = sentence.pan
            name = f"the {pan}" if pan in self.pans else rng.choice(PHRASES["pans"][pan])
            self.pans.add(pan)
            fields |= {at: f"{at} {name}" for at in ("in", "to", "into")}
        if rng.random() < (0.45 if last else 0.24):
            text = rng.choice(PHRASES["openings"]["last" if last else "first" if first else "any"]) + text
        text = " ".join(text.format(**fields).split()).replace(" ,", ",").replace("about about", "about")
        return _capital(text) + ".", verb


def _prepared(what: Sequence[Named], rng: Random) -> tuple[list[str], list[Named]]:
    """A verb that suits the first food that has one, and all the foods that it suits."""
    suitable: dict[str, str] = PHRASES["prepare"]  # token or kind of food -> verbs
    verbs = [suitable.get(named.token, suitable.get(foods()[named.token].kind, "")).split() for named in what]
    first = next(filter(None, verbs), None)
    if first is None:
        return [], []
    verb = rng.choice(first)
    return [verb], [named for named, own in zip(what, verbs, strict=True) if verb in own]


def _noun(roles: Sequence[str], named: Sequence[Named]) -> str:
    """The foods of a sentence as an enumeration, or its plain word."""
    if roles and roles[0].startswith("="):
        return "everything" if roles == ["=everything"] else f"the {roles[0][1:]}"
    if roles == ["oven"]:
        return "the oven"
    names = [food.spoken for food in named[:5]]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    return listed and f"the {listed}"


def expand(template: str, rng: Random) -> str:
    """Choose within every `[a|b]`, innermost first."""
    while match := _CHOICE.search(template):
        template = template[: match.start()] + rng.choice(match[1].split("|")) + template[match.end() :]
    return template


def _fits(template: str, extra: str, pan: str | None) -> bool:
    if ("{hot}" in template and pan not in ("pot", "pan", "wok")) or (pan is None and _PAN.search(template)):
        return False
    return ("{y}" in template) == bool(extra)


def _minutes(rng: Random, low: int, high: int) -> str:
    minutes = rng.randint(low, high)
    minutes = 5 * round(minutes / 5) if minutes > 12 else minutes
    said = rng.choice(
        (f"{minutes}", f"about {minutes}", f"{minutes} to {minutes + (5 if minutes > 12 else 2)}")
    )
    return "1 minute" if minutes <= 1 else f"{said} minutes"


def group(sentences: Sequence[str], rng: Random) -> list[str]:
    """Sentences gathered into 3 to 10 steps of one to three sentences."""
    count = len(sentences)
    least = max(3, -(-count // 3))
    sizes = [1] * rng.randint(least, max(least, min(10, count)))
    while sum(sizes) < count:
        sizes[rng.choice([i for i, size in enumerate(sizes) if size < 3])] += 1
    rest = iter(sentences)
    return [" ".join(next(rest) for _ in range(size)) for size in sizes]


def title(
    titles: Sequence[str],
    by_role: Mapping[str, Sequence[Named]],
    others: Sequence[Named],
    rng: Random,
    **more: str,
) -> str:
    """A title as cooks write them. `others` are the foods worth naming beside the main one."""
    fields = {"adj": rng.choice(PHRASES["adjectives"]), **more}
    for role, named in by_role.items():
        fields[role], fields[f"{role}1"] = named[0].many, named[0].one
    fields["main"], fields["mains"] = by_role["main"][0].one, by_role["main"][0].many
    names = [named.many for named in rng.sample(list(others), min(2, len(others)))]
    fields["x"] = names[0] if names else ""
    fields["with"] = f" with {' and '.join(names[: rng.randint(1, 2)])}" if names else ""
    for _ in range(12):
        text = expand(rng.choice(titles), rng)
        used = set(re.findall(r"\{(\w+)\}", text))
        if used <= fields.keys() and all(fields[name] or name == "with" for name in used):
            filled = " ".join(text.format(**fields).split())
            long_words = [word for word in re.findall(r"\w+", filled.lower()) if len(word) > 4]
            # "green beans with green beans" names one thing twice: draw again.
            if len(set(long_words)) == len(long_words):
                return _capital(filled)
    return _capital(f"{fields['main']} {more['name']}")


def title_case(text: str) -> str:
    """Every word with a capital except the small ones."""
    small = ("with", "and", "in", "on", "of", "the")
    return _capital(" ".join(word if word in small else _capital(word) for word in text.split()))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
