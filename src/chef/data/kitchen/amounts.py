"""Ingredient lines: from grams of a food to what a cook writes, and the grams that line really says."""

from dataclasses import dataclass
from random import Random

from chef.data.kitchen.phrasing import PHRASES
from chef.data.kitchen.tables import Food

_NICE: dict[str, list[float]] = PHRASES["amounts"]  # unit: the amounts that recipes use
_FRACTIONS = {0.25: "1/4", 0.5: "1/2", 0.75: "3/4", 1 / 3: "1/3", 2 / 3: "2/3"}
_BY_MASS = frozenset("meat poultry fish seafood pasta grain plant root cheese".split())
_NOT_BY_MASS = frozenset(("spice", "herb", "seasoning", "allium", "egg", "citrus"))
_SPOONS = ("cup", "tbsp", "tsp", "lb", "taste")  # all other measures of a food are pieces of it
_SHORT = ("g", "kg", "ml", "oz", "lb", "tbsp", "tsp")  # written alike for one and several


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
