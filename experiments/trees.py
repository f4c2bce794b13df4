"""What trees learn, and what they are worth: trains every row of a grid with every seed, and scores it.

    python experiments/trees.py --stage labels PREPARED OUT --data ../shared/data  # of five teachers
    python experiments/trees.py --stage features PREPARED  # of the frozen tower, into CHEF_CACHE
    python experiments/trees.py --stage train PREPARED OUT [--rows ttl,stt] [--together 5] [--gold LABELS]
    python experiments/trees.py --stage collect OUT RESULT.json  # means, spread, paired differences
    python experiments/trees.py --stage table RESULT.json  # the tables of docs/models.md

A fold of the labelled recipes is a fifth of them. The teacher of fold k learned from the other four, and the
tree with seed k learned from that teacher: both are scored on fold k alone. Trees without a teacher are
scored on all labels. PREPARED is the output of `chef prepare`; `labels` and `features` need no GPU, and
`train` needs no photos and no network. A finished run is not repeated.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from statistics import mean
from typing import TYPE_CHECKING, Any

import harness
import numpy as np
import torch

from chef.data.prepared import Prepared, bytes_facts
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.gold import Labels, gold_actions, gold_main, read_labels
from chef.evaluate.population import Population, open_population
from chef.evaluate.results import CannotDo
from chef.evaluate.trees import tree_health
from chef.measure.retrieval import DIRECTIONS, retrieval_ranks, summary
from chef.model.artefact import load
from chef.model.encoder import Vectors
from chef.train.features import FeaturePairs
from chef.train.settings import make_settings, resolve_folder
from chef.train.start import build_model
from chef.typed_json import to_json

if TYPE_CHECKING:
    from chef.train.labels import Teacher

HERE = Path(__file__).resolve().parent
GRID = json.loads((HERE / "trees.json").read_text("utf-8"))
FOLDS = 5
PARTS = ("ingredients", "sentences", "instructions")
HEALTH = ("entropy", "noise_ratio", "agreement", "agreement_by_chance", "left", "right", "sampled")
CONTROLS = tuple(
    f"gold {task} {control}"
    for task in ("main", "shuffled main", "actions")
    for control in ("first-listed", "heaviest", "named-in-title", "first-word", "first-verb")
)


def settings_of(row: str, seed: int) -> dict[str, Any]:
    return {**GRID["settings"], "tower": GRID["tower"], **GRID["rows"][row], "seed": seed}


def fold_of(ids: list[str]) -> dict[str, int]:
    """Each labelled recipe's fold."""
    order = Random(0).sample(sorted(ids), len(ids))
    return {name: place % FOLDS for place, name in enumerate(order)}


# Stages without a GPU


def write_labels(prepared: Path, out: Path, data: Path) -> None:
    """What the teacher of each fold says of all training recipes."""
    from chef.train.labels import label

    whole = Prepared(prepared)
    split = whole.split("train", with_image=False)
    for fold, labels in enumerate(label(whole, split, fold_teachers(data))):
        labels.save(out / f"labels-{fold}.safetensors")


def fold_teachers(data: Path) -> list[Teacher]:
    """For each fold a teacher that learned from the labels of the other four."""
    sys.path.insert(0, str(HERE.parent / "benchmarks"))
    import teacher_actions
    import teacher_main

    from chef.data.texts import PrepareSettings, TextMaker
    from chef.food.canonical import CanonicalMap
    from chef.teacher.actions import ActionTagger
    from chef.train.labels import Teacher

    examples = teacher_main.read(data, TextMaker(CanonicalMap.load(), PrepareSettings()))
    steps = teacher_actions.gold(data)
    folds = fold_of([one.recipe.id for one in examples])
    teachers = []
    for fold in range(FOLDS):
        main = teacher_main.fit([one for one in examples if folds[one.recipe.id] != fold])
        others = [step for step in steps if folds[step.recipe] != fold]
        tagger = ActionTagger(teacher_actions.fit(part for step in others for part in step.labelled()))
        teachers.append(Teacher(main, tagger))
    return teachers


def write_features(prepared: Path) -> None:
    """The tower's features of all photos, where training and scoring look for them."""
    data = Prepared(prepared)
    for name in data.splits:
        features(data, name)


def features(data: Prepared, split: str) -> FeaturePairs:
    settings = make_settings(settings_of("ttl", 0))
    tower = build_model(data, settings).tower
    manifest = bytes_facts(data.manifest.to_bytes())["sha256"]
    return FeaturePairs(data.split(split), tower, torch.device("cpu"), data=manifest)


# Training and scoring


class Scored(EvaluatedModel):
    """A model whose photos are features that were computed before."""

    features: Mapping[str, torch.Tensor]

    @cached_property
    def images(self) -> Vectors:
        rows = torch.stack([self.features[name] for name in self.population.ids])
        return self.chef.encoder.embed_tensor(rows).numpy()


