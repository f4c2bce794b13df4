"""The median-rank column of the substitution tables (Tables 4, 5, S3): who substitutes best overall?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from chef.evaluate.substitution import DIRECTIONS
from chef.food.families import members


def median_ranks(results: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """For each family A that is replaced, the median rank of each model.

    results: model name -> its "substitution" part. An experiment is one target B in one direction: a column
    of the table. In each the models are ranked by success rate, 1 the best, equal rates sharing the better
    rank; a model's value is the median over the columns that every model has. Ranked so, the rates of Tables
    4 and S3 give their printed columns; the column of Table 5 does not follow from its rates.

    >>> median_ranks({"t+t+l": first, "s+l+l": second})
    {"chicken": {"t+t+l": 1.0, "s+l+l": 2.0}}
    """
    table: dict[str, dict[str, float]] = {}
    for source in members():
        pairs = [f"{source}->{target}" for target in members()]
        shared = [pair for pair in pairs if all(pair in part for part in results.values())]
        columns = [
            _ranks([float(part[pair][way]) for part in results.values()])
            for pair in shared
            for way in DIRECTIONS
        ]
        if columns:
            table[source] = dict(zip(results, np.median(columns, axis=0).tolist(), strict=True))
    return table


def _ranks(rates: list[float]) -> list[int]:
    return [1 + sum(other > rate for other in rates) for rate in rates]
