"""Trains what ships, from the raw data, and what was tried on the way.

    python experiments/base.py OUT [--data ../shared/data] [--together 4]  # all stages, one after the other

    python experiments/base.py --stage prepare OUT  # no GPU; needs the network, and the package tflite
    python experiments/base.py --stage train OUT [--part dev] [--rows base,tuned] [--seeds 0,1] [--together 3]
    python experiments/base.py --stage evaluate OUT [--together 2]  # what ships, chosen on validation
    python experiments/base.py --stage finish OUT  # no GPU: calibrates, writes cards, bundles

    python experiments/base.py --stage collect OUT RESULT.json  # means and spread; joins what the file has
    python experiments/base.py --stage table RESULT.json  # the tables of docs/models.md

A part says which pairs train, which choose the epoch and which are scored. `final`: the splits of the data.
`dev`: a ninth of the training pairs, by title, is scored and not trained on. `sources-0` to `sources-4`: all
pairs of a fifth of the sources are scored, and nothing of these sources is trained on. `train` and
`evaluate` need no network and no parser of ingredients, and use a GPU where there is one: OUT may be copied
to a machine that has one, and what they write copied back. What is finished is not repeated.
OUT/stages has the wall time of each stage. `evaluate` and `finish` are in base_finish.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import harness
import numpy as np
import torch
from base_results import METRICS, STAGES, collect, table, validation

from chef.data.batches import recipe_batch
from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared, PreparedSplit
from chef.data.texts import PrepareSettings
from chef.measure.retrieval import DIRECTIONS, RetrievalRanks, retrieval_ranks, summary
from chef.model.artefact import load, read_config, save_artefact
from chef.model.encoder import Encoder, in_batches
from chef.model.joint import JointModel
from chef.model.words import PIECES
from chef.readers.lines import ingredients
from chef.train.evaluate import embed_split

Runs = list[dict[str, Any]]  # the scores of a model's seeds
Points = np.ndarray[Any, np.dtype[np.float32]]
Pixels = tuple[int, int]  # the side of a photo, and of the part of it that the tower sees at a time

HERE = Path(__file__).resolve().parent
GRID = json.loads((HERE / "base.json").read_text("utf-8"))
PREPARED, WEIGHTS, PAIRS = "prepared", "weights", "pairs.json"
EVALUATED = "evaluated"  # all recipes, as `chef evaluate` reads them
LABELS = "gold.jsonl"  # what a cook says
WITHOUT_FOOD = "without-food"  # pictures, for experiments/calibrate.py
FOLDS, GALLERY = 5, 392  # galleries are as large as the test split
FIRST, _ALIKE = 10, 1e-6  # hits; scores that differ less are alike


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
        """All pairs of the data, whatever the part; `extra` too, which is near to pairs that are scored."""
        shards = [shard for one in self.splits for shard in self.shards(one)]
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
    sizes, fold_of = [0] * FOLDS, {}
    for source, size in sorted(sources, key=lambda one: (-one[1], one[0])):
        fold_of[source] = sizes.index(min(sizes))
        sizes[fold_of[source]] += size
    return fold_of


# Without a GPU


def prepare(out: Path, data: Path) -> None:
    """Prepared data, networks to start from, pictures without food, and what the teachers say."""
    weights = out / WEIGHTS
    weights.mkdir(parents=True, exist_ok=True)
    tower, minilm, names = (
        weights / name for name in ("food-mobilenet", "minilm-all", "food-mobilenet-names")
    )
    # These first: what they need beyond the project (tflite, the network) is missed at once.
    run_program(tower, HERE / "make_food_mobilenet.py", tower)
    run_program(minilm, HERE / "make_minilm.py", minilm)
    run_program(out / WITHOUT_FOOD, HERE / "make_without_food.py", out / WITHOUT_FOOD)
    left_out = [text for source in GRID["without"] for text in ("--without", source)]
    call = ["chef", "prepare", data / GRID["data"], out / PREPARED, "--texts", data / GRID["texts"]]
    run_program(out / PREPARED / "manifest.json", "-m", *call, "--image-size", "320", *left_out)
    write_pairs(out, data / GRID["data"])
    evaluated = out / EVALUATED
    run_program(evaluated / "manifest.json", "-m", "chef", "prepare", data / GRID["data"], evaluated)
    run_program(weights / "minilm", HERE / "make_minilm.py", weights / "minilm", "--corpus", out / PREPARED)
    run_program(names, HERE / "make_dish_names.py", tower, minilm, names)
    run_program(weights / "resnet50", data.parent / "weights" / "make_resnet50.py", weights / "resnet50")
    write_labels(out, data)
    if not labels_file(out, FOLDS - 1).exists():
        from trees import fold_teachers

        from chef.train.labels import label

        whole = Part(out, "final")
        for seed, labels in enumerate(label(whole, whole.everything(), fold_teachers(data))):
            labels.save(labels_file(out, seed))


def labels_file(out: Path, seed: int) -> Path:
    """What a teacher says that learned from the labels of other recipes than the model is scored on."""
    return out / f"labels-{seed % FOLDS}.safetensors"


def run_program(made: Path, *call: str | Path) -> None:
    """Run a Python program, unless what it makes is there."""
    if not made.exists():
        began = time.monotonic()
        if subprocess.run([sys.executable, *map(str, call)]).returncode:
            raise SystemExit(f"{made.name} was not made: its program says why above")
        print(f"{made.name}: {time.monotonic() - began:.0f} s", flush=True)


def write_pairs(out: Path, data: Path) -> None:
    """Split, source and title of each pair, by which parts are made."""
    splits = json.loads((data / "splits.json").read_text("utf-8"))
    split_of = {name: split for split, names in splits.items() for name in names}
    pairs = {}
    for line in (data / "recipes.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        title = " ".join("".join(sign if sign.isalnum() else " " for sign in one["title"].lower()).split())
        pairs[one["id"]] = (split_of[one["id"]], one["source"], title)
    (out / PAIRS).write_text(json.dumps(pairs) + "\n", "utf-8")


def write_labels(out: Path, data: Path) -> None:
    """The labels, by place among the ingredients: the data's count the sub-headings of a list as well."""
    recipes = (data / GRID["data"] / "recipes.jsonl").read_text("utf-8").splitlines()
    lists = {one["id"]: one["ingredients"] for one in map(json.loads, recipes)}
    labels, moved = 0, 0
    with (out / LABELS).open("w", encoding="utf-8") as file:
        for line in (data / "gold" / "dev.jsonl").read_text("utf-8").splitlines():
            label = json.loads(line)
            read, places = [len(ingredients([text])) for text in lists[label["id"]]], label["main"]
            for kind in ("main", "ok"):
                label[kind] = [sum(read[:place]) for place in label[kind] if read[place]]
            file.write(json.dumps(label) + "\n")
            labels, moved = labels + 1, moved + (label["main"] != places)
    print(f"labels: {moved} of {labels} main ingredients stand behind a sub-heading", flush=True)


