"""Ingredient lines: from grams of a food to what a cook writes, and the grams that line really says."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chef.data.kitchen.phrasing import PHRASES
from chef.data.kitchen.tables import Food

_NICE: dict[str, list[float]] = PHRASES["units"]["amounts"]  # unit: the amounts that recipes use
_LONG: dict[str, str] = PHRASES["units"]["long"]
_FRACTIONS = {
    0.25: ("1/4", "¼"),
    0.5: ("1/2", "½"),
    0.75: ("3/4", "¾"),
    1 / 3: ("1/3", "⅓"),
    2 / 3: ("2/3", "⅔"),
}
_BY_MASS = frozenset("meat poultry fish seafood pasta grain plant root cheese".split())
_NOT_BY_MASS = frozenset(("spice", "herb", "seasoning", "allium", "egg", "citrus"))


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
    nearest = min(_FRACTIONS, key=lambda value: abs(value - part))
    if abs(nearest - part) > 0.02:
        return f"{amount:.1f}"
    text = _FRACTIONS[nearest][glyphs]
    return text if not whole else f"{whole}{text}" if glyphs else f"{whole} {text}"


def write_line(food: Food, grams: float, style: Style, rng: Random) -> Line:
    """A line for about this many grams of a food; `Line.grams` is what the line says exactly."""
    if food.kind == "seasoning" and ("tsp" not in food.measures or rng.random() < 0.5):
        name = _name(food, None, rng)
        text = rng.choice((f"{name}, to taste", f"{name} to taste", name, f"{name}, to season"))
        return Line(text[0].upper() + text[1:], food.measures["taste"], name, " and " in name)
    unit, grams_each = _unit(food, grams, style, rng)
    amount = _nice(unit, grams / grams_each)
    count = amount if unit == "_" else None
    name = _name(food, count, rng)
    if unit == "can":  # "1 can canned tomatoes" says it twice
        name = next((form for form in food.forms if not form.startswith(("canned", "tinned"))), name)
    text = _amount_text(unit, amount, food, name, style, rng)
    remarks = PHRASES["preparations"].get(food.kind)
    plain = unit not in ("can", "jar") and not name.startswith(("ground", "minced", "frozen"))
    if remarks and plain and rng.random() < 0.5:
        text += f", {rng.choice(remarks)}"
    plural = count > 1 if count is not None else name == food.many != food.one or name.endswith("s")
    return Line(text, round(amount * grams_each, 2), name, plural)


def _unit(food: Food, grams: float, style: Style, rng: Random) -> tuple[str, float]:
    """A unit that fits the amount, and the grams of one."""
    options: list[tuple[str, float, float]] = []  # unit, grams of one, weight
    cup = food.measures.get("cup") or food.measures.get("tbsp", 0) * 16 or food.measures.get("tsp", 0) * 48
    if cup and grams / cup <= _NICE["cup"][-1]:
        unit, per = ("cup", cup) if grams / cup > 0.24 else ("tbsp", cup / 16)
        if unit == "tbsp" and grams / per <= 0.9:
            unit, per = "tsp", cup / 48
        solid = unit == "cup" and food.kind in _BY_MASS and food.shape != "grain"
        options.append((unit, per, 0.6 if solid else 1.0 if style.metric else 3.0))
    if grams >= 40 and food.kind not in _NOT_BY_MASS:
        weight = 5.0 if food.kind in _BY_MASS else 2.0
        liquid = bool(cup) and (food.kind in ("liquid", "dairy") or food.token.endswith("juice"))
        if liquid and style.metric:
            options.append(("ml", cup / 240, weight))
        elif style.metric:
            options.append(("kg", 1000.0, weight) if grams >= 1000 else ("g", 1.0, weight))
        elif not liquid:
            options.append(("lb", 454.0, weight * 0.7) if grams > 380 else ("oz", 28.35, weight * 0.7))
    for unit, per in food.measures.items():
        if unit not in ("cup", "tbsp", "tsp", "lb", "taste") and 0.4 <= grams / per <= 14:
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
    if rng.random() < 0.68:
        return food.one if count is not None and count <= 1 else food.many
    singular = {form for form in food.forms if form + "s" in food.forms or form + "es" in food.forms}
    if food.one != food.many:
        singular.add(food.one)
    if count is None:
        return rng.choice([form for form in food.forms if form not in singular])
    if count <= 1:
        return rng.choice([form for form in food.forms if form in singular or form == food.one])
    return rng.choice([form for form in food.forms if form.endswith("s") or form == food.many])


def _amount_text(unit: str, amount: float, food: Food, name: str, style: Style, rng: Random) -> str:
    said, s = number(amount, style.glyphs), "s" if amount > 1 else ""
    if unit == "_":
        return f"{said} medium {name}" if food.measures["_"] > 50 and rng.random() < 0.1 else f"{said} {name}"
    if unit in ("can", "jar"):
        pack = rng.choice(("can", "tin")) + s if unit == "can" else unit + s
        size = f"{food.measures[unit]:.0f}"
        return rng.choice((f"{said} ({size} g) {pack} {name}", f"{said} {pack} ({size} g) {name}"))
    if unit in _LONG:
        tight = style.tight and not style.long_units and unit in ("g", "kg", "ml")
        return f"{said}{'' if tight else ' '}{_LONG[unit] + s if style.long_units else unit} {name}"
    if unit == "clove" and rng.random() < 0.4:
        return f"{said} {name} clove{s}"
    plural = f"{unit}es" if s and unit.endswith(("ch", "sh")) else unit + s
    of = " of" if unit != "cup" and rng.random() < 0.35 else ""
    return f"{said} {plural}{of} {name}"
