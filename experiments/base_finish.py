"""The last stages of base.py: what ships, chosen on validation, evaluated, calibrated, with its card.

How many points of the querybank should count is no matter of training: it is the number that is best on the
validation pairs over all seeds, and the seed that ships is the best of them with that number, both by the sum
of R@1, R@5 and R@10 both ways and of R@10 among the texts of all pairs, which is what a collection of texts
is. How large it sees photos is chosen after that (`choose_pixels`). Trees are scored on labels that their
teacher has not seen.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import base
import harness
import torch
from base import EVALUATED, FOLDS, HERE, LABELS, PREPARED, Part, in_eight_bits, run_program
from base_results import METRICS, collect, machine

from chef.data.pairs import PairDataset
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.gold import read_labels
from chef.measure.retrieval import retrieval_ranks
from chef.model.artefact import load
from chef.model.heads import unit
from chef.train.evaluate import embed_split

RESULTS, DOCS = HERE / "results", HERE.parent / "docs"
TABLES = RESULTS / "base.json"
BUNDLED = HERE.parent / "src" / "chef" / "bundled" / "models"
COOKBOOK = BUNDLED.parent / "cookbook.arrow"  # its vectors in the space of the first model
DIAGRAM = "reliability.svg"  # of the first model
NEAREST = (5, 10, 20, 50)  # points of the querybank that are tried
PIXELS = ((320, 256), (384, 288), (448, 320))  # sizes of photos that are tried: see `base.Pixels`
UNSEEN = ("val", "extra")  # photos that are neither trained on nor tested
_OF_TEXTS = {  # whether there is a loss of their own
    True: "Title, ingredients and instructions of the texts below learned to find each other.",
    False: "Of the texts below it has its vocabulary and the word vectors that it started from.",
}
COMMANDS = [f"python experiments/base.py --stage {stage} out --data DATA" for stage in base.STAGES]


@dataclass(frozen=True)
class Shipped:
    """A model that ships: the sums of its seeds on validation (see above), and what was chosen there.

    nearest: how many points of the querybank count. pixels: of the photos it sees; None: not chosen yet.
    """

    name: str
    row: str
    out: Path
    nearest: int
    pixels: base.Pixels | None
    sums: Mapping[int, float]

    @property
    def best(self) -> int:
        """The seed that ships."""
        return max(self.sums, key=self.sums.__getitem__)

    def artefact(self, seed: int) -> Path:
        """A seed as it would ship."""
        chosen = (self.nearest, *(self.pixels or ()))
        return self.out / "ships" / "-".join(map(str, (self.name, seed, *chosen)))

    def result(self, seed: int) -> Path:
        """What `chef evaluate` writes."""
        return results(self.out) / f"{self.name}-{seed}.json"

    def gold(self, seed: int) -> Path:
        """How a seed's trees fare by the labels of a cook."""
        return results(self.out) / f"gold-{self.name}-{seed}.json"


def results(out: Path) -> Path:
    """Where results are until `finish` puts them into the repository."""
    return out / "results"


def validation_file(out: Path, name: str) -> Path:
    return results(out) / f"validation-{name}.json"


def evaluate(out: Path, together: int) -> None:
    """Choose what ships; evaluate that seed in all tasks, the others in retrieval; all on labels."""
    results(out).mkdir(exist_ok=True)
    ships, calls = [], {}
    for name, row in base.GRID["ships"].items():
        if not validation_file(out, name).exists():
            choose(name, row, out)
        if read_choice(name, row, out).pixels is None:
            choose_pixels(read_choice(name, row, out))
        ships.append(read_choice(name, row, out))
    for ship in ships:
        for seed in ship.sums:
            if not ship.artefact(seed).exists():
                in_eight_bits(_small(out, ship.row, seed), ship.artefact(seed), ship.nearest, ship.pixels)
            model, result = f"{ship.name}={ship.artefact(seed)}", ship.result(seed)
            call = ["--model", model, "--data", out / EVALUATED, "--out", result]
            tasks = [] if seed == ship.best else ["--tasks", "retrieval"]
            if not result.exists():
                calls[result.stem] = [sys.executable, "-m", "chef", "evaluate", *map(str, call), *tasks]
            if not (gold := ship.gold(seed)).exists():
                call = [HERE / "base.py", "--stage", "gold", out, "--rows", ship.row, "--seeds", seed]
                calls[gold.stem] = [sys.executable, *map(str, call)]
    whole = [ship.result(ship.best).stem for ship in ships]
    calls = dict(sorted(calls.items(), key=lambda one: one[0] not in whole))  # the longest first
    if harness.run_together(calls, out / "logs", together, minutes=1e9):
        raise SystemExit(f"an evaluation failed: {out / 'logs'} has the reason")
    for ship in ships:
        for seed in ship.sums:
            _without_paths(ship.result(seed), ship.artefact(seed))


