"""How each action is said: the sentence templates of `verbs.txt`, and what methods are called.

In the templates `{v}` is the verb itself, so the action word is always in the sentence; `{x}` the foods,
`{y}` the foods after "with"; `{in}`, `{to}`, `{into}` the pan ("in a large pot", then "in the pot"); `{t}`
minutes; `{temp}` an oven temperature. `[a|b]` chooses one; `{hot}` asks for a pan on the heat. A line
without `{v}` names the next verb and, where it has them, its minutes.
"""

from __future__ import annotations

from importlib.resources import files

# What a cooking method is called once done, and how it changes the look of the food.
METHODS: dict[str, tuple[str, str]] = {
    "grill": ("grilled", "grilled"),
    "broil": ("broiled", "grilled"),
    "fry": ("fried", "fried"),
    "sear": ("seared", "fried"),
    "roast": ("roasted", "baked"),
    "bake": ("baked", "baked"),
    "poach": ("poached", "boiled"),
    "steam": ("steamed", "boiled"),
    "boil": ("boiled", "boiled"),
}

# Which openings fit which verbs; the others take only the plain ones.
KNIFE = frozenset("chop dice slice cut mince shred trim core halve cube peel".split())
HEAT = frozenset("fry saute brown sear cook simmer boil roast bake grill steam poach braise stew".split())


def _parse(table: str) -> dict[str, tuple[tuple[int, int], tuple[str, ...]]]:
    out: dict[str, tuple[tuple[int, int], list[str]]] = {}
    verb = ""
    for line in table.strip().splitlines():
        if "{v}" in line:
            out[verb][1].append(line)
            continue
        verb, _, minutes = line.partition(" ")
        low, _, high = (minutes or "5-10").partition("-")
        out[verb] = ((int(low), int(high)), [])
    return {name: (minutes, tuple(lines)) for name, (minutes, lines) in out.items()}


VERBS = _parse(files(__package__).joinpath("verbs.txt").read_text("utf-8"))