def run_one(row: str, seed: int, prepared: Path, out: Path, gold: Path | None) -> None:
    """Train and score one model, and write its scores."""
    settings = settings_of(row, seed)
    values = {**settings, "tower": resolve_folder(settings["tower"])}
    if taught := bool(values.get("main_weight") or values.get("action_weight")):
        values["labels"] = str(out / f"labels-{seed % FOLDS}.safetensors")
    data, name = Prepared(prepared), harness.run_name(row, seed)
    best, training = harness.train_row(data, values, out / "runs" / name)
    scores = score(best, data, prepared, seed, gold, taught)
    harness.write_scores(out, name, {"row": row, "seed": seed, "settings": settings, **scores, **training})


def score(
    best: Path, data: Prepared, prepared: Path, seed: int, gold: Path | None, taught: bool
) -> dict[str, Any]:
    """Retrieval with its own trees and with shuffled lists, parser health, and what a cook says."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load(best).to(device)
    tests = open_population(prepared, "test")
    pairs = features(data, "test")
    Scored.features = dict(zip(pairs.split.ids, pairs._features, strict=True))
    own = Scored("own", model, tests)
    ranks = own.retrieval_ranks(0)
    scores: dict[str, Any] = {
        "retrieval": {
            way: dict(summary(ranks, with_intervals=False)[way]["full"].values) for way in DIRECTIONS
        },
        "better": {way: ranks.ranks[way]["full"][0].better.tolist() for way in DIRECTIONS},
    }
    mixed, _ = shuffled(tests, {})
    again = retrieval_ranks(own.images, Scored("shuffled", model, mixed).recipes, tests.ids, 0)
    scores["shuffled"] = {
        way: summary(again, with_intervals=False)[way]["full"].values["R@1"] for way in DIRECTIONS
    }
    if model.model.config.trees == "learned":
        scores["trees"] = {name: to_json(part) for name, part in tree_health(own, 0).parts.items()}
    if gold is not None:
        labels = read_labels(gold)
        if taught:
            folds = fold_of(list(labels))
            labels = {name: one for name, one in labels.items() if folds[name] == seed % FOLDS}
        everyone = whole_population(prepared, ("test", "val"))
        scores |= gold_scores("gold", Scored("own", model, everyone), labels)
        mixed, moved = shuffled(everyone, labels)
        scores |= gold_scores("gold shuffled", Scored("shuffled", model, mixed), moved)
    return scores


def gold_scores(name: str, model: EvaluatedModel, labels: Mapping[str, Labels]) -> dict[str, Any]:
    """How often the trees of a model say what a cook says."""
    scores = {}
    for what, task in (("main", gold_main), ("actions", gold_actions)):
        try:
            answer = task(model, labels, seed=0)
        except CannotDo:
            continue
        controls = {name: dict(one.values) for name, one in answer.controls.items()}
        scores[f"{name} {what}"] = {"n": answer.n, "model": dict(answer.model.values), "controls": controls}
    return scores


def whole_population(prepared: Path, splits: Sequence[str]) -> Population:
    """The recipes of several splits."""
    first, *others = (open_population(prepared, split) for split in splits)
    names = ("ids", "recipes", "splits")
    return replace(
        first, **{name: sum((getattr(one, name) for one in others), getattr(first, name)) for name in names}
    )


def shuffled(population: Population, labels: Mapping[str, Labels]) -> tuple[Population, dict[str, Labels]]:
    """The same recipes with their ingredients in random order, and labels that follow them."""
    random, recipes, moved = np.random.default_rng(0), [], {}
    for recipe in population.recipes:
        order = random.permutation(len(recipe.ingredients)).tolist()
        recipes.append(recipe.with_ingredients(recipe.ingredients[place] for place in order))
        if recipe.id in labels:
            one, place = labels[recipe.id], {old: new for new, old in enumerate(order)}
            main, ok = (
                frozenset(place[line] for line in lines if line in place) for lines in (one.main, one.ok)
            )
            moved[recipe.id] = replace(one, main=main, ok=ok)
    return replace(population, recipes=tuple(recipes)), moved


# Results


def collect(out: Path, result: Path) -> None:
    """Means and spread over the seeds of each row, and its paired differences to the learned trees."""
    scores = harness.read_scores(out)
    runs = {row: seeds for row in GRID["rows"] if (seeds := [one for one in scores if one["row"] == row])}
    rows = {}
    for row, seeds in runs.items():
        figures = harness.over_seeds([_figures(one) for one in seeds])
        rows[row] = {**harness.seeds_and_settings(seeds), "figures": figures, "curve": _curve(seeds)}
        for other in ("ttl", "stt"):
            if row.startswith(other) and row != other and other in runs:
                rows[row]["minus_" + other] = _against(seeds, runs[other])
    harness.write_json(result, {"about": GRID["about"], "rows": rows})


def _figures(one: dict[str, Any]) -> dict[str, float]:
    figures = {
        f"{way} {name}": value for way, values in one["retrieval"].items() for name, value in values.items()
    }
    figures |= {f"{way} R@1 shuffled": value for way, value in one["shuffled"].items()}
    for part, health in one.get("trees", {}).items():
        figures |= {f"{part} {name}": health[name] for name in HEALTH if health.get(name) is not None}
        for way, test in health["own_minus_random"].items():
            figures[f"{part} own_minus_random {way}"] = test["difference"]
    for name in ("gold main", "gold actions", "gold shuffled main"):
        if name in one:
            figures |= {f"{name} {key}": value for key, value in one[name]["model"].items()}
            for control, values in one[name]["controls"].items():
                figures |= {f"{name} {control} {key}": value for key, value in values.items()}
    return {name: value for name, value in figures.items() if isinstance(value, int | float)}


def _curve(seeds: list[dict[str, Any]]) -> list[dict[str, float]]:
    """Entropy and retrieval on validation as training goes on, the mean over the seeds."""
    names = ("epoch", "R@1", *(f"trees.{part}.entropy" for part in PARTS))
    return [
        {name: round(mean(line[name] for line in lines), 3) for name in names if name in lines[0]}
        for lines in zip(*(one["log"] for one in seeds), strict=True)
    ]


def _against(seeds: list[dict[str, Any]], others: list[dict[str, Any]]) -> dict[str, Any]:
    """Paired differences of R@1: by seed, and with an interval over queries, the seeds averaged."""
    pairs = [(a, b) for a in seeds for b in others if a["seed"] == b["seed"]]
    differences: dict[str, Any] = {}
    random = np.random.default_rng(0)
    for way in DIRECTIONS:
        hits = np.array(
            [
                100.0 * ((np.array(a["better"][way]) == 0).astype(float) - (np.array(b["better"][way]) == 0))
                for a, b in pairs
            ]
        ).mean(0)
        drawn = hits[random.integers(len(hits), size=(2000, len(hits)))].mean(1)
        each = [a["retrieval"][way]["R@1"] - b["retrieval"][way]["R@1"] for a, b in pairs]
        interval = [round(float(x), 2) for x in np.percentile(drawn, (2.5, 97.5))]
        differences[way] = {**harness.spread(each), "interval": interval}
    return differences


def table(result: Path) -> None:
    """The tables of docs/models.md."""
    rows = json.loads(result.read_text("utf-8"))["rows"]
    columns = {
        "R@1": "image-to-recipe R@1", "R@10": "image-to-recipe R@10", "back R@1": "recipe-to-image R@1",
        "shuffled": "image-to-recipe R@1 shuffled", "entropy": "ingredients entropy",
        "of words": "sentences entropy", "of steps": "instructions entropy",
        "own - random": "ingredients own_minus_random image-to-recipe",
        "words": "sentences own_minus_random image-to-recipe",
        "main strict": "gold main strict", "accepted": "gold main accepted", "actions": "gold actions right",
    }  # fmt: skip
    shown = {
        title: name for title, name in columns.items() if any(name in row["figures"] for row in rows.values())
    }
    harness.print_table(
        ["trees", "seeds", *shown],
        [
            [row, str(len(one["seeds"])), *(_cell(one["figures"].get(name), name) for name in shown.values())]
            for row, one in rows.items()
        ],
    )
    print()
    for row, one in rows.items():
        said = [f"{name} {value['mean']:.3g}" for name, value in one["figures"].items() if _is_detail(name)]
        print(f"- {row}: {', '.join(said)}" if said else f"- {row}: no parser")
    if said := [name for name in rows["ttl"]["figures"] if name.startswith(CONTROLS)]:
        print("- controls:", ", ".join(f"{name} {rows['ttl']['figures'][name]['mean']:.1f}" for name in said))
    print()
    for row, one in rows.items():
        for other in ("ttl", "stt"):
            for way, test in one.get(f"minus_{other}", {}).items():
                low, high = test["interval"]
                print(f"- {row} less {other}, {way} R@1: {test['mean']:+.2f} ({low:+.2f} to {high:+.2f})")


def _cell(figure: dict[str, Any] | None, name: str) -> str:
    if figure is None:
        return ""
    if "entropy" in name:
        return f"{figure['mean']:.2f}"
    return f"{figure['mean']:.1f}" + (f" ± {figure['spread']:.1f}" if figure["spread"] is not None else "")


def _is_detail(name: str) -> bool:
    """Figures that docs/models.md quotes in its text."""
    return "agreement" in name or name in ("gold shuffled main strict", "gold shuffled main accepted")


def main() -> int:
    parser = harness.arguments(__doc__, ("labels", "features", "train", "one", "collect", "table"))
    parser.add_argument("--gold", type=Path, help="labels by hand, to score with")
    parser.add_argument("--seeds", help="separated by commas; all if not given")
    given = parser.parse_args()
    if given.stage == "labels":
        write_labels(*given.paths, given.data)
    elif given.stage == "train":
        seeds = given.seeds.split(",") if given.seeds else map(str, GRID["seeds"])
        gold = ["--gold", str(given.gold)] if given.gold else []
        return harness.run_all(given, GRID["rows"], seeds, passed_on=gold)
    elif given.stage == "one":
        run_one(given.rows, int(given.seeds), *given.paths, given.gold)
    else:
        {"features": write_features, "collect": collect, "table": table}[given.stage](*given.paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
