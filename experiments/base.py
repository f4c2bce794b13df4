"""Trains what ships, from the raw data, and what was tried on the way.

    python experiments/base.py prepare OUT [--data ../shared/data]  # no GPU needed
    python experiments/base.py train OUT [--part dev] [--rows base,tuned] [--seeds 0,1] [--together 3]
    python experiments/base.py finish OUT --without-food PICTURES  # no GPU: evaluates, chooses, bundles
    python experiments/base.py collect OUT RESULT.json  # means and spread over the seeds
    python experiments/base.py table RESULT.json  # the tables of docs/models.md

A part says which pairs train, which choose the epoch and which are scored. `final`: the splits of the data.
`dev`: a ninth of the training pairs, by title, is scored and not trained on. `sources-0` to `sources-4`: all
pairs of a fifth of the sources are scored, and nothing of these sources is trained on. `train` needs no
network and no parser of ingredients; a finished run is not repeated. `finish` takes the seed that is best on
validation, for each model that ships; trees are scored on labels that their teacher has not seen.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import torch
from together import run_together

from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared, PreparedSplit
from chef.data.texts import PrepareSettings
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.gold import read_labels
from chef.measure.retrieval import DIRECTIONS, RetrievalRanks, retrieval_ranks, summary
from chef.model.artefact import load, read_config, save_artefact
from chef.model.words import PIECES
from chef.train.evaluate import embed_split
from chef.train.loop import train
from chef.train.settings import make_settings

HERE = Path(__file__).resolve().parent
GRID = json.loads((HERE / "base.json").read_text("utf-8"))
PREPARED, WEIGHTS, PAIRS = "prepared", "weights", "pairs.json"
FOLDS, GALLERY = 5, 392  # galleries are as large as the test split
METRICS = ("medR", "R@1", "R@5", "R@10")
RESULTS, BUNDLED = HERE / "results", HERE.parent / "src" / "chef" / "bundled" / "models"
COMMANDS = tuple(
    f"python experiments/base.py {stage}"
    for stage in ("prepare out --data DATA", "train out --part final", "finish out --without-food PICTURES")
)


class Part(Prepared):
    """Prepared data with other splits."""

    def __init__(self, folder: Path, part: str) -> None:
        super().__init__(folder / PREPARED)
        pairs = json.loads((folder / PAIRS).read_text("utf-8"))
        self._ids: dict[str, set[str]] = {}
        for name, (split, source, title) in pairs.items():
            if source not in GRID["without"]:
                self._ids.setdefault(split_in(part, split, source, title, pairs), set()).add(name)

    def split(self, name: str, *, with_image: bool = True) -> PreparedSplit:
        return self.everything(with_image).only(self._ids[name])

    def everything(self, with_image: bool = True) -> PreparedSplit:
        """All pairs of the data, whatever the part."""
        shards = [shard for one in ("train", "val", "test") for shard in self.shards(one)]
        return PreparedSplit("pairs", self.store, shards, with_image=with_image)


def split_in(part: str, split: str, source: str, title: str, pairs: Mapping[str, list[str]]) -> str:
    """Where a pair belongs in a part."""
    if part == "dev" and split == "train" and int(sha256(title.encode()).hexdigest(), 16) % 9 == 0:
        return "scored"
    if part.startswith("sources-") and split in ("train", "val", "test"):
        if folds(tuple(sorted(Counter(one[1] for one in pairs.values()).items())))[source] == int(part[8:]):
            return "scored"
        return "val" if split == "val" else "train"
    return "scored" if part == "final" and split == "test" else split


@cache
def folds(sources: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Each source's fold: the largest first, each into the fold with the fewest pairs."""
    sizes, found = [0] * FOLDS, {}
    for source, size in sorted(sources, key=lambda one: (-one[1], one[0])):
        found[source] = sizes.index(min(sizes))
        sizes[found[source]] += size
    return found


# Without a GPU


def prepare(out: Path, data: Path) -> None:
    """Prepared data, pre-trained networks, and what the teachers say of each recipe."""
    weights = out / WEIGHTS
    weights.mkdir(parents=True, exist_ok=True)
    tower, minilm, names = (
        weights / name for name in ("food-mobilenet", "minilm-all", "food-mobilenet-names")
    )
    # These first: what they need beyond the project (tflite, the network) is missed at once.
    _run(tower, HERE / "make_food_mobilenet.py", tower)
    _run(minilm, HERE / "make_minilm.py", minilm)
    left_out = [text for source in GRID["without"] for text in ("--without", source)]
    call = ["chef", "prepare", data / GRID["data"], out / PREPARED, "--texts", data / GRID["texts"]]
    _run(out / PREPARED / "manifest.json", "-m", *call, "--image-size", "320", *left_out)
    write_pairs(out, data / GRID["data"])
    _run(weights / "minilm", HERE / "make_minilm.py", weights / "minilm", "--corpus", out / PREPARED)
    _run(names, HERE / "make_dish_names.py", tower, minilm, names)
    _run(weights / "resnet50", data.parent / "weights" / "make_resnet50.py", weights / "resnet50")
    if not labels_file(out, FOLDS - 1).exists():
        from trees import fold_teachers

        from chef.train.labels import label

        whole = Part(out, "final")
        for seed, labels in enumerate(label(whole, whole.everything(), fold_teachers(data))):
            labels.save(labels_file(out, seed))