def choose(name: str, row: str, out: Path) -> None:
    """Write the sum of every seed of a row on validation, with every number of points that may count."""
    data, sums = Part(out, "final"), {nearest: dict[int, float]() for nearest in NEAREST}
    for seed in _runs(row, out):
        network, ids, *points = base.embedded(_small(out, row, seed), data, 0, "val")
        points.append(base.embedded_texts(network, data))
        images, recipes, texts = (unit(torch.from_numpy(part)) for part in points)
        for nearest, of_seeds in sums.items():
            network.cpu().count_nearest(nearest)
            bank = network.querybank
            photos = bank.scale_images(images).numpy()
            own, of_all = (bank.scale_recipes(part).numpy() for part in (recipes, texts))
            scores = base.values(retrieval_ranks(photos, own, ids, seed=0, normalised=False))
            of_seeds[seed] = sum(way["full"][metric] for way in scores.values() for metric in METRICS[1:])
            of_seeds[seed] += base.found_among_all(photos, ids, of_all, data)
    best = max(sums, key=lambda nearest: mean(sums[nearest].values()))
    harness.write_json(validation_file(out, name), {"sums": sums, "nearest": best})


def choose_pixels(ship: Shipped) -> None:
    """Write the mean sum over the seeds of R@1, R@5 and R@10 both ways, with every size of photos.

    Training cuts photos at random and enlarges what is left, so a tower does better on larger photos than it
    was trained with (Touvron et al. 2019, https://arxiv.org/abs/1906.06423). The querybank stays as it is.
    """
    data, sums = Part(ship.out, "final"), dict[base.Pixels, float]()
    unseen = data.everything().only({id for name in UNSEEN for id in data.split(name).ids})
    networks = [load(_small(ship.out, ship.row, seed), eight_bits=False).model for seed in ship.sums]
    for pixels in PIXELS:
        of_seeds = []
        for network in networks:
            network.count_nearest(ship.nearest)
            network.use_size(*pixels)
            points = embed_split(network, PairDataset(unseen, network.tower.transform, training=False))
            ways = base.values(retrieval_ranks(*points, unseen.ids, seed=0, normalised=False)).values()
            of_seeds.append(sum(way["full"][metric] for way in ways for metric in METRICS[1:]))
        sums[pixels] = mean(of_seeds)
    file = validation_file(ship.out, ship.name)
    chosen: dict[str, Any] = json.loads(file.read_text("utf-8"))
    chosen["sums by pixels"] = {"{}, {}".format(*pixels): value for pixels, value in sums.items()}
    harness.write_json(file, chosen | {"pixels": max(sums, key=sums.__getitem__)})


def read_choice(name: str, row: str, out: Path) -> Shipped:
    """What `choose` and `choose_pixels` wrote."""
    chosen = json.loads(validation_file(out, name).read_text("utf-8"))
    sums = {int(seed): value for seed, value in chosen["sums"][str(chosen["nearest"])].items()}
    pixels = chosen.get("pixels")
    return Shipped(name, row, out, chosen["nearest"], pixels and tuple(pixels), sums)


def _small(out: Path, row: str, seed: int) -> Path:
    """A trained model as `base.run_one` writes it."""
    return out / "small" / harness.run_name("final", row, seed)


def _runs(row: str, out: Path) -> dict[int, dict[str, Any]]:
    """The scores of a row's trainings, by their seeds."""
    return {
        one["seed"]: one for one in harness.read_scores(out) if (one["part"], one["row"]) == ("final", row)
    }


