"""Is one model better than another, over several training seeds of both? A paired test over the queries.

    python experiments/against.py --data RECIPES --first RUN ... --second RUN ... [--split test] [--json]

Each RUN is one seed of a model: a run, an artefact's folder, a bundled model, or a file of ranks that
`--save` wrote (those of the first edition are in results/). The contribution of a query to the mean
reciprocal rank and to R@K is averaged over the seeds first; then the queries are bootstrapped.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chef.data.texts import TEST
from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.population import Population, open_population
from chef.evaluate.results import Tests
from chef.food.canonical import CanonicalMap
from chef.measure.bootstrap import paired
from chef.measure.ranks import Ranks
from chef.measure.retrieval import RetrievalRanks
from chef.model.artefact import find, load
from chef.report.names import DIRECTIONS
from chef.typed_json import to_json


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--first", type=Path, nargs="+", required=True, help="runs of a model, one per seed")
    parser.add_argument(
        "--second", type=Path, nargs="+", required=True, help="as many runs of the other model"
    )
    parser.add_argument("--split", default=TEST)
    parser.add_argument("--save", type=Path, help="where to write the ranks of the first run")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        tests = against(given.data, given.first, given.second, given.split, given.save)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(to_json(tests), indent=2))
        return 0
    for direction, metrics in tests.items():
        for metric, test in metrics.items():
            (low, high), p = test.ci, test.p
            print(f"{direction}  {metric:4}  {test.difference:+.1f} ({low:.1f} to {high:.1f})  p {p:.3f}")
    return 0


def against(
    data: Path, first: Sequence[Path], second: Sequence[Path], split: str = TEST, save: Path | None = None
) -> dict[str, Tests]:
    """First minus second, in percent, for each direction: "MRR" and each R@K with interval and p."""
    if len(first) != len(second):
        raise ChefError("the two models have different numbers of seeds", "give the same number for both")
    canonical = CanonicalMap.load(find(first[0]) / "canonical.tsv")
    population = open_population(data, split, canonical=canonical)
    ours, theirs = ([ranks(path, population) for path in paths] for paths in (first, second))
    if save:
        full = {way: ours[0].ranks[way]["full"][0] for way in DIRECTIONS}
        ranks_of = {
            way: {"better": one.better.tolist(), "tied": one.tied.tolist()} for way, one in full.items()
        }
        save.write_text(json.dumps({"ids": ours[0].ids, "ranks": ranks_of}) + "\n", "utf-8")
    members = [one.members["full"][0] for one in ours]
    return {
        direction: paired(
            members, *([one.ranks[direction]["full"][0] for one in runs] for runs in (ours, theirs)), seed=0
        )
        for direction in DIRECTIONS
    }


def ranks(path: Path, population: Population) -> RetrievalRanks:
    """The retrieval ranks of one run, or of a file of them."""
    if path.suffix == ".json":
        kept = json.loads(path.read_text("utf-8"))
        if tuple(kept["ids"]) != tuple(population.ids):
            raise ChefError(
                f"{path} has ranks of other recipes", "give the data and split that it was made from"
            )
        own = {
            way: {"full": [Ranks(**{name: np.array(values) for name, values in kept["ranks"][way].items()})]}
            for way in DIRECTIONS
        }
        return RetrievalRanks(tuple(kept["ids"]), 0, {"full": [np.arange(len(population.ids))]}, own)
    return EvaluatedModel(path.name, load(find(path)), population).retrieval_ranks(seed=0)


if __name__ == "__main__":
    sys.exit(main())
