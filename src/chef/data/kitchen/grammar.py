"""The notation in which dish families are written.

A family is a kind of dish: which foods fill its slots, which sentences tell how it is made, how it is
called and how it looks. Slots and sentences are written one per line:

    role   pool        count  grams    place  look        sentence: verb/verb role+role with role in pan
    main   chunks      1      500-900  body   simmered              brown main in pot
    veg    stew_veg    1-3    80-250   body   simmered              ? simmer everything in pot

`.` in grams takes the usual amount of that kind of food; look `METHOD` follows the cooking method that
was drawn for the recipe; a sentence that starts with `?` is left out half of the time; `=dough` is the
plain word "the dough"; a sentence whose foods are all absent is left out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """Foods of one role: how many, how much, and where they lie on the plate."""

    role: str
    pool: str
    least: int
    most: int
    grams: tuple[float, float] | None  # of each food, for about four people
    place: str  # base, body, side, broth, crust, top, tint or hidden
    look: str  # raw, boiled, simmered, fried, baked, grilled or METHOD


@dataclass(frozen=True, slots=True)
class Sentence:
    """One instruction sentence before it has words."""

    verbs: tuple[str, ...]
    what: tuple[str, ...]
    extra: tuple[str, ...]  # the foods after "with"
    pan: str | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of dish."""

    name: str
    scene: str  # the painter's composition
    vessels: tuple[str, ...]
    cuisines: tuple[str, ...]
    nouns: tuple[str, ...]
    titles: tuple[str, ...]
    slots: tuple[Slot, ...]
    sentences: tuple[Sentence, ...]
    methods: tuple[str, ...]
    weight: float
    hero: float  # how often the `main` role is made the largest mass; else the masses fall as they fall
    sweet: bool


_SEASONING = "season salt_any 1-1 . hidden raw"
_SWEET_SALT = "season salt 0-1 . hidden raw"


def family(
    name: str,
    scene: str,
    slots: str,
    steps: str,
    *,
    titles: str,
    nouns: str = "",
    vessels: str = "plate",
    cuisines: str = "any",
    methods: str = "",
    weight: float = 1.0,
    hero: float = 1.0,
    sweet: bool = False,
) -> Family:
    """A family from its written form; `titles`, `cuisines` and the like are comma or slash lists."""
    extra = _SWEET_SALT if sweet else _SEASONING
    return Family(
        name=name,
        scene=scene,
        vessels=tuple(vessels.split()),
        cuisines=tuple(item.strip() for item in cuisines.split(",")),
        nouns=tuple(item.strip() for item in (nouns or name).split("/")),
        titles=tuple(line.strip() for line in titles.strip().splitlines()),
        slots=tuple(_slot(line) for line in [*slots.strip().splitlines(), extra]),
        sentences=tuple(_sentence(line) for line in steps.strip().splitlines()),
        methods=tuple(methods.split()),
        weight=weight,
        hero=hero,
        sweet=sweet,
    )


def _slot(line: str) -> Slot:
    role, pool, count, grams, place, look = line.split()
    least, _, most = count.partition("-")
    low, _, high = grams.partition("-")
    amount = None if grams == "." else (float(low), float(high or low))
    return Slot(role, pool, int(least), int(most or least), amount, place, look)


def _sentence(line: str) -> Sentence:
    words = line.split()
    optional = words[0] == "?"
    if optional:
        words = words[1:]
    parts: dict[str, list[str]] = {"what": [], "with": [], "in": []}
    key = "what"
    for word in words[1:]:
        if word in ("with", "in"):
            key = word
        else:
            parts[key].extend(word.split("+"))
    pan = parts["in"][0] if parts["in"] else None
    return Sentence(tuple(words[0].split("/")), tuple(parts["what"]), tuple(parts["with"]), pan, optional)
