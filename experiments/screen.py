"""Settings that are tried together: each is on in four of eight trainings, others with it in each.

An effect is the mean of the four trainings with a setting less that of the four without, so all eight stand
behind every one of them (a fractional factorial, 2 to the power of 7 - 4). What two settings do only together
is counted with a third: this shows what is worth a row of its own, and is no proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import Any

import harness

NAME = "screen"  # of the rows, with a number behind it
NOTHING = "nothing: the spread of an effect"
RUNS, MOST = 8, 7
FIGURES = {
    "R@1": ("with querybank", "image-to-recipe R@1"),
    "R@10": ("with querybank", "image-to-recipe R@10"),
    "back R@1": ("with querybank", "recipe-to-image R@1"),
    "back R@10": ("with querybank", "recipe-to-image R@10"),
    "sum": ("with querybank", "sum"),
}


def is_on(run: int, column: int) -> bool:
    """Whether the setting of a column is on in a training: in half of them, and in none of them all.

    Any two columns are on together in two trainings. Column 0 to 2 are the bits of the number of the run, the
    others whether an odd number of some bits is set.

    >>> [[int(is_on(run, column)) for column in range(7)] for run in range(4)]
    [[0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 1, 0, 1], [0, 1, 0, 1, 0, 1, 1], [1, 1, 0, 0, 1, 1, 0]]
    """
    bits = (0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111)[column]
    return (run & bits).bit_count() % 2 == 1


def rows(tried: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The rows of the eight trainings; the first has nothing switched on."""
    if not 0 < len(tried) <= MOST:
        raise ValueError(f"{len(tried)} settings cannot be tried in {RUNS} trainings")
    return {
        f"{NAME} {run}": {
            name: value
            for column, settings in enumerate(tried.values())
            if is_on(run, column)
            for name, value in settings.items()
        }
        for run in range(RUNS)
    }


def table(tried: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """The effect of each setting; columns without one show what chance does."""
    found = [results.get(f"{NAME} {run}") for run in range(RUNS)]
    runs = [run for run in found if run is not None]
    if len(runs) < RUNS:
        return
    names = [*tried, *[NOTHING] * (MOST - len(tried))]
    print()
    harness.print_table(
        ["on in four of eight", *FIGURES, "R@10 of all"],
        [
            [
                name,
                *(
                    _effect(column, [run[kind][figure]["mean"] for run in runs])
                    for kind, figure in FIGURES.values()
                ),
                _effect(column, [run["among all"]["mean"] for run in runs]),
            ]
            for column, name in enumerate(names)
        ],
    )


def _effect(column: int, values: list[float]) -> str:
    on, off = (
        [value for run, value in enumerate(values) if is_on(run, column) is state] for state in (True, False)
    )
    return f"{mean(on) - mean(off):+.1f}"