def finish(out: Path, data: Path, together: int) -> None:
    """Bundle what ships, and write calibrations, cards, the cookbook's vectors, tables and ladder."""
    evaluate(out, together)
    recipes = data / base.GRID["data"]
    ships = [read_choice(name, row, out) for name, row in base.GRID["ships"].items()]
    for ship in ships:
        model, drawn = ship.artefact(ship.best), out / "docs" / ship.name
        drawn.mkdir(parents=True, exist_ok=True)
        calibration = results(out) / f"calibration-{ship.name}.json"
        call = ["--without-food", out / base.WITHOUT_FOOD, "--json", calibration, "--docs", drawn]
        run_program(calibration, HERE / "calibrate.py", model, out / PREPARED, *call)
    shutil.copy(out / "docs" / ships[0].name / DIAGRAM, DOCS)
    for file in results(out).iterdir():
        shutil.copy(file, RESULTS)
    for ship in ships:
        bundled = BUNDLED / ship.name
        shutil.rmtree(bundled, ignore_errors=True)
        shutil.copytree(ship.artefact(ship.best), bundled)
        config = json.loads((bundled / "config.json").read_text("utf-8"))
        config["about"]["edition"] = base.GRID["edition"]
        (bundled / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
        of_seeds = [ship.result(seed) for seed in ship.sums]
        card = ["--data", recipes, "--out", bundled / "MODEL_CARD.md", "--results", *of_seeds]
        texts = ["--texts", data / base.GRID["texts"], "--without", *base.GRID["without"]]
        about = ["--built-on", *base.GRID["built on"], "--command", *COMMANDS, "--remark", _remark(ship)]
        run_program(bundled / "MODEL_CARD.md", HERE / "card.py", bundled, *card, *texts, *about)
    make_cookbook = HERE.parent / "scripts" / "make_cookbook.py"
    subprocess.run([sys.executable, make_cookbook, BUNDLED / ships[0].name, COOKBOOK], check=True)
    collect(base.GRID["about"], out, TABLES)
    subprocess.run([sys.executable, HERE / "ladder.py", TABLES, "--docs", DOCS], check=True)


def _without_paths(result: Path, model: Path) -> None:
    """Leave out where things were on this machine, and what no table needs: points of figures, each query."""
    content = json.loads(result.read_text("utf-8"))
    for of_pair in content.get("substitution", {}).values():
        if isinstance(of_pair, dict) and "each" in of_pair:
            of_pair["each"] = {name: [] for name in of_pair["each"]}
    content["about"]["path"], content["data"], content["figures"] = model.name, base.GRID["data"], {}
    harness.write_json(result, content)


def evaluate_trees(out: Path, row: str, seed: int) -> None:
    """How often trees say what a cook says, on the fold of the labels that their teacher has not seen."""
    from trees import fold_of, gold_scores, whole_population

    name = next(name for name, of_name in base.GRID["ships"].items() if of_name == row)
    ship, labels = read_choice(name, row, out), read_labels(out / LABELS)
    fold = fold_of(list(labels))
    left = {id: one for id, one in labels.items() if fold[id] == seed % FOLDS}
    population = whole_population(out / PREPARED, ("test", "val"))
    model = EvaluatedModel(ship.name, load(ship.artefact(seed)), population)
    harness.write_json(ship.gold(seed), gold_scores("gold", model, left))


def _remark(ship: Shipped) -> str:
    runs = _runs(ship.row, ship.out).values()
    hours = max(run["seconds"] for run in runs) / 3600
    stage = json.loads((ship.out / "stages" / "train.json").read_text("utf-8"))
    texts = any(run["settings"].get("text_weight") for run in runs)
    sums = ", ".join(f"seed {seed} {value:.1f}" for seed, value in ship.sums.items())
    return (
        "The seed was chosen by the sum of R@1, R@5 and R@10 both ways on the validation pairs, and of R@10 "
        f"of their photos among the texts of all pairs ({sums}). "
        f'`experiments/base.json` has the settings, row "{ship.row}"; a training took up to {hours:.2g} '
        f"hours of {machine(stage)}. Its trees learned from a teacher that had not seen the "
        f"labels they are scored on. {_OF_TEXTS[texts]}"
    )