def labels_file(out: Path, seed: int) -> Path:
    """What a teacher says that learned from the labels of other recipes than the model is scored on."""
    return out / f"labels-{seed % FOLDS}.safetensors"


def _run(made: Path, *call: str | Path) -> None:
    """Run a Python program, unless what it makes is there."""
    if not made.exists():
        began = time.monotonic()
        subprocess.run([sys.executable, *map(str, call)], check=True)
        print(f"{made.name}: {time.monotonic() - began:.0f} s", flush=True)


def write_pairs(out: Path, data: Path) -> None:
    """Split, source and title of each pair, by which parts are made."""
    splits = json.loads((data / "splits.json").read_text("utf-8"))
    split_of = {name: split for split, names in splits.items() for name in names}
    found = {}
    for line in (data / "recipes.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        title = " ".join("".join(sign if sign.isalnum() else " " for sign in one["title"].lower()).split())
        found[one["id"]] = (split_of[one["id"]], one["source"], title)
    (out / PAIRS).write_text(json.dumps(found) + "\n", "utf-8")


# Training and scoring


def run_one(row: str, seed: int, part: str, out: Path) -> None:
    """Train and score one model, and write what was found."""
    values = {**GRID["settings"], **GRID["rows"][row], "seed": seed}
    data = Part(out, part)
    made = {name: out / WEIGHTS / values.get(name, "") for name in ("tower", "words")}
    given = {name: str(path) for name, path in made.items() if values.get(name) and path.is_dir()}
    if values.get("main_weight") or values.get("action_weight"):
        given["labels"] = str(labels_file(out, seed))
    folder = out / "runs" / _name(row, seed, part)
    began = time.monotonic()
    best = train(data, make_settings({**values, **given}), folder)
    seconds = time.monotonic() - began
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    result = {"row": row, "part": part, "seed": seed, "settings": values, "seconds": round(seconds, 1)}
    result |= score(best, data, values["workers"])
    if part == "final":  # may ship
        small = out / "small" / folder.name
        in_eight_bits(best, small)
        result["eight bits"] = score(small, data, values["workers"])["retrieval"]
    result["epoch"], result["log"] = max(log, key=lambda one: one["score"])["epoch"], log
    scores = out / "scores"
    scores.mkdir(exist_ok=True)
    (scores / f"{_name(row, seed, part)}.json").write_text(json.dumps(result) + "\n", "utf-8")


def score(model: Path, data: Part, workers: int) -> dict[str, Any]:
    """Retrieval of the scored pairs; for each query how many of the gallery are better.

    `plain` is the same without the querybank of a model that has one.
    """
    network = load(model).to("cuda" if torch.cuda.is_available() else "cpu").model
    pairs = PairDataset(data.split("scored"), network.tower.transform, training=False)
    points = embed_split(network, pairs, workers)
    ranks = retrieval_ranks(
        *points, pairs.split.ids, seed=0, sizes={"gallery": GALLERY}, normalised=network.querybank is None
    )
    better = {way: ranks.ranks[way]["full"][0].better.tolist() for way in DIRECTIONS}
    found = {"retrieval": _values(ranks), "better": better}
    if network.querybank is not None:  # it changes lengths alone
        images, recipes = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in points)
        sizes = {"gallery": GALLERY}
        found["plain"] = _values(retrieval_ranks(images, recipes, pairs.split.ids, seed=0, sizes=sizes))
    return found


def _values(ranks: RetrievalRanks) -> dict[str, Any]:
    scores = summary(ranks, with_intervals=False)
    return {way: {size: dict(one.values) for size, one in scores[way].items()} for way in DIRECTIONS}


def in_eight_bits(model: Path, out: Path) -> None:
    """Write an artefact as it ships."""
    config, pieces = read_config(model), model / PIECES
    save_artefact(
        out,
        load(model).model,
        model / "vocabulary.tsv",
        model / "canonical.tsv",
        PrepareSettings(**config["text"]),
        config["about"],
        pieces=pieces if pieces.exists() else None,
        eight_bits=True,
    )


def _name(row: str, seed: int, part: str) -> str:
    return f"{part}-{row}-{seed}".replace(" ", "-")


# What ships


