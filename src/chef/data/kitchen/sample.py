"""Sampling: from a seed and a number to a dish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from chef.data.kitchen.phrasing import METHODS, Line, Named, Narrator, group, title, title_case, write_line
from chef.data.kitchen.tables import CUISINES, FAMILIES, USUAL_GRAMS, Family, Food, draw, foods, swap_family
from chef.recipe import Ingredient, Recipe, Step

if TYPE_CHECKING:
    from PIL import Image

_SMALL_KINDS = frozenset(("seasoning", "spice", "herb", "fat"))  # usually listed last
_UNTITLED_KINDS = frozenset("spice fat seasoning baking liquid sweet sauce allium dairy".split())
_UNTITLED_PLACES = frozenset(("hidden", "crust", "base", "tint"))


@dataclass(frozen=True, slots=True)
class Layer:
    """One food of a dish, as the painter sees it."""

    role: str  # the slot of the family that it fills
    token: str
    place: str  # base, body, side, sauce, crust, top, ...: where it lies
    look: str  # raw, boiled, simmered, fried, baked or grilled
    grams: float

    @property
    def food(self) -> Food:
        return foods()[self.token]


@dataclass(frozen=True, slots=True)
class Dish:
    """A recipe with its ground truth.

    `tokens` has one canonical token per ingredient line, `actions` one verb lemma per sentence of the
    steps, `grams` what each line weighs, `main` the heaviest ingredient without water.
    """

    recipe: Recipe
    main: str
    grams: dict[str, float]
    tokens: tuple[str, ...]
    actions: tuple[str, ...]
    layers: tuple[Layer, ...]
    family: str
    vessel: str
    key: str  # seed and number: of the random streams

    def paint(self, size: int = 256, view: int = 0) -> Image.Image:
        """The plate as a square RGB picture; another `view` is another photo of the same dish."""
        from chef.data.kitchen.painter import paint

        return paint(self, size, view)


def generate(recipes: int, seed: int = 0) -> Iterator[Dish]:
    """The first `recipes` dishes of a seed; a dish depends on its seed and number alone.

    >>> next(generate(1, seed=0)).recipe.id
    'kitchen-0-000000'
    """
    return (cook(seed, index) for index in range(recipes))


def cook(seed: int, index: int) -> Dish:
    """Dish number `index` of a seed. Every part of it draws from its own random stream."""
    key = f"{seed}-{index}"
    rng = Random(key)
    family = rng.choices(list(FAMILIES.values()), [family.weight for family in FAMILIES.values()])[0]
    cuisine = rng.choice(family.cuisines or list(CUISINES))
    method = rng.choice(family.methods) if family.methods else None
    vessel = rng.choice(family.vessels)
    main_is_heaviest = rng.random() < family.main_is_heaviest
    planned: list[Layer] = []
    while not 4 <= len(planned) <= 14:
        planned = _layers(family, cuisine, method, rng)
    style = Random(f"{key}-style")
    metric, in_capitals = style.random() < 0.55, style.random() < 0.45
    lines = _lines(planned, main_is_heaviest, metric, key)
    layers = tuple(replace(layer, grams=line.grams) for layer, line in zip(planned, lines, strict=True))
    by_role: dict[str, list[Named]] = {}
    worth_naming: list[Named] = []
    for k, (layer, line) in enumerate(zip(layers, lines, strict=True)):
        named = _named(layer.token, line, Random(f"{key}-name-{k}"))
        by_role.setdefault(layer.role, []).append(named)
        plain = layer.place in _UNTITLED_PLACES or layer.food.kind in _UNTITLED_KINDS
        if layer.role != "main" and not plain:
            worth_naming.append(named)
    told, used = _tell(family, by_role, method, key)
    grams = {layer.token: layer.grams for layer in layers}
    main = max((token for token in grams if token != "water"), key=lambda token: grams[token])
    order = _order(list(grams), main, used, Random(f"{key}-order"))
    words = {
        "name": family.name,
        "cuisine": title_case(cuisine),
        "done": METHODS[method][0] if method else "",
    }
    text = title(family.titles, by_role, worth_naming, Random(f"{key}-title"), **words)
    recipe = Recipe(
        id=f"kitchen-{seed}-{index:06d}",
        title=title_case(text) if in_capitals else text,
        ingredients=tuple(Ingredient(lines[k].text) for k in order),
        steps=tuple(Step(step) for step in group([text for text, _ in told], Random(f"{key}-steps"))),
        tags=(cuisine, family.name),
        source="generated kitchen",
        licence="CC0-1.0",
    )
    tokens = tuple(layers[k].token for k in order)
    weighed, actions = {token: grams[token] for token in tokens}, tuple(verb for _, verb in told)
    return Dish(recipe, main, weighed, tokens, actions, layers, family.name, vessel, key)


def _layers(family: Family, cuisine: str, method: str | None, rng: Random) -> list[Layer]:
    layers: list[Layer] = []
    taken: set[str | None] = set()
    for slot in family.slots:
        look = METHODS[method][1] if slot.look == "METHOD" and method else slot.look
        for _ in range(rng.randint(slot.least, slot.most)):
            draws = (draw(slot.pool, rng, cuisine) for _ in range(8))
            # A second kind of chicken (or beef ...) in one dish would blur what a swap has to change.
            token = next((drawn for drawn in draws if not {drawn, swap_family(drawn)} & taken), None)
            if token is not None:
                usual = USUAL_GRAMS.get(token) or USUAL_GRAMS.get(foods()[token].kind, (20, 60))
                low, high = slot.grams or usual
                layers.append(Layer(slot.role, token, slot.place, look, rng.uniform(low, high)))
                taken.update((token, swap_family(token) or token))
    return layers


def _lines(layers: list[Layer], main_is_heaviest: bool, metric: bool, key: str) -> list[Line]:
    """Lines of all foods; the heaviest is made heavier until it weighs most without a tie."""
    targets = [layer.grams for layer in layers]
    main = next(k for k, layer in enumerate(layers) if layer.role == "main")
    if main_is_heaviest:  # the others stay below it
        limits = [9e9 if layer.token == "water" else 0.8 * targets[main] for layer in layers]
        targets = [grams if k == main else min(grams, limits[k]) for k, grams in enumerate(targets)]
    while True:
        lines = [
            write_line(foods()[layer.token], target, metric, Random(f"{key}-line-{k}"))
            for k, (layer, target) in enumerate(zip(layers, targets, strict=True))
        ]
        weights = {k: line.grams for k, line in enumerate(lines) if layers[k].token != "water"}
        top = main if main_is_heaviest else max(weights, key=lambda k: weights[k])
        if all(weights[top] > weight for k, weight in weights.items() if k != top):
            return lines
        targets[top] *= 1.15


def _named(token: str, line: Line, rng: Random) -> Named:
    """How the author calls a food: mostly as in the ingredient line."""
    food, short = foods()[token], token.replace("_", " ")
    plain_fish = food.kind == "fish" and short in food.forms  # "cod" rather than "cod fillets"
    many = line.name if line.plural and rng.random() < 0.3 else food.many
    many = short if plain_fish and rng.random() < 0.6 else many
    spoken = line.name if rng.random() < 0.7 or not line.plural else food.many
    return Named(token, spoken, short if plain_fish else food.one, many)


def _tell(
    family: Family, by_role: dict[str, list[Named]], method: str | None, key: str
) -> tuple[list[tuple[str, str]], list[str]]:
    """The sentences with their action words, and the tokens in order of first use."""
    narrator, used = Narrator(by_role, method), dict[str, None]()
    told: list[tuple[str, str]] = []
    for k, sentence in enumerate(family.steps):
        rng = Random(f"{key}-sentence-{k}")
        if sentence.optional and rng.random() < 0.5:
            continue
        said = narrator.say(sentence, rng, first=not told, last=k == len(family.steps) - 1)
        if said is not None:
            told.append(said)
            for role in (*sentence.what, *sentence.extra):
                used |= dict.fromkeys(named.token for named in by_role.get(role, ()))
    return told, list(used)


def _order(tokens: list[str], main: str, used: list[str], rng: Random) -> list[int]:
    """The order of the lines: by importance, by use, or as they came to mind with the small things last."""
    indices = list(range(len(tokens)))
    habit = rng.random()
    if habit < 0.15:
        return sorted(indices, key=lambda k: tokens[k] != main)
    if habit < 0.42:
        position = {token: k for k, token in enumerate(used)}
        return sorted(indices, key=lambda k: position.get(tokens[k], len(position)))
    rng.shuffle(indices)
    return sorted(indices, key=lambda k: foods()[tokens[k]].kind in _SMALL_KINDS and rng.random() < 0.8)
