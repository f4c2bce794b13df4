"""Sampling: from a seed and a number to a dish, and from a dish to the same dish with another main."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from chef.data.kitchen.amounts import Line, Style, write_line
from chef.data.kitchen.dish import Dish, Layer, Pick, Plan
from chef.data.kitchen.dishes import FAMILIES
from chef.data.kitchen.grammar import Family, Slot
from chef.data.kitchen.phrasing import Named, Narrator, group, title, title_case
from chef.data.kitchen.pools import CUISINES, draw
from chef.data.kitchen.verbs import METHODS
from chef.data.kitchen.world import Food, foods, swap_family
from chef.errors import ChefError
from chef.recipe import Ingredient, Recipe, Step

_BY_NAME = {family.name: family for family in FAMILIES}
_USUAL_GRAMS: dict[str, tuple[float, float]] = {
    "spice": (2, 5),
    "herb": (4, 20),
    "seasoning": (3, 6),
    "fat": (14, 45),
    "allium": (12, 24),
    "sauce": (15, 50),
    "citrus": (25, 90),
    "baking": (5, 12),
    "sweet": (15, 45),
    "dairy": (40, 120),
    "liquid": (60, 200),
}
_BIG_ALLIUMS = frozenset(("onion", "red_onion", "leeks"))
_UNTITLED = frozenset(("spice", "fat", "seasoning", "baking", "liquid", "sweet", "sauce", "allium", "dairy"))


def generate(recipes: int, seed: int = 0) -> Iterator[Dish]:
    """The first `recipes` dishes of a seed; a dish depends on its seed and number alone.

    >>> next(generate(1, seed=0)).recipe.id
    'kitchen-0-000000'
    """
    return (cook(seed, index) for index in range(recipes))


def cook(seed: int, index: int) -> Dish:
    """Dish number `index` of a seed."""
    return _written(_plan(seed, index))


def swap(original: Dish, new: str) -> Dish:
    """The same dish with another main ingredient: title, lines, steps and picture follow.

    Layers whose token differs from the original's are what the swap must change in the picture.
    """
    if new in original.tokens:
        raise ChefError(f"{original.recipe.id} already has {new}", "choose an ingredient it does not have")
    if new not in foods():
        raise ChefError(f"the kitchen has no {new}", "see chef/data/kitchen/ingredients.tsv")
    picks = tuple(
        replace(pick, token=new) if pick.token == original.main else pick for pick in original.plan.picks
    )
    return _written(replace(original.plan, picks=picks))


def _plan(seed: int, index: int) -> Plan:
    rng = Random(f"{seed}-{index}")
    family = rng.choices(FAMILIES, [family.weight for family in FAMILIES])[0]
    names = tuple(CUISINES) if family.cuisines == ("any",) else family.cuisines
    cuisine = rng.choice(names)
    method = rng.choice(family.methods) if family.methods else None
    vessel = rng.choice(family.vessels)
    hero = rng.random() < family.hero
    picks: list[Pick] = []
    while not 4 <= len(picks) <= 14:
        picks = _picks(family, cuisine, method, rng)
    return Plan(seed, index, family.name, cuisine, method, vessel, hero, tuple(picks))


def _picks(family: Family, cuisine: str, method: str | None, rng: Random) -> list[Pick]:
    picks: list[Pick] = []
    taken: set[str] = set()
    for slot in family.slots:
        for _ in range(rng.randint(slot.least, slot.most)):
            token = _unused(slot.pool, cuisine, taken, rng)
            if token is None:
                continue
            look = METHODS[method][1] if slot.look == "METHOD" and method else slot.look
            picks.append(Pick(slot.role, token, _grams(slot, foods()[token], rng), slot.place, look))
            # A second kind of chicken (or beef ...) in one dish would blur what a swap has to change.
            taken.update((token, swap_family(token) or token))
    return picks


def _unused(pool: str, cuisine: str, taken: set[str], rng: Random) -> str | None:
    for _ in range(8):
        token = draw(pool, rng, cuisine)
        if token not in taken and (swap_family(token) or token) not in taken:
            return token
    return None


def _grams(slot: Slot, food: Food, rng: Random) -> float:
    low, high = slot.grams or _USUAL_GRAMS.get(food.kind, (20, 60))
    if slot.grams is None and food.token in _BIG_ALLIUMS:
        low, high = 100, 220
    return rng.uniform(low, high)


def _written(plan: Plan) -> Dish:
    """Words, truth and layers of a plan. Every part draws from its own stream, so a swap moves little."""
    family = _BY_NAME[plan.family]
    key = f"{plan.seed}-{plan.index}"
    style = Style.drawn(Random(f"{key}-style"))
    lines = _lines(plan, style, key)
    named = [
        _named(pick, line, Random(f"{key}-name-{k}"))
        for k, (pick, line) in enumerate(zip(plan.picks, lines, strict=True))
    ]
    by_role: dict[str, list[Named]] = {}
    for pick, name in zip(plan.picks, named, strict=True):
        by_role.setdefault(pick.role, []).append(name)
    sentences, actions, order = _told(family, by_role, plan.method, key)
    grams = {pick.token: line.grams for pick, line in zip(plan.picks, lines, strict=True)}
    main = _heaviest(grams)
    listed = _listed(plan, main, order, Random(f"{key}-order"))
    text = _title(plan, family, by_role, named, style, Random(f"{key}-title"))
    recipe = Recipe(
        id=f"kitchen-{plan.seed}-{plan.index:06d}",
        title=text,
        ingredients=tuple(Ingredient(lines[k].text) for k in listed),
        steps=tuple(Step(step) for step in group(sentences, Random(f"{key}-steps"))),
        tags=(plan.cuisine, plan.family),
        source="generated kitchen",
        licence="CC0-1.0",
    )
    tokens = tuple(plan.picks[k].token for k in listed)
    layers = tuple(_layer(pick, grams[pick.token]) for pick in plan.picks)
    return Dish(recipe, main, {t: grams[t] for t in tokens}, tokens, actions, layers, family.scene, plan)


def _heaviest(grams: dict[str, float]) -> str:
    return max((token for token in grams if token != "water"), key=lambda token: grams[token])


def _lines(plan: Plan, style: Style, key: str) -> list[Line]:
    """Lines of all picks; the main one is made heavier until it weighs most, without a tie."""
    aims = [pick.grams for pick in plan.picks]
    main = next(k for k, pick in enumerate(plan.picks) if pick.role == "main")
    if plan.hero:  # the others stay below the hero, as a real cook would have it
        limit = 0.8 * aims[main]
        aims = [
            aim if k == main or plan.picks[k].token == "water" else min(aim, limit)
            for k, aim in enumerate(aims)
        ]
    while True:
        lines = [
            write_line(foods()[pick.token], aim, style, Random(f"{key}-line-{k}"))
            for k, (pick, aim) in enumerate(zip(plan.picks, aims, strict=True))
        ]
        weights = {k: line.grams for k, line in enumerate(lines) if plan.picks[k].token != "water"}
        top = main if plan.hero else max(weights, key=lambda k: weights[k])
        if all(weights[top] > weight for k, weight in weights.items() if k != top):
            return lines
        aims[top] *= 1.15


def _named(pick: Pick, line: Line, rng: Random) -> Named:
    food = foods()[pick.token]
    short = food.token.replace("_", " ")
    one = short if food.kind == "fish" and short in food.forms else food.one
    many = line.name if line.plural and rng.random() < 0.3 else food.many
    many = short if food.kind == "fish" and short in food.forms and rng.random() < 0.6 else many
    spoken = line.name if rng.random() < 0.7 or not line.plural else food.many
    return Named(
        food.token, spoken, one, many, (spoken.endswith("s") and food.many != food.one) or line.plural
    )


def _told(
    family: Family, by_role: dict[str, list[Named]], method: str | None, key: str
) -> tuple[list[str], tuple[str, ...], list[str]]:
    """The sentences, their action words, and the tokens in order of first use."""
    narrator = Narrator(by_role, method)
    sentences: list[str] = []
    actions: list[str] = []
    order: list[str] = []
    last = len(family.sentences) - 1
    for k, sentence in enumerate(family.sentences):
        rng = Random(f"{key}-sentence-{k}")
        if sentence.optional and rng.random() < 0.5:
            continue
        said = narrator.say(sentence, rng, first=not sentences, last=k == last)
        if said is None:
            continue
        sentences.append(said[0])
        actions.append(said[1])
        order.extend(
            name.token for role in (*sentence.what, *sentence.extra) for name in by_role.get(role, ())
        )
    return sentences, tuple(actions), list(dict.fromkeys(order))


def _listed(plan: Plan, main: str, used: list[str], rng: Random) -> list[int]:
    """The order of the lines: by importance, by use, or as they came to mind with the small things last."""
    tokens = [pick.token for pick in plan.picks]
    indices = list(range(len(tokens)))
    habit = rng.random()
    if habit < 0.15:
        return sorted(indices, key=lambda k: tokens[k] != main)
    if habit < 0.42:
        place = {token: k for k, token in enumerate(used)}
        return sorted(indices, key=lambda k: place.get(tokens[k], len(place)))
    rng.shuffle(indices)
    small = ("seasoning", "spice", "herb", "fat")
    return sorted(indices, key=lambda k: foods()[tokens[k]].kind in small and rng.random() < 0.8)


def _title(
    plan: Plan, family: Family, by_role: dict[str, list[Named]], named: list[Named], style: Style, rng: Random
) -> str:
    seen = [
        name
        for pick, name in zip(plan.picks, named, strict=True)
        if pick.role != "main"
        and pick.place not in ("hidden", "crust", "base", "tint")
        and foods()[pick.token].kind not in _UNTITLED
    ]
    text = title(family, by_role, seen, plan.cuisine, plan.method, rng)
    return title_case(text) if style.title_case else text


def _layer(pick: Pick, grams: float) -> Layer:
    food = foods()[pick.token]
    place, _, shape = pick.place.partition(":")
    return Layer(food.token, place, shape or food.shape, pick.look, grams, food.colour, food.second)