# Training and scoring


def run_one(row: str, seed: int, part: str, out: Path) -> None:
    """Train and score one model, and write its scores."""
    values = {**GRID["settings"], **GRID["rows"][row], "seed": seed}
    data = Part(out, part)
    made = {name: out / WEIGHTS / values.get(name, "") for name in ("tower", "words")}
    given = {name: str(path) for name, path in made.items() if values.get(name) and path.is_dir()}
    if values.get("main_weight") or values.get("action_weight"):
        given["labels"] = str(labels_file(out, seed))
    name = harness.run_name(part, row, seed)
    best, training = harness.train_row(data, {**values, **given}, out / "runs" / name)
    result = {"row": row, "part": part, "seed": seed, "settings": values, "seconds": training["seconds"]}
    result |= score(best, data, values["workers"])
    result["among all"] = among_all(best, data, values["workers"])
    if part == "final":  # may ship
        small = out / "small" / name
        in_eight_bits(best, small)
        result["eight bits"] = score(small, data, values["workers"])["retrieval"]
    log = training["log"]
    result["epoch"], result["log"] = max(log, key=lambda one: one["score"])["epoch"], log
    harness.write_scores(out, name, result)


def score(model: Path, data: Part, workers: int, split: str = "scored") -> dict[str, Any]:
    """Retrieval of the pairs of a split; for each query how many of the gallery are better.

    `plain` is the same without the querybank of a model that has one.
    """
    network, ids, *points = embedded(model, data, workers, split)
    sizes = {"gallery": GALLERY}
    ranks = retrieval_ranks(*points, ids, seed=0, sizes=sizes, normalised=network.querybank is None)
    better = {way: ranks.ranks[way]["full"][0].better.tolist() for way in DIRECTIONS}
    scores = {"retrieval": values(ranks), "better": better}
    if network.querybank is not None:  # it changes lengths alone
        images, recipes = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in points)
        scores["plain"] = values(retrieval_ranks(images, recipes, ids, seed=0, sizes=sizes))
    return scores


def embedded(
    model: Path, data: Part, workers: int, split: str = "scored"
) -> tuple[JointModel, list[str], Points, Points]:
    """A model, and the ids, photos and recipes of the pairs of a split in its space."""
    network = load(model).to("cuda" if torch.cuda.is_available() else "cpu").model
    pairs = PairDataset(data.split(split), network.tower.transform, training=False)
    return network, pairs.split.ids, *embed_split(network, pairs, workers)


