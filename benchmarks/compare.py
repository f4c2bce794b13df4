"""CPU time of this checkout against another one: medians of interleaved runs, as a ratio.

    git worktree add ../before COMMIT
    python benchmarks/compare.py ../before [--repeats 5] [--json]

Each run is a process of its own on one core, and both checkouts see the same machine: load the bundled model
and embed a photo and a recipe; prepare the cookbook's recipes; the trees of a batch, forward and backward;
search a collection (`--collection`, which both checkouts must be able to open) by photo, and by words with a
filter.
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
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LOAD = """
import chef
model = chef.load()
fields = {"id": "1", "title": "Soup", "ingredients": ["1 onion"], "instructions": ["Boil."]}
recipe = chef.Recipe.from_json(fields)
model.embed_images([PHOTO]), model.embed_recipes([recipe])
"""
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
SEARCH = """
import chef
index = chef.Index(COLLECTION, create=False)
for _ in range(20):
    index.search(image=PHOTO, k=10)
for _ in range(200):
    index.search(text="chicken soup", without=["nuts"], k=10)
"""


def cpu_seconds(checkout: Path, code: str) -> float:
    """The CPU time of a process that runs some code with a checkout's package."""
    env = {**os.environ, "PYTHONPATH": str(checkout / "src"), "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU time of this checkout against another one.")
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--collection", type=Path, help="a collection to search; left out, search is not compared"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photo, source = folder / "dish.png", folder / "recipes.jsonl"
        make_inputs(photo, source)
        values = {"PHOTO": str(photo), "SOURCE": str(source), "COLLECTION": str(options.collection)}
        work = {"load and embed": LOAD, "prepare": PREPARE, "trees": TREES}
        if options.collection:
            work["search"] = SEARCH
        times: dict[str, dict[str, list[float]]] = {task: {"before": [], "now": []} for task in work}
        for task, code in work.items():
            for repeat in range(options.repeats):
                for label, checkout in (("before", options.before.resolve()), ("now", HERE)):
                    given = {**values, "OUT": str(folder / f"{label}-{repeat}")}
                    header = "".join(f"{key} = {value!r}\n" for key, value in given.items())
                    times[task][label].append(cpu_seconds(checkout, header + code))
    medians = {
        task: {label: statistics.median(runs) for label, runs in both.items()} for task, both in times.items()
    }
    if options.json:
        print(json.dumps({"repeats": options.repeats, "cpu_seconds": times, "medians": medians}))
        return
    for task, both in medians.items():
        ratio = both["now"] / both["before"]
        print(f"{task:<16} {both['before']:7.2f} s -> {both['now']:7.2f} s   ratio {ratio:.2f}")


def make_inputs(photo: Path, source: Path) -> None:
    """A photo, and the recipes of the bundled cookbook as JSON lines."""
    from PIL import Image

    Image.linear_gradient("L").convert("RGB").resize((320, 240)).save(photo)
    files = sorted((HERE / "src" / "chef").glob("**/cookbook/*.json"))
    recipes = [recipe for file in files for recipe in json.loads(file.read_text())]
    source.write_text("".join(json.dumps(recipe) + "\n" for recipe in recipes))


if __name__ == "__main__":
    main()
