"""How far a search can be trusted: the probability that a hit is right, and whether anything fits at all.

A recipe's odds of being the right one grow with its score, exp(slope x score + offset), and shrink with the
size of the collection; that none is right has odds 1, as if the right recipe were there every other time. A
photo that does not look like food has no match. `experiments/calibrate.py` fits the numbers for a model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.nearest import Rows, Scores
from chef.index.query import LEXICAL, Part, Query
from chef.index.values import Match

FILE = "calibration.json"  # in the folder of a model
GOOD, WEAK = 0.5, 0.1  # the least probability that the right recipe is in the collection


@dataclass(frozen=True)
class Calibration:
    """The numbers of one model."""

    parts: dict[str, tuple[float, float]]  # slope and offset for "image" and "text"
    food: Scores  # the weights of the photo's features, then what is added
    least: float  # of their sum, for a photo of food

    @classmethod
    def load(cls, folder: Path) -> Calibration | None:
        """That of the model in a folder, if it has one."""
        if not (folder / FILE).is_file():
            return None
        data = json.loads((folder / FILE).read_text("utf-8"))
        parts = {name: (part["slope"], part["offset"]) for name, part in data["parts"].items()}
        return cls(parts, np.array(data["food"], np.float32), data["least"])

    def is_food(self, features: Scores) -> bool:
        """Whether a photo with these features of the image tower looks like food."""
        return bool(features @ self.food[:-1] + self.food[-1] >= self.least)

    def odds(self, part: str, scores: Scores, recipes: int) -> Scores:
        """Of recipes with these scores in a collection of so many, against none being right."""
        slope, offset = self.parts[part]
        return np.asarray(np.exp(slope * scores.astype(np.float64) + offset) / recipes)


def judge(
    calibration: Calibration | None,
    is_food: bool,
    query: Query,
    catalogue: Catalogue,
    lexical: Scores | None,
    rows: Sequence[int],
    sample: tuple[Catalogue, Scores | None] | None = None,
) -> tuple[Match | None, list[float | None]]:
    """How well the query is matched, and the probability of each of the rows; None where nobody knows.

    lexical: (recipes,) how well the words match, from 0 to 1. A query of several parts matches as its worst.
    sample: some recipes of the collection, and how well the words match them, where the catalogue is not all.
    """
    unknown: list[float | None] = [None] * len(rows)
    parts = [part for part in query.parts if calibration and part.name in calibration.parts]
    if calibration is None or not parts or not catalogue.recipes:
        return None, unknown
    if not is_food:
        return "none", [0.0] * len(rows)
    among, matching = sample or (catalogue, lexical)
    others, vectors = among.recipe_vectors.sample
    if among.present is not None:
        others, vectors = others[among.present[others]], vectors[among.present[others]]
    present, probabilities, chosen = 1.0, unknown, np.array(rows, np.int64)
    for part in parts:
        cosines = catalogue.recipe_vectors.scores(part.vector, chosen)
        hits = calibration.odds(part.name, _scores(part, cosines, lexical, chosen), catalogue.recipes)
        cosines = np.asarray(vectors @ part.vector, np.float32)
        rest = calibration.odds(part.name, _scores(part, cosines, matching, others), catalogue.recipes)
        total = max(catalogue.recipes / len(rest) * float(rest.sum()), float(hits.sum()))
        present = min(present, total / (1 + total))
        probabilities = (hits / (1 + total)).tolist()
    match: Match = "good" if present >= GOOD else "weak" if present >= WEAK else "none"
    return match, probabilities if len(query.parts) == 1 else unknown


def _scores(part: Part, cosines: Scores, lexical: Scores | None, rows: Rows) -> Scores:
    """The scores of some rows by one part of a query alone; lexical: of all rows."""
    if part.name != "text" or lexical is None:
        return cosines
    return np.asarray((1 - LEXICAL) * cosines + LEXICAL * lexical[rows], np.float32)
