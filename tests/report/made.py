"""Results made up for the tests, in the shape that `chef evaluate` writes."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from chef.model.tree import Tree

PHOTO = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
WAYS = ("recipe-to-image", "recipe-to-recipe")
DIRECTIONS = ("image-to-recipe", "recipe-to-image")
LIST = ["chicken_breasts", "rice", "olive_oil", "garlic", "salt", "parsley"]
SENTENCE = "stir the onions until they soften".split()


def result(
    model: str = "t+t+l", seed: int | None = 0, *, data: str = "kitchen", n: int = 1200
) -> dict[str, Any]:
    """The result of one model; trees follow from its name, figures from its name and its seed."""
    draw = random.Random(f"{model} {seed}")
    made: dict[str, Any] = {
        "model": model,
        "data": data,
        "split": "test",
        "seed": 0,
        "n": n,
        "left_out": {"no photo": 3},
        "about": {"seed": seed, "tower": "small-cnn", "variant": model.removesuffix(" (batch statistics)")},
        "retrieval": {way: retrieval_cells(draw, n) for way in DIRECTIONS},
        "substitution": substitution(draw),
        "skipped": {},
        "figures": {
            "space": plane(draw, 30, "image", "recipe"),
            "swaps": [swap("chicken->beef"), swap("beef->pork")],
        },
    }
    trees = []
    if model.startswith("t+"):
        made["main-ingredient"] = {**main_ingredient(draw, 400), "validation": main_ingredient(draw, 300)}
        listed, shuffled = (
            gold(level, {"heaviest": 57.0, "first-listed": level + 7}, "strict", "accepted")
            for level in (40.0, 12.0)
        )
        made["main-ingredient"]["gold"] = {**listed, "shuffled": shuffled}
        made["main-ingredient"]["without-water"] = main_ingredient(draw, 380)
        made["pruning"] = pruning(draw, n)
        made["figures"]["depths"] = [
            {"ingredient": f"food_{number}", "depth": 1.5 + number / 20, "recipes": 12}
            for number in range(60)
        ]
        made["figures"]["pruning-space"] = {
            "what": "remove-last 1",
            **plane(draw, 20, "image", "before", "after"),
        }
        trees.append(drawn_tree("ingredients", LIST, [0]))
    else:
        made["skipped"] = dict.fromkeys(
            ("main-ingredient", "pruning"), f"{model} reads the ingredients without a tree"
        )
    if "+t+" in model:
        made["actions"] = {**actions(draw, 5000), "validation": actions(draw, 4000)}
        made["actions"]["gold"] = gold(70.0, {"first-verb": 88.0}, "right")
        trees.append(drawn_tree("sentence", SENTENCE, [0, 5]))
    if trees:
        made["trees"] = {"ingredients": health(), "sentences": health()}
    made["figures"]["trees"] = trees
    return made


def study_file(folder: Path, name: str, results: list[dict[str, Any]]) -> Path:
    """A file as `chef evaluate` writes it for one model or several."""
    path = folder / name
    content: dict[str, Any] = results[0]
    if len(results) > 1:
        pairs = [(a, b) for place, a in enumerate(results) for b in results[place + 1 :]]
        content = {"models": results, "comparisons": [comparison(a["model"], b["model"]) for a, b in pairs]}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def paired_test(difference: float, half: float = 2.0) -> dict[str, Any]:
    """A paired test whose interval is the difference plus and minus a half."""
    return {"difference": difference, "ci": [difference - half, difference + half], "p": 0.01}


def comparison(first: str, second: str, difference: float = 1.0) -> dict[str, Any]:
    tests = {metric: paired_test(difference) for metric in ("MRR", "R@1", "R@5", "R@10")}
    return {
        "first": first,
        "second": second,
        "retrieval": {way: {"full": tests, "1k": tests} for way in DIRECTIONS},
    }


def retrieval_cells(draw: random.Random, n: int) -> dict[str, Any]:
    cells = {"full": scored(draw, n, 25.0)}
    return cells | ({"1k": scored(draw, 1000, 45.0)} if n >= 1000 else {})


def scored(draw: random.Random, n: int, first: float, at: tuple[int, ...] = (1, 5, 10)) -> dict[str, Any]:
    values = {"medR": draw.uniform(1, 4)}
    values |= {f"R@{k}": first + 12 * place + draw.uniform(-3, 3) for place, k in enumerate(at)}
    return {"n": n, **values, "ci": {name: [value - 1.5, value + 1.5] for name, value in values.items()}}


def main_ingredient(draw: random.Random, n: int) -> dict[str, Any]:
    levels = {
        "random": 28.0,
        "balanced": 22.0,
        "left": 20.0,
        "right": 42.0,
        "first-listed": 55.0,
        "attention": 12.0,
    }
    model = scored(draw, n, 45.0, (1, 2, 3))
    return {
        "n": n,
        "model": model,
        "controls": {name: scored(draw, n, level, (1, 2, 3)) for name, level in levels.items()},
        "against": {name: {"R@1": paired_test(model["R@1"] - level, 4.0)} for name, level in levels.items()},
        "depth-gap": {name: {"medR": 1, "R@1": 60, "R@2": 80, "R@3": 90} for name in ("model", "balanced")},
    }


def health(entropy: float = 0.5, agreement: float = 0.6, shuffled: float | None = None) -> dict[str, Any]:
    """Of a parser that has learned where to merge, or has not."""
    shares = {"noise_ratio": 2.0, "agreement_by_chance": 0.3, "left": 0.2, "right": 0.7, "sampled": 33.0}
    made = {"entropy": entropy, "agreement": agreement, **shares}
    made["own_minus_random"] = dict.fromkeys(DIRECTIONS, paired_test(3.0))
    return made | ({"shuffled": dict.fromkeys(DIRECTIONS, paired_test(shuffled))} if shuffled else {})


def gold(model: float, controls: dict[str, float], *metrics: str) -> dict[str, Any]:
    """Against labels by hand: every metric is the same."""
    ci = {metric: [model - 2, model + 2] for metric in metrics}
    others = {name: dict.fromkeys(metrics, level) for name, level in controls.items()}
    return {"n": 90, **dict.fromkeys(metrics, model), "ci": ci, "controls": others}


def pruning(draw: random.Random, n: int) -> dict[str, Any]:
    modes = {"remove-last": range(5), "keep-first": range(3, 7), "keep-depth": (3, 4), "random": range(1, 5)}
    table = {
        mode: {str(k): pruning_cell(draw, n, 26.0 - k) for k in counts} for mode, counts in modes.items()
    }
    for k in range(1, 5):
        table["remove-last"][str(k)]["against-random"] = {
            way: {"R@1": paired_test(1.5)} for way in DIRECTIONS
        }
    return table


def pruning_cell(draw: random.Random, n: int, first: float) -> dict[str, Any]:
    return {
        "n": n,
        "removed": 1.0,
        **{way: {**scored(draw, n, first), "1k": scored(draw, 1000, 20 + first)} for way in DIRECTIONS},
        "reinferred": {
            way: {**scored(draw, n, first), "1k": scored(draw, 1000, 20 + first)} for way in DIRECTIONS
        },
        "against-original": {way: {"R@1": paired_test(-0.5)} for way in DIRECTIONS},
    }


def substitution(draw: random.Random) -> dict[str, Any]:
    pairs = ("chicken->beef", "chicken->pork", "pork->beef", "beef->pork", "fish->apple")
    table: dict[str, Any] = {}
    for pair in pairs:
        table[pair] = rates(draw) | {"put-in": "beef"}
        each = {way: [float(draw.random() < 0.2) for _ in range(40)] for way in WAYS}
        table[pair] |= {"each": {"ids": [f"r{n}" for n in range(40)], **each}, "test": rates(draw)}
    return table | {
        "queries-from": "t+t+l",
        "gallery": {"recipes": 1200, "splits": ["test", "train"]},
        "skipped": {"apple->fish": "3 queries, 20 are needed"},
    }


def rates(draw: random.Random) -> dict[str, Any]:
    changed = {way: draw.uniform(15, 30) for way in WAYS}
    return {
        "queries": 40,
        **changed,
        **{
            name: {way: draw.uniform(2, 20) for way in WAYS}
            for name in ("baseline", "reinferred", "two-step")
        },
        "ci": {way: [value - 5, value + 5] for way, value in changed.items()},
        "gain": {way: paired_test(9.0) for way in WAYS},
    }


def actions(draw: random.Random, sentences: int) -> dict[str, Any]:
    percent = draw.uniform(55, 75)
    levels = {"first-word": 82.0, "random-word": 21.0, "random-tree": 48.0}
    return {
        "sentences": sentences,
        "verbs": round(sentences * percent / 100),
        "percent": percent,
        "strict_percent": percent - 10,
        "ci": {"percent": [percent - 1, percent + 1], "strict_percent": [percent - 11, percent - 9]},
        "controls": {name: {"percent": level, "strict_percent": level - 9} for name, level in levels.items()},
        "against": {
            name: dict.fromkeys(("percent", "strict_percent"), paired_test(percent - level))
            for name, level in levels.items()
        },
    }


def plane(draw: random.Random, count: int, *names: str) -> dict[str, Any]:
    points = {name: [[draw.gauss(0, 9), draw.gauss(0, 9)] for _ in range(count)] for name in names}
    return {"ids": [f"recipe <{number}>" for number in range(count)], **points}


def drawn_tree(kind: str, tokens: list[str], marked: list[int]) -> dict[str, Any]:
    tree = Tree.random(tokens, np.random.default_rng(0))
    main = tokens[0] if kind == "ingredients" else None
    entry = {"id": "r1", "title": "Rice & <chicken>", "kind": kind, "tree": tree.to_json(), "main": main}
    return {**entry, "marked": marked, "photo": PHOTO}


def swap(pair: str) -> dict[str, Any]:
    dish = {"id": "r2", "title": "A <dish>", "photo": PHOTO, "seen": False}
    found = [dish | {"contains": bool(place % 2), "seen": place == 4} for place in range(5)]
    return {"pair": pair, "query": dish, **dict.fromkeys(WAYS, found)}