def among_all(model: Path, data: Part, workers: int) -> float:
    """The share of photos whose recipe is among the first ten of the texts of all pairs, in percent."""
    network, ids, images, _ = embedded(model, data, workers)
    return found_among_all(images, ids, embedded_texts(network, data), data)


def embedded_texts(network: JointModel, data: Part) -> Points:
    """The recipes of all pairs, without their photos, in a model's space."""
    split, encoder = data.everything(), Encoder(network)
    texts = [split.tokens(row) for row in range(len(split))]
    points = np.zeros((len(texts), network.config.space), np.float32)
    by_length = sorted(range(len(texts)), key=lambda row: sum(map(len, texts[row]["sentences"])))
    for rows in in_batches(by_length, encoder.batch_size):
        points[rows] = encoder.embed_batch(recipe_batch([texts[row] for row in rows]))
    return points


def found_among_all(images: Points, ids: list[str], texts: Points, data: Part) -> float:
    """The share of photos whose recipe is among the first ten of `embedded_texts`, in percent."""
    places = {name: row for row, name in enumerate(data.everything().ids)}
    products = images @ texts.T
    own = products[np.arange(len(ids)), [places[name] for name in ids]]
    return float(100 * ((products > own[:, None] + _ALIKE).sum(1) < FIRST).mean())


def values(ranks: RetrievalRanks) -> dict[str, Any]:
    scores = summary(ranks, with_intervals=False)
    return {way: {size: dict(one.values) for size, one in scores[way].items()} for way in DIRECTIONS}


def in_eight_bits(model: Path, out: Path, nearest: int | None = None, pixels: Pixels | None = None) -> None:
    """Write an artefact in 8 bits; if given, so many points of the querybank count, and photos have so many
    pixels."""
    config, pieces = read_config(model), model / PIECES
    network = load(model, eight_bits=False).model
    if nearest is not None:
        network.count_nearest(nearest)
    if pixels is not None:
        network.use_size(*pixels)
    save_artefact(
        out,
        network,
        model / "vocabulary.tsv",
        model / "canonical.tsv",
        PrepareSettings(**config["text"]),
        config["about"],
        pieces=pieces if pieces.exists() else None,
        eight_bits=True,
    )


def _summary(out: Path) -> Callable[[str], str]:
    """What to print of a run."""

    def text(name: str) -> str:
        one = json.loads(harness.score_file(out, name).read_text("utf-8"))
        ways = [one["retrieval"][way]["gallery"] for way in DIRECTIONS]
        figures = " / ".join(" ".join(f"{way[name]:.1f}" for name in METRICS[1:]) for way in ways)
        epochs = f"epoch {one['epoch']} of {len(one['log'])}"
        return f"{figures}  val {validation(one):.1f} {epochs}, {one['seconds']:.0f} s"

    return text


def run_stage(stage: str, given: Namespace) -> int:
    """Run a stage, and write how long it took -> 0 if it ended well. One that is resumed adds up."""
    (out,), failed = given.paths, 0
    with harness.stopwatch(out / "stages" / f"{stage}.seconds") as seconds:
        if stage == "prepare":
            prepare(out, given.data)
        elif stage == "train":
            ships = ",".join(GRID["ships"].values())
            given.rows = given.rows or (ships if given.part == "final" else None)
            part, seeds = ["--part", given.part], given.seeds.split(",")
            failed = harness.run_all(given, GRID["rows"], seeds, given.part, part, say=_summary(out))
        else:
            import base_finish  # which needs what is here

            if stage == "evaluate":
                base_finish.evaluate(out, given.together)
            else:
                base_finish.finish(out, given.data, given.together)
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    took = {"seconds": round(seconds()), "cores": os.cpu_count(), "gpu": gpu}
    harness.write_json(out / "stages" / f"{stage}.json", took)
    print(f"{stage}: {took}", flush=True)
    return failed


def main() -> int:
    parser = harness.arguments(__doc__, (*STAGES, "one", "gold", "collect", "table"), needs_stage=False)
    parser.add_argument("--part", default="final")
    parser.add_argument("--seeds", default="0,1,2", help="separated by commas")
    given = parser.parse_args()
    if given.stage == "one":
        run_one(given.rows, int(given.seeds), given.part, *given.paths)
    elif given.stage == "gold":
        from base_finish import evaluate_trees

        evaluate_trees(*given.paths, given.rows, int(given.seeds))
    elif given.stage in ("collect", "table"):
        {"collect": partial(collect, GRID["about"]), "table": table}[given.stage](*given.paths)
    else:
        stages = [given.stage] if given.stage else STAGES
        return next((failed for stage in stages if (failed := run_stage(stage, given))), 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
