"""Ingredient lines: from grams of a food to what a cook writes, and the grams that line really says."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chef.data.kitchen.world import Food

_NICE_CUPS = (1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8)
_NICE: dict[str, tuple[float, ...]] = {
    "cup": _NICE_CUPS,
    "tbsp": (0.5, 1, 1.5, 2, 3, 4, 5, 6, 8),
    "tsp": (0.25, 0.5, 0.75, 1, 1.5, 2, 3),
    "lb": (0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3),
    "oz": (*range(1, 17), 18, 20, 24),
    "pinch": (1, 2),
}
_NAMES = {  # unit: short, long
    "cup": ("cup", "cup"),
    "tbsp": ("tbsp", "tablespoon"),
    "tsp": ("tsp", "teaspoon"),
    "lb": ("lb", "pound"),
    "oz": ("oz", "ounce"),
    "g": ("g", "gram"),
    "kg": ("kg", "kilogram"),
    "ml": ("ml", "millilitre"),
}
_SHORT = frozenset(("tbsp", "tsp", "lb", "oz", "g", "kg", "ml"))  # never take an s
_GLYPHS = {0.25: "¼", 0.5: "½", 0.75: "¾", 1 / 3: "⅓", 2 / 3: "⅔"}
_PLAIN = {0.25: "1/4", 0.5: "1/2", 0.75: "3/4", 1 / 3: "1/3", 2 / 3: "2/3"}
_BY_MASS = frozenset(("meat", "poultry", "fish", "seafood", "pasta", "grain", "plant", "root", "cheese"))
_SIZED = frozenset(("root", "vegetable", "allium", "fruit"))  # come small, medium and large
_SPOONED = frozenset(("spice", "herb", "seasoning", "allium"))
_PREP: dict[str, tuple[str, ...]] = {
    "poultry": ("cut into pieces", "trimmed", "skin removed", "cut into bite-size pieces"),
    "meat": ("trimmed", "cut into pieces", "cut into 3 cm cubes", "at room temperature"),
    "fish": ("skin removed", "pin bones removed", "patted dry"),
    "seafood": ("cleaned", "thawed if frozen", "patted dry"),
    "plant": ("drained", "drained and pressed"),
    "vegetable": ("chopped", "sliced", "trimmed", "cut into bite-size pieces", "washed"),
    "root": ("peeled", "peeled and diced", "scrubbed", "cut into chunks", "peeled and sliced"),
    "leafy": ("washed", "shredded", "washed and torn", "roughly chopped"),
    "allium": ("finely chopped", "chopped", "sliced", "minced"),
    "legume": ("drained and rinsed", "rinsed", "drained"),
    "grain": ("rinsed",),
    "cheese": ("grated", "crumbled", "plus extra to serve"),
    "fruit": ("sliced", "ripe but firm", "cut into pieces", "washed"),
    "berry": ("washed", "fresh or frozen", "hulled if needed"),
    "citrus": ("to serve",),
    "herb": ("chopped", "roughly chopped", "to serve", "leaves picked"),
    "nut": ("roughly chopped", "toasted", "chopped"),
    "egg": ("beaten", "at room temperature", "lightly beaten"),
    "fat": ("plus extra for greasing", "divided", "for cooking"),
    "dried": ("chopped",),
    "liquid": ("warm", "divided"),
}


@dataclass(frozen=True, slots=True)
class Style:
    """How one author writes: units, fractions, spelling. One per recipe."""

    metric: bool
    long_units: bool
    glyphs: bool
    tight: bool  # "500g" rather than "500 g"
    title_case: bool

    @classmethod
    def drawn(cls, rng: Random) -> Style:
        return cls(*(rng.random() < chance for chance in (0.55, 0.35, 0.3, 0.3, 0.45)))


@dataclass(frozen=True, slots=True)
class Line:
    """One written ingredient line and its truth."""

    text: str
    grams: float
    name: str  # the surface form used
    plural: bool


def number(amount: float, glyphs: bool = False) -> str:
    """1.5 -> "1 1/2" or "1½".

    >>> number(2.0), number(0.25), number(1.5, glyphs=True)
    ('2', '1/4', '1½')
    """
    whole = int(amount + 1e-6)
    part = amount - whole
    if part < 0.01:
        return str(whole)
    nearest = min(_PLAIN, key=lambda value: abs(value - part))
    if abs(nearest - part) > 0.02:
        return f"{amount:.1f}"
    text = (_GLYPHS if glyphs else _PLAIN)[nearest]
    return text if not whole else f"{whole}{text}" if glyphs else f"{whole} {text}"


def write_line(food: Food, grams: float, style: Style, rng: Random) -> Line:
    """A line for about this many grams of a food; `Line.grams` is what the line says exactly."""
    if food.kind == "seasoning" and ("tsp" not in food.measures or rng.random() < 0.5):
        return _to_taste(food, rng)
    if food.kind == "herb" and "bunch" in food.measures and rng.random() < 0.2:
        name = _name(food, None, rng)
        return Line(rng.choice((f"A handful of {name}", f"1 handful {name}, to serve")), 15.0, name, True)
    unit, grams_each = _unit(food, grams, style, rng)
    amount = _nice(unit, grams / grams_each)
    ranged = unit == "_" and amount >= 2 and amount == int(amount) and rng.random() < 0.07
    if ranged:
        amount += 0.5
    count = amount if unit == "_" else None
    name = _name(food, count, rng)
    if unit == "can":  # "1 can canned tomatoes" says it twice
        name = next((form for form in food.forms if not form.startswith(("canned", "tinned"))), name)
    text = _amount_text(unit, amount, ranged, food, name, style, rng) + _prep(food, name, rng)
    plural = count > 1 if count is not None else name == food.many != food.one or name.endswith("s")
    return Line(text, round(amount * grams_each, 2), name, plural)


def _to_taste(food: Food, rng: Random) -> Line:
    name = _name(food, None, rng)
    capital = name[0].upper() + name[1:]
    text = rng.choice((f"{capital}, to taste", f"{capital} to taste", f"{capital}", f"{name}, to season"))
    return Line(text, 2.0, name, " and " in name)


def _unit(food: Food, grams: float, style: Style, rng: Random) -> tuple[str, float]:
    """A unit that fits the amount, and the grams of one."""
    options: list[tuple[str, float, float]] = []  # unit, grams of one, weight
    cup = food.measures.get("cup") or food.measures.get("tbsp", 0) * 16 or food.measures.get("tsp", 0) * 48
    if cup and grams / cup <= _NICE["cup"][-1]:
        unit, per = ("cup", cup) if grams / cup > 0.24 else ("tbsp", cup / 16)
        if grams / per <= 0.9 and unit == "tbsp":
            unit, per = "tsp", cup / 48
        solid_by_mass = food.kind in _BY_MASS and food.shape != "grain"
        options.append((unit, per, 0.6 if solid_by_mass and unit == "cup" else 1.0 if style.metric else 3.0))
    if grams >= 40 and food.kind not in _SPOONED:
        weight = 5.0 if food.kind in _BY_MASS else 2.0
        liquid = bool(cup) and (food.kind in ("liquid", "dairy") or food.token.endswith("juice"))
        if style.metric:
            unit = "ml" if liquid else "kg" if grams >= 1000 else "g"
            options.append((unit, cup / 240 if liquid else 1000.0 if unit == "kg" else 1.0, weight))
        elif not liquid:
            unit, per = ("lb", 454.0) if grams > 380 else ("oz", 28.35)
            options.append((unit, per, weight * 0.7))
    for unit, per in food.measures.items():
        if unit not in ("cup", "tbsp", "tsp", "lb") and 0.4 <= grams / per <= 14:
            options.append((unit, per, 5.0))
    if not options:
        return ("kg", 1000.0) if grams >= 1000 else ("g", 1.0)
    unit, per, _ = rng.choices(options, [weight for _, _, weight in options])[0]
    return unit, per


def _nice(unit: str, amount: float) -> float:
    if unit in _NICE:
        return min(_NICE[unit], key=lambda value: abs(value - amount))
    if unit == "kg":
        return round(amount, 1)
    if unit in ("g", "ml"):
        step = 1 if amount < 15 else 5 if amount < 100 else 25 if amount < 300 else 50
        return max(step, round(amount / step) * step)
    return 0.5 if amount < 0.7 else max(1, round(amount))


def _name(food: Food, count: float | None, rng: Random) -> str:
    """A surface form that reads well after a count, or after a unit (count None)."""
    usual = food.one if count is not None and count <= 1 else food.many
    if rng.random() < 0.68:
        return usual
    singles = {form for form in food.forms if form + "s" in food.forms or form + "es" in food.forms}
    if count is None:
        fits = [
            form for form in food.forms if form not in singles and (form != food.one or form == food.many)
        ]
    elif count <= 1:
        fits = [form for form in food.forms if form in singles or form == food.one]
    else:
        fits = [form for form in food.forms if form.endswith("s") or form == food.many]
    return rng.choice(fits)


def _amount_text(
    unit: str, amount: float, ranged: bool, food: Food, name: str, style: Style, rng: Random
) -> str:
    said = number(amount, style.glyphs)
    if ranged:
        low, high = int(amount - 0.5), int(amount + 0.5)
        said = rng.choice((f"{low}-{high}", f"{low} to {high}"))
    if unit == "_":
        sized = food.kind in _SIZED and food.measures["_"] > 50 and rng.random() < 0.15
        return f"{said} medium {name}" if sized else f"{said} {name}"
    if unit in ("can", "jar"):
        return _pack(unit, amount, food, name, rng)
    if unit in _NAMES:
        short, long = _NAMES[unit]
        word = long if style.long_units else short
        if amount > 1 and word not in _SHORT:
            word += "s"
        gap = "" if style.tight and word in ("g", "kg", "ml") else " "
        return f"{said}{gap}{word} {name}"
    plural = amount > 1
    if unit == "clove":
        word = "cloves" if plural else "clove"
        return rng.choice((f"{said} {word} {name}", f"{said} {word} of {name}", f"{said} {name} {word}"))
    word = f"{unit}es" if plural and unit.endswith(("ch", "sh")) else f"{unit}s" if plural else unit
    of = " of" if rng.random() < 0.35 else ""
    return f"{said} {word}{of} {name}"


def _pack(unit: str, amount: float, food: Food, name: str, rng: Random) -> str:
    size = f"{food.measures[unit]:.0f}"
    word = rng.choice(("can", "tin")) if unit == "can" else unit
    if amount <= 1:
        said = number(amount)
        return rng.choice((f"{said} ({size} g) {word} {name}", f"{said} {word} ({size} g) {name}"))
    said = number(amount)
    return rng.choice((f"{said} ({size} g) {word}s {name}", f"{said} x {size}g {word}s {name}"))


def _prep(food: Food, name: str, rng: Random) -> str:
    """What is done to the food before cooking starts, half of the time."""
    choices = _PREP.get(food.kind)
    if not choices or rng.random() < 0.5 or name.startswith(("canned", "ground", "minced", "frozen")):
        return ""
    return f", {rng.choice(choices)}"
