"""What a model costs on a CPU: to load it and embed one photo and one recipe, and then many of them.

    python benchmarks/inference.py [--model NAME] [--repeats 5] [--recipes FILE] [--json OUT]

The first is measured in fresh processes that take turns with `python -c "import torch"`; the goal is at most
twice its CPU time, and under 700 MB of memory. So is `chef search dish.jpg`, on the cookbook for the first
time and on a collection that was searched before: at most 2.5 s of CPU, 400 MB. Photos and recipes a second
are on one core, of plates and recipes of the generated kitchen, after the first four; so is `chef index add`,
of the first 1,500 recipes of FILE (any format that chef reads), without their photos. NAME is a bundled model
or a folder; without it, `chef-base`, or where it is not there an untrained T+T+L of the paper's sizes on the
food tower.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

PHOTOS, RECIPES, ADDED = 64, 128, 1500
IMPORT = "import torch"
FIRST = """
import resource, sys
import chef
model = chef.load(sys.argv[1])
model.embed_images([sys.argv[2]])
model.embed_recipes(chef.read(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
MANY = """
import sys, time
import chef
model = chef.load(sys.argv[1])
photos, recipes = sys.argv[3:], list(chef.read(sys.argv[2]))
for embed, items in ((model.embed_images, photos), (model.embed_recipes, recipes)):
    embed(items[:4])
    began = time.process_time()
    embed(items[4:])
    print((len(items) - 4) / (time.process_time() - began))
"""
SEARCH = """
import resource, sys
from chef.commands.search import search
search(sys.argv[1], index=sys.argv[2] if sys.argv[2:] else None, json=True)
print()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
ADD = """
import sys, time
from dataclasses import replace
from itertools import islice
import torch
import chef
from chef.readers import Skipped
torch.set_num_threads(1)
index = chef.Index(sys.argv[2], sys.argv[1])
read = islice(chef.read(sys.argv[3], Skipped()), int(sys.argv[4]))
recipes = [replace(recipe, images=()) for recipe in read]
index.add(recipes[:2])
began = time.process_time()
index.add(recipes[2:])
print((len(recipes) - 2) / (time.process_time() - began))
"""
RECIPE = {
    "title": "Lentil soup with roasted carrots",
    "ingredients": [
        "1 1/2 cups (300 g) brown lentils, rinsed",
        "4 large carrots, peeled and cut into sticks",
        "1 onion, finely chopped",
        "2 cloves garlic, minced",
        "3 tbsp olive oil, divided",
        "1 can (14 oz) chopped tomatoes",
        "1 tsp ground cumin",
        "6 cups vegetable stock or water",
        "a handful of flat-leaf parsley",
        "salt and freshly ground black pepper, to taste",
    ],
    "instructions": [
        "Heat the oven to 200 C. Toss the carrots with a spoon of oil and roast until their edges brown.",
        "Soften the onion in the remaining oil, then stir in garlic and cumin.",
        "Add lentils, tomatoes and stock, bring to the boil and simmer for 35 minutes.",
        "Season, ladle into bowls, lay the carrots on top and scatter with parsley.",
    ],
}


def make_untrained(folder: Path, tower: str) -> None:
    """A T+T+L of the paper's sizes over the tower, with fresh weights, as an artefact."""
    from chef.data.texts import PrepareSettings
    from chef.food.canonical import SHIPPED
    from chef.model.artefact import save_artefact
    from chef.model.joint import JointModel
    from chef.model.pretrained_towers import load_tower
    from chef.model.registry import ModelConfig
    from chef.text.vocabulary import Vocabulary

    words = Vocabulary.build({f"word{number}": 10 for number in range(7000)}, minimum=2)
    words.save(folder / "vocabulary.tsv")
    image = load_tower(tower)
    model = JointModel(ModelConfig("t+t+l", vocabulary=len(words), tower=image.description), image)
    save_artefact(folder / "model", model, folder / "vocabulary.tsv", SHIPPED, PrepareSettings(), {})


def make_inputs(folder: Path) -> None:
    """One recipe, many of them, and photos."""
    from chef.data.kitchen import generate

    (folder / "recipe.json").write_text(json.dumps(RECIPE))
    dishes = list(generate(RECIPES, seed=7))
    with open(folder / "recipes.jsonl", "w", encoding="utf-8") as lines:
        for recipe in (dish.recipe for dish in dishes):
            plain = {
                "title": recipe.title,
                "ingredients": [item.line for item in recipe.ingredients],
                "instructions": [step.text for step in recipe.steps],
            }
            lines.write(json.dumps(plain) + "\n")
    for number, dish in enumerate(dishes[:PHOTOS]):
        dish.paint(480).save(folder / f"{number:03d}.jpg", quality=90)


def run(code: str, *arguments: object, **environment: str) -> tuple[float, list[float]]:
    """CPU seconds of a fresh interpreter that runs the code, and the numbers that it prints."""
    # Bytecode as an installed package has it.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    timed = f"{code}\nimport os\nprint(sum(os.times()[:2]))"
    command = [sys.executable, "-c", timed, *map(str, arguments)]
    ended = subprocess.run(
        command, check=True, env={**usual, **environment}, stdout=subprocess.PIPE, text=True
    )
    lines = ended.stdout.splitlines()
    *numbers, seconds = (float(line) for line in lines if line and not line.startswith("{"))
    return seconds, numbers


def measure(model: str, folder: Path, repeats: int, recipes: Path) -> dict[str, Any]:
    first = (FIRST, model, folder / "000.jpg", folder / "recipe.json")
    run(*first)  # file caches warm for both
    turns = [(run(IMPORT)[0], *run(*first)) for _ in range(repeats)]
    torch, load = (statistics.median(turn[side] for turn in turns) for side in (0, 1))
    photos = sorted(folder.glob("*.jpg"))
    _, (photos_a_second, recipes_a_second) = run(
        MANY, model, folder / "recipes.jsonl", *photos, OMP_NUM_THREADS="1"
    )
    _, (added_a_second,) = run(ADD, model, folder / "collection", recipes, ADDED, OMP_NUM_THREADS="1")
    dish, collection = folder / "000.jpg", folder / "collection"
    first_search = [run(SEARCH, dish, CHEF_CACHE=str(folder / str(turn))) for turn in range(repeats)]
    run(SEARCH, dish, collection)
    warm = [run(SEARCH, dish, collection) for _ in range(repeats)]
    return {
        "model": model,
        "import_torch_s": torch,
        "first_s": load,
        "ratio": load / torch,
        "peak_mb": max(turn[2][0] for turn in turns) / 1024,
        "photos_per_s": photos_a_second,
        "recipes_per_s": recipes_a_second,
        "added_per_s": added_a_second,
        "first_search_s": statistics.median(seconds for seconds, _ in first_search),
        "warm_search_s": statistics.median(seconds for seconds, _ in warm),
        "search_mb": max(peak for _, (peak,) in (*first_search, *warm)) / 1024,
    }


def main() -> None:
    from chef.bundled import SHIPPED, shipped

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", help="a bundled model, or a folder")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--recipes", type=Path, help="recipes to add, else those of the generated kitchen")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = arguments.model or next(iter(shipped()), SHIPPED[0])
        # In processes of their own: a child's peak memory starts at what its parent has.
        alone = get_context("spawn").Process
        jobs = [alone(target=make_inputs, args=(folder,))]
        untrained = arguments.model is None and not shipped()
        if untrained:
            tower = f"{os.environ.get('CHEF_WEIGHTS', '../shared/weights')}/food-mobilenet"
            model = str(folder / "model")
            jobs.append(alone(target=make_untrained, args=(folder, tower)))
        for job in jobs:
            job.start()
            job.join()
            if job.exitcode:
                sys.exit(job.exitcode)
        recipes = arguments.recipes or folder / "recipes.jsonl"
        result = measure(model, folder, arguments.repeats, recipes)
    if untrained:
        result["model"] = "untrained t+t+l"
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    print(
        "{model}: load, one photo and one recipe {first_s:.2f} s of CPU, {ratio:.2f} times import torch "
        "({import_torch_s:.2f} s), {peak_mb:.0f} MB\n"
        "one core: {photos_per_s:.0f} photos/s, {recipes_per_s:.0f} recipes/s, {added_per_s:.0f}/s added\n"
        "chef search dish.jpg: the first on the cookbook {first_search_s:.2f} s of CPU, on a warm collection "
        "{warm_search_s:.2f} s, {search_mb:.0f} MB".format(**result)
    )


if __name__ == "__main__":
    main()
