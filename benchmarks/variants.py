"""Trains every model of the registry on prepared data, several seeds, and prints one table.

    python benchmarks/variants.py PREPARED --tower-data OTHER_PREPARED --out out/variants

Each (model, seed) is a process of its own, `--together` of them at a time; a run that is done is not
repeated, so a stopped benchmark goes on. Scores are those of the best model (chosen on validation) on
the test split. Models with an ingredient tree also get the main-ingredient score with its controls.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# Every model over the same frozen tower, with the same budget. The tower comes first, see `train_tower`.
SETTINGS = {
    "epochs": 15, "batch": 160, "learning_rate": 5e-4, "schedule": "cosine", "warmup": 50,
    "freeze_epochs": 0, "freeze_tower": True, "evaluate_every": 3, "clip": 1.0,
}  # fmt: skip
TOWER = {
    "model": "s+l+l", "loss": "infonce", "epochs": 30, "batch": 256, "learning_rate": 1e-3,
    "schedule": "cosine", "warmup": 50, "freeze_epochs": 0, "evaluate_every": 10, "clip": 1.0,
}  # fmt: skip
METRICS = ("medR", "R@1", "R@5", "R@10")


def train_tower(data: Path, out: Path) -> None:
    """Train a small CNN end to end on another kitchen: what ImageNet is to the paper's ResNet-50."""
    import torch

    from chef.data.prepared import Prepared
    from chef.train.loop import train
    from chef.train.settings import make_settings

    cuda = torch.cuda.is_available()
    machine = {"precision": "bf16" if cuda else "float32", "workers": 14 if cuda else 0}
    train(Prepared(data), make_settings({**TOWER, **machine}), out)


def train_one(data: Path, out: Path, model: str, seed: int, changes: list[str]) -> None:
    """Train one model, score it on the test split, write the result beside it."""
    import torch

    from chef.data.pairs import PairDataset
    from chef.data.prepared import Prepared
    from chef.measure.retrieval import retrieval_ranks, summary
    from chef.model.artefact import load
    from chef.train.evaluate import embed_split
    from chef.train.loop import train
    from chef.train.settings import make_settings, parse_assignments
    from chef.typed_json import to_json

    began = time.monotonic()
    prepared = Prepared(data)
    cuda = torch.cuda.is_available()
    machine = {"precision": "bf16" if cuda else "float32", "workers": 1 if cuda else 0}
    settings = make_settings(
        {**SETTINGS, **machine, "model": model, "seed": seed, **parse_assignments(changes)}
    )
    train(prepared, settings, out)
    seconds = time.monotonic() - began
    loaded = load(out)
    device = torch.device("cuda" if cuda else "cpu")
    joint = loaded.model.to(device)
    pairs = PairDataset(prepared.split("test"), joint.tower.transform, training=False)
    images, recipes = embed_split(joint, pairs)
    result: dict[str, Any] = {"model": model, "seed": seed, "seconds": seconds}
    result["retrieval"] = to_json(
        summary(retrieval_ranks(images, recipes, pairs.split.ids, seed=0)).directions
    )
    if joint.config.variant.startswith("t+"):
        result["main-ingredient"] = main_ingredient_score(prepared, joint, device)
    (out / "result.json").write_text(json.dumps(result))


def main_ingredient_score(prepared: Any, joint: Any, device: Any) -> dict[str, Any]:
    """The ingredient trees of the test recipes against the heaviest ingredient, with controls."""
    from chef.data.batches import recipe_batch
    from chef.evaluate.main_ingredient import main_ingredient
    from chef.model.tree import Tree
    from chef.typed_json import to_json

    split = prepared.split("test")
    trees, kept = [], []
    for start in range(0, len(split), 256):
        rows = range(start, min(start + 256, len(split)))
        merges = joint.trees(recipe_batch([split.tokens(i) for i in rows]).to(device)).ingredients
        for i, merge in zip(rows, merges.tolist(), strict=True):
            tokens = [item.token or item.name for item in split.ingredients(i)]
            trees.append(Tree.from_merges(tokens, merge))
            kept.append(split.recipe(i))
    return to_json(main_ingredient(kept, trees, seed=0))


