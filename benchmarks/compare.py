"""The time of this checkout against another one: medians of interleaved runs, as a ratio.

    git worktree add ../before COMMIT
    python benchmarks/compare.py ../before [--repeats 5] [--json]

Each run is a process of its own on one core, and both checkouts see the same machine: load the bundled model
and embed a photo and a recipe; prepare the cookbook's recipes; the trees of a batch, forward and backward;
search a collection of 100,000 that each checkout wrote, by vector and by words, with filters (the time of the
queries alone). Preparing is timed on the wall: its worker is not a child whose CPU time can be read.
Loading is timed a second time without the random weights that torch draws before a model's own are loaded:
the first edition skipped them by patching `torch.nn.init`, and this one no longer does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LOAD = """
import chef
model = chef.load()
fields = {"id": "1", "title": "Soup", "ingredients": ["1 onion"], "instructions": ["Boil."]}
recipe = chef.Recipe.from_json(fields)
model.embed_images([PHOTO]), model.embed_recipes([recipe])
"""
LOAD_UNDRAWN = (
    """
from torch.nn import init
for name in dir(init):
    if name.endswith("_") and not name.startswith("_"):
        setattr(init, name, lambda tensor, *_, **__: tensor)
"""
    + LOAD
)
PREPARE = """
import sys
sys.argv = ["chef", "prepare", SOURCE, OUT, "--workers", "1", "--epochs", "1"]
from chef.cli import main
main(sys.argv[1:])
"""
TREES = """
import torch
from chef.model.tree_lstm import GumbelTreeLSTM
torch.manual_seed(0), torch.set_num_threads(1)
trees = GumbelTreeLSTM(300, 300)
leaves, lengths = torch.randn(200, 20, 300, requires_grad=True), torch.randint(5, 21, (200,))
for _ in range(4):
    trees(leaves, lengths)[0].sum().backward()
"""
BUILD = """
import sys
sys.path.insert(0, BENCHMARKS)
import search
search.one_core()
search.embed(None, "chef-base", 2000, REAL)
search.build(search.Job(RECIPES, COLLECTION, REAL, "chef-base"))
"""
SEARCH = """
import chef, time
index = chef.Index(COLLECTION, create=False)
photo = index.search(image=PHOTO, k=10)
vector = index.chef.embed_images([PHOTO])[0]
ASK
start = time.process_time()
for _ in range(300):
    ASK
print(time.process_time() - start)
"""
ASKED = {
    "search": "index.search(vector=vector, k=10)",
    "search, 1 in 2": "index.search(vector=vector, tags=['1 in 2'], k=10)",
    "search, 1 in 100": "index.search(vector=vector, tags=['1 in 100'], k=10)",
    "search, no nuts": "index.search(vector=vector, without=['nuts'], k=10)",
    "search, words": "index.search(text='chicken soup', without=['nuts'], k=10)",
}


def seconds(checkout: Path, code: str, wall: bool) -> float:
    """The CPU time, or the time on the wall, of a process that runs some code with a checkout's package."""
    env = {**os.environ, "PYTHONPATH": str(checkout / "src"), "OMP_NUM_THREADS": "1"}
    env["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "chef-compare-bytecode")
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], check=True, env=env, capture_output=True, text=True)
    if "process_time" in code:  # it has measured itself
        return float(done.stdout.split()[-1])
    if wall:
        return time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU time of this checkout against another one.")
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--recipes", type=int, default=100_000, help="the size of the collection; 0: no search"
    )
    parser.add_argument("--only", default="", help="compare only what has this in its name, such as search")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photo, source = folder / "dish.png", folder / "recipes.jsonl"
        make_inputs(photo, source)
        checkouts = (("before", options.before.resolve()), ("now", HERE))
        values: dict[str, str | int] = {"PHOTO": str(photo), "SOURCE": str(source)}
        work = {"load and embed": LOAD, "load, not drawn": LOAD_UNDRAWN, "prepare": PREPARE, "trees": TREES}
        if options.recipes:
            work |= {task: SEARCH.replace("ASK", ask) for task, ask in ASKED.items()}
            for label, checkout in checkouts:
                more: dict[str, str | int] = {
                    "REAL": str(folder / "real.npz"),
                    "BENCHMARKS": str(checkout / "benchmarks"),
                    "COLLECTION": str(folder / f"collection-{label}"),
                    "RECIPES": options.recipes,
                }
                seconds(checkout, assignments({**values, **more}) + BUILD, wall=True)
        work = {task: code for task, code in work.items() if options.only in task}
        times: dict[str, dict[str, list[float]]] = {task: {"before": [], "now": []} for task in work}
        for task, code in work.items():
            for repeat in range(-1, options.repeats):  # the first run only compiles the checkouts' bytecode
                for label, checkout in checkouts:
                    given = {
                        **values,
                        "OUT": str(folder / f"{label}-{repeat}"),
                        "COLLECTION": str(folder / f"collection-{label}"),
                    }
                    spent = seconds(checkout, assignments(given) + code, wall=task == "prepare")
                    if repeat >= 0:
                        times[task][label].append(spent)
    medians = {
        task: {label: statistics.median(runs) for label, runs in both.items()} for task, both in times.items()
    }
    if options.json:
        print(json.dumps({"repeats": options.repeats, "seconds": times, "medians": medians}))
        return
    for task, both in medians.items():
        ratio = both["now"] / both["before"]
        print(f"{task:<16} {both['before']:7.2f} s -> {both['now']:7.2f} s   ratio {ratio:.2f}")


def assignments(values: dict[str, str | int]) -> str:
    return "".join(f"{key} = {value!r}\n" for key, value in values.items())


def make_inputs(photo: Path, source: Path) -> None:
    """A photo, and the recipes of the bundled cookbook as JSON lines."""
    from PIL import Image

    Image.linear_gradient("L").convert("RGB").resize((320, 240)).save(photo)
    files = sorted((HERE / "src" / "chef").glob("**/cookbook/*.json"))
    recipes = [recipe for file in files for recipe in json.loads(file.read_text())]
    source.write_text("".join(json.dumps(recipe) + "\n" for recipe in recipes))


if __name__ == "__main__":
    main()