def finish(out: Path, data: Path, without_food: Path) -> None:
    """Evaluate every seed of what ships, bundle the one that validation chooses, write cards and ladder.

    The one that ships is evaluated in all tasks, the others in retrieval.
    """
    recipes, evaluated = data / GRID["data"], list[Path]()
    for name, row in GRID["ships"].items():
        runs = _scores(out, "final", row)
        best = max(runs, key=lambda one: max(line["score"] for line in one["log"]))["seed"]
        results = {one["seed"]: RESULTS / f"{name}-{one['seed']}.json" for one in runs}
        for seed, result in sorted(results.items(), key=lambda one: one[0] != best):
            small = out / "small" / _name(row, seed, "final")
            call = ["chef", "evaluate", "--model", f"{name}={small}", "--data", recipes, "--out", result]
            _run(result, "-m", *call, *([] if seed == best else ["--tasks", "retrieval"]))
            _without_paths(result, small)
            _run_gold(name, small, seed, out, data)
        bundled = BUNDLED / name
        shutil.rmtree(bundled, ignore_errors=True)
        shutil.copytree(out / "small" / _name(row, best, "final"), bundled)
        config = json.loads((bundled / "config.json").read_text("utf-8"))
        config["about"]["edition"] = GRID["edition"]
        (bundled / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
        calibration = RESULTS / f"calibration-{name}.json"
        calibration.unlink(missing_ok=True)
        call = ["--without-food", without_food, "--json", calibration]
        call += [] if name == next(iter(GRID["ships"])) else ["--docs", out]  # one diagram
        _run(calibration, HERE / "calibrate.py", bundled, out / PREPARED, *call)
        card = ["--data", recipes, "--out", bundled / "MODEL_CARD.md", "--results", *results.values()]
        texts = ["--texts", data / GRID["texts"], "--without", *GRID["without"]]
        about = ["--built-on", *GRID["built on"], "--command", *COMMANDS, "--remark", _remark(row, runs)]
        _run(bundled / "MODEL_CARD.md", HERE / "card.py", bundled, *card, *texts, *about)
        evaluated += results.values()
    subprocess.run([sys.executable, HERE / "ladder.py", *map(str, evaluated)], check=True)


def _without_paths(result: Path, model: Path) -> None:
    """Leave out where things were on this machine, and points for figures, which no table needs."""
    found = json.loads(result.read_text("utf-8"))
    found["about"]["path"], found["data"], found["figures"] = model.name, GRID["data"], {}
    result.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _scores(out: Path, part: str, row: str) -> list[dict[str, Any]]:
    runs = [json.loads(path.read_text("utf-8")) for path in sorted((out / "scores").glob("*.json"))]
    return [one for one in runs if (one["part"], one["row"]) == (part, row)]


def _run_gold(name: str, model: Path, seed: int, out: Path, data: Path) -> None:
    """How often trees say what a cook says, on the fold of the labels that their teacher has not seen."""
    from trees import fold_of, gold_scores, whole_population

    result = RESULTS / f"gold-{name}-{seed}.json"
    if not result.exists():
        labels = read_labels(data / "gold" / "dev.jsonl")
        fold = fold_of(list(labels))
        left = {id: one for id, one in labels.items() if fold[id] == seed % FOLDS}
        population = whole_population(out / PREPARED, ("test", "val"))
        found = gold_scores("gold", EvaluatedModel(name, load(model), population), left)
        result.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _remark(row: str, runs: list[dict[str, Any]]) -> str:
    chosen = {one["seed"]: max(line["score"] for line in one["log"]) for one in runs}
    seconds = [one["seconds"] for one in runs]
    scores = ", ".join(f"seed {seed} {score:.1f}" for seed, score in chosen.items())
    return (
        f"The seed was chosen by the sum of R@1, R@5 and R@10 on the validation pairs ({scores}). "
        f'`experiments/base.json` has the settings, row "{row}"; each training took '
        f"{min(seconds):.0f} to {max(seconds):.0f} s of an H200, others beside it. Its trees learned from "
        "a teacher that had not seen the labels they are scored on."
    )


def run_all(arguments: argparse.Namespace) -> int:
    """Every run that is not finished, several at a time, each in a process of its own."""
    rows = arguments.rows.split(",") if arguments.rows else list(GRID["rows"])
    out, part = arguments.paths[0], arguments.part
    todo = {_name(row, int(seed), part): (row, seed) for seed in arguments.seeds.split(",") for row in rows}
    calls = {
        name: [sys.executable, __file__, "one", str(out), "--part", part, "--rows", row, "--seeds", seed]
        for name, (row, seed) in todo.items()
        if not (out / "scores" / f"{name}.json").exists()
    }
    return run_together(
        calls, out / "logs", arguments.together, arguments.minutes, lambda name: _said(out, name)
    )


def _said(out: Path, name: str) -> str:
    one = json.loads((out / "scores" / f"{name}.json").read_text("utf-8"))
    texts = _figures([one["retrieval"][way]["gallery"] for way in DIRECTIONS])
    best = max(line["score"] for line in one["log"])
    return f"{texts}  val {best:.1f} epoch {one['epoch']} of {len(one['log'])}, {one['seconds']:.0f} s"


def _figures(ways: list[dict[str, float]]) -> str:
    return " / ".join(" ".join(f"{one[name]:.1f}" for name in METRICS[1:]) for one in ways)


# Results


def collect(out: Path, result: Path) -> None:
    """Means and spread over the seeds of each row of each part."""
    runs: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for path in sorted((out / "scores").glob("*.json")):
        one = json.loads(path.read_text("utf-8"))
        runs.setdefault(one["part"].partition("-")[0], {}).setdefault(one["row"], []).append(one)
    parts = {
        part: {row: _row(sorted(seeds, key=lambda one: one["seed"])) for row, seeds in rows.items()}
        for part, rows in sorted(runs.items())
    }
    result.write_text(json.dumps({"about": GRID["about"], "parts": parts}, indent=1) + "\n", "utf-8")


def _row(seeds: list[dict[str, Any]]) -> dict[str, Any]:
    # `figures` are those of cosines; a model with a querybank has others beside them.
    kinds = {"figures": [one.get("plain", one["retrieval"]) for one in seeds]}
    if all("plain" in one for one in seeds):
        kinds["with querybank"] = [one["retrieval"] for one in seeds]
    if all("eight bits" in one for one in seeds):
        kinds["in eight bits"] = [one["eight bits"] for one in seeds]
    return {
        "seeds": [one["seed"] for one in seeds],
        "settings": {name: value for name, value in seeds[0]["settings"].items() if name != "seed"},
        "seconds": [one["seconds"] for one in seeds],
        "epochs": [one["epoch"] for one in seeds],
        "validation": [round(max(line["score"] for line in one["log"]), 2) for one in seeds],
        **{kind: _over_seeds(values) for kind, values in kinds.items()},
    }


def _over_seeds(seeds: list[dict[str, Any]]) -> dict[str, Any]:
    """Each figure of both ways, and the sum of all R@K."""
    figures = [
        {f"{way} {name}": one[way]["gallery"][name] for way in DIRECTIONS for name in METRICS}
        for one in seeds
    ]
    for one in figures:
        one["sum"] = sum(value for name, value in one.items() if "medR" not in name)
    return {name: _spread([one[name] for one in figures]) for name in figures[0]}


def _spread(values: list[float]) -> dict[str, Any]:
    spread = round(stdev(values), 3) if len(values) > 1 else None
    return {"mean": round(mean(values), 3), "spread": spread, "values": [round(value, 3) for value in values]}


def table(result: Path) -> None:
    """The tables of docs/models.md; folds by source are one table, as seeds of it."""
    ways = {"": "image-to-recipe", "back ": "recipe-to-image"}
    columns = {f"{short}{name}": f"{way} {name}" for short, way in ways.items() for name in ("R@1", "R@10")}
    columns["sum"] = "sum"
    cells = [(kind, name) for kind in ("figures", "with querybank") for name in columns.values()]
    for part, rows in json.loads(result.read_text("utf-8"))["parts"].items():
        heads = [*columns, *(f"{name}, bank" for name in columns)]
        print(f"\n| {part} | seeds | " + " | ".join(heads) + " |\n" + "|---" * (len(heads) + 2) + "|")
        for row, found in sorted(rows.items(), key=lambda one: -one[1]["figures"]["sum"]["mean"]):
            values = (found.get(kind, {}).get(name) for kind, name in cells)
            print(f"| {row} | {len(found['seeds'])} | " + " | ".join(map(_cell, values)) + " |")


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    return f"{one['mean']:.1f}" + (f" ± {one['spread']:.1f}" if one["spread"] else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stage", choices=("prepare", "train", "one", "finish", "collect", "table"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("CHEF_DATA", "../shared/data")))
    parser.add_argument("--without-food", type=Path, help="pictures for experiments/calibrate.py")
    parser.add_argument("--part", default="dev")
    parser.add_argument("--rows", help="separated by commas; all if not given")
    parser.add_argument("--seeds", default="0", help="separated by commas")
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="start no run after this long")
    arguments = parser.parse_args()
    if arguments.stage == "prepare":
        prepare(*arguments.paths, arguments.data)
    elif arguments.stage == "train":
        return run_all(arguments)
    elif arguments.stage == "finish":
        finish(*arguments.paths, arguments.data, arguments.without_food)
    elif arguments.stage == "one":
        run_one(arguments.rows, int(arguments.seeds), arguments.part, *arguments.paths)
    else:
        {"collect": collect, "table": table}[arguments.stage](*arguments.paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