def run_all(arguments: argparse.Namespace) -> None:
    """Keep `--together` processes busy until every run is done or the time is up."""
    runs = [(model, seed) for seed in range(arguments.seeds) for model in arguments.models]
    waiting = [run for run in runs if not (folder(arguments, *run) / "result.json").exists()]
    busy: list[tuple[subprocess.Popen[bytes], tuple[str, int]]] = []
    deadline = time.monotonic() + arguments.minutes * 60
    while (waiting or busy) and time.monotonic() < deadline:
        while waiting and len(busy) < arguments.together:
            run = waiting.pop(0)
            busy.append((start(arguments, *run), run))
        time.sleep(0.2)
        for process, run in [item for item in busy if item[0].poll() is not None]:
            busy.remove((process, run))
            said = "done" if process.returncode == 0 else f"FAILED ({process.returncode}), see its log"
            print(f"{run[0]} seed {run[1]}: {said}", file=sys.stderr, flush=True)
    for process, _ in busy:
        process.terminate()  # its checkpoint stays: the same command goes on
        process.wait()


def folder(arguments: argparse.Namespace, model: str, seed: int) -> Path:
    return Path(arguments.out) / f"{model}-{seed}"


def start(arguments: argparse.Namespace, model: str, seed: int) -> subprocess.Popen[bytes]:
    out = folder(arguments, model, seed)
    call = [sys.executable, __file__, str(arguments.data), "--out", str(out), "--one", model, str(seed)]
    call += [f"--set={change}" for change in arguments.set]
    with open(f"{out}.log", "wb") as log:
        return subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT)


def table(arguments: argparse.Namespace) -> str:
    """One row a model: the mean over seeds and, in brackets, the spread (standard deviation)."""
    heads = [f"{way} {metric}" for way in ("i2r", "r2i") for metric in METRICS]
    lines = ["| model | seeds | " + " | ".join(heads) + " | seconds |", "|---" * (len(heads) + 3) + "|"]
    trees = [
        "| main ingredient | R@1 | R@2 | R@3 | random | balanced | left | right | first-listed |",
        "|---" * 9 + "|",
    ]
    for model in arguments.models:
        files = [folder(arguments, model, seed) / "result.json" for seed in range(arguments.seeds)]
        results = [json.loads(file.read_text()) for file in files if file.exists()]
        if not results:
            continue
        cells = [
            _cell([found["retrieval"][way]["full"][metric] for found in results])
            for way in ("image-to-recipe", "recipe-to-image")
            for metric in METRICS
        ]
        seconds = statistics.mean(found["seconds"] for found in results)
        lines.append(f"| {model} | {len(results)} | " + " | ".join(cells) + f" | {seconds:.0f} |")
        if "main-ingredient" in results[0]:
            scores = [found["main-ingredient"] for found in results]
            ours = [_cell([one["model"][metric] for one in scores]) for metric in ("R@1", "R@2", "R@3")]
            names = ("random", "balanced", "left", "right", "first-listed")
            others = [_cell([one["controls"][name]["R@1"] for one in scores]) for name in names]
            trees.append(f"| {model} | " + " | ".join(ours + others) + " |")
    return "\n".join(lines + (["", *trees] if len(trees) > 2 else []))


def _cell(values: list[float]) -> str:
    spread = f" ({statistics.stdev(values):.1f})" if len(values) > 1 else ""
    return f"{statistics.mean(values):.1f}{spread}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="a folder that chef prepare made")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--tower-data", type=Path, help="prepared data on which the image tower is trained first"
    )
    parser.add_argument(
        "--models",
        nargs="+",
        help="default: all of the registry, those with MiniLM where --set words=FOLDER is given",
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--together", type=int, default=1, help="runs at a time")
    parser.add_argument("--minutes", type=float, default=600, help="stop after this long; run again to go on")
    parser.add_argument("--set", action="append", default=[], help="a training setting, name=value")
    parser.add_argument("--one", nargs=2, metavar=("MODEL", "SEED"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        train_one(arguments.data, arguments.out, arguments.one[0], int(arguments.one[1]), arguments.set)
        return
    if arguments.models is None:
        from chef.model.registry import models

        minilm = any(setting.startswith("words=") for setting in arguments.set)
        arguments.models = [name for name, entry in models().items() if minilm or entry.words == "vectors"]
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.tower_data:
        train_tower(arguments.tower_data, arguments.out / "tower")
        arguments.set.append(f"tower={arguments.out / 'tower'}")
    run_all(arguments)
    print(table(arguments))


if __name__ == "__main__":
    main()
