"""Paired tests of models on retrieval: as a picture of intervals and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from chef.report.gap import Gap
from chef.report.names import DIRECTIONS, shown
from chef.report.pictures.forest import forest
from chef.report.section import Figure
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

TASK = "retrieval"
MOST = 10  # pairs of models that fit into one picture


def where(size: str) -> str:
    return "on the full set" if size == "full" else f"in folds of {size}"


def rivals(study: Study, model: str, direction: str, size: str) -> dict[str, list[Gap]]:
    """R@1 of a model minus that of each other model it was compared with, one gap for each pair of runs."""
    found: dict[str, list[Gap]] = {}
    for other in study.models:
        ahead = [_gap(part, direction, size) for part in study.between(model, other, TASK)]
        behind = [_gap(part, direction, size).turned for part in study.between(other, model, TASK)]
        if ahead + behind:
            found[other] = ahead + behind
    return found


def paired_figure(study: Study, size: str) -> Figure:
    """The differences in R@1 with their intervals: all of them, or those of one model where it is many."""
    pairs = list(dict.fromkeys((row["first"], row["second"]) for row in study.compared(TASK)))
    if len(pairs) > MOST:
        pairs = [pair for pair in pairs if study.lead in pair]
    rows = []
    for first, second in pairs:
        for direction, label in DIRECTIONS.items():
            gaps = [_gap(part, direction, size) for part in study.between(first, second, TASK)]
            rows.append((_pair(first, second), label.lower(), gaps))
    return Figure(
        forest(rows),
        f"Differences in R@1 {where(size)}, in percent points, with the 95 % interval of the paired "
        "bootstrap, one bar a run. Where a bar crosses the line at zero, that run does not tell the two "
        "models apart.",
    )


def paired_table(study: Study, size: str) -> Table:
    """The same with the mean reciprocal rank and p."""
    pairs = list(dict.fromkeys((row["first"], row["second"]) for row in study.compared(TASK)))
    blocks = []
    for direction, label in DIRECTIONS.items():
        rows = []
        for first, second in pairs:
            cells: list[Cell] = []
            for metric in ("R@1", "MRR"):
                tests = [part[direction][size][metric] for part in study.between(first, second, TASK)]
                cells += [_difference(tests), ", ".join(f"{test['p']:.3f}" for test in tests)]
            rows.append(Row(_pair(first, second), cells))
        blocks.append(Block(label, rows))
    return Table(
        "paired",
        "Paired tests",
        f"First model minus second on the same queries, {where(size)}, in percent points; p is two-sided, "
        "one for each pair of runs.",
        [Column(label) for label in ("Δ R@1", "p", "Δ MRR", "p")],
        blocks,
        stub="Models",
    )


def _gap(part: Part, direction: str, size: str) -> Gap:
    return Gap.paired(part[direction][size]["R@1"])


def _difference(tests: Sequence[Part]) -> Value | None:
    return Value.of([{"gap": test["difference"], "ci": {"gap": test["ci"]}} for test in tests], "gap")


def _pair(first: str, second: str) -> str:
    return f"{shown(first)} − {shown(second)}"
