"""Ingredient pruning: Tables 3 and S2, against the original and against random removal, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.report.gap import Gap, describe, settle
from chef.report.names import DIRECTIONS, counted, of_run, shown
from chef.report.paper import MARK, PAPER
from chef.report.pictures.lines import Line, lines
from chef.report.pictures.scatter import bounds, legend, scatter
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

TASK = "pruning"
METRICS = ("medR", "R@1", "R@5", "R@10")
MODES = {
    "remove-last": "remove the K least important",
    "random": "control: remove K at random",
    "keep-first": "keep the K most important",
    "keep-depth": "keep what is at depth K at most",
}


def pruning_section(study: Study) -> Section | None:
    """The section, or None where no model has trees to prune by."""
    models = study.leading(study.able(TASK))
    if not models:
        return None
    first, *others = models
    blocks: list[Shown] = [_table(study, first, "table-3"), _chart(study, first), *_before_after(study)]
    blocks.append(
        Folded("All ways of pruning (Table S2)", [_table(study, first, "table-s2"), _anew(study, first)])
    )
    for number, model in enumerate(others, start=2):
        blocks.append(
            Folded(f"The same for {shown(model)}", [_table(study, model, f"table-s2-model-{number}")])
        )
    return Section(
        TASK,
        "Pruning",
        "If deep leaves matter little, a recipe without them should find its photo just as well. The "
        "ingredients that go leave the instructions too, the trees are kept, and every K is measured on the "
        "same recipes. The control removes as many ingredients at random.",
        blocks,
        [finding for model in models for finding in _findings(study, model)],
    )


def gaps(study: Study, model: str, k: str, rival: str) -> dict[str, list[Gap]]:
    """R@1 after removing the k least important, minus that of the original or of random removal.

    rival: "against-original" or "against-random"; the answer has one list for each direction.
    """
    cells = [part["remove-last"][k] for part in study.parts(model, TASK)]
    return {way: [Gap.paired(cell[rival][way]["R@1"]) for cell in cells] for way in DIRECTIONS}


def _cells(study: Study, model: str, mode: str, k: str, direction: str) -> list[Part]:
    """The scores of each run: of the folds of 1k where there are any, else of the full set."""
    found = [part[mode][k][direction] for part in study.parts(model, TASK) if k in part[mode]]
    return [cell.get("1k", cell) for cell in found]


def _table(study: Study, model: str, name: str) -> Table:
    """Table 3 has one way of pruning and its control, Table S2 has all."""
    short = name == "table-3"
    metrics = METRICS[:3] if short else METRICS
    part = study.parts(model, TASK)[0]
    original = part["remove-last"]["0"]
    folds = "in 10 folds of 1k" if "1k" in original["image-to-recipe"] else "on the full set"
    return Table(
        name,
        "Table 3" if short else "Table S2",
        f"Retrieval with {shown(model)} after pruning, {folds}, {counted(original['n'], 'recipe')}.",
        [
            Column(metric, label, "low" if metric == "medR" else "high")
            for label in DIRECTIONS.values()
            for metric in metrics
        ],
        [block for mode in list(MODES)[:2] if short for block in _blocks(study, model, mode, metrics)]
        or [block for mode in MODES for block in _blocks(study, model, mode, metrics)],
        list(_says(study, model)),
        stub="K",
    )


def _anew(study: Study, model: str) -> Table:
    """R@1 with the trees kept, as in the other tables, and with the trees chosen anew."""
    blocks = []
    for mode, heading in MODES.items():
        rows = []
        for k in study.parts(model, TASK)[0][mode]:
            found = [part[mode][k] for part in study.parts(model, TASK)]
            cells: list[Cell] = [Value.of(found, "removed")]
            for way in DIRECTIONS:
                anew = [cell["reinferred"][way] for cell in found]
                cells.append(Value.of(_cells(study, model, mode, k, way), "R@1"))
                cells.append(Value.of([cell.get("1k", cell) for cell in anew], "R@1"))
            rows.append(Row(_label(k), cells, "control" if mode == "random" else "model"))
        blocks.append(Block(_heading(heading), rows))
    columns = [Column(label, way) for way in DIRECTIONS.values() for label in ("R@1, kept", "R@1, anew")]
    return Table(
        "pruning-anew",
        "Trees kept or inferred anew",
        f"R@1 of {shown(model)} when the pruned recipe keeps what is left of its trees, and when the model "
        "builds new ones. Removed: ingredients a recipe, on average; short recipes lose what they can.",
        [Column("Removed"), *columns],
        blocks,
        stub="K",
    )


def _heading(mode: str) -> str:
    return mode[0].upper() + mode[1:]


def _blocks(study: Study, model: str, mode: str, metrics: Sequence[str]) -> Iterator[Block]:
    """One way of pruning, and the paper's figures for it."""
    rows = []
    for k in study.parts(model, TASK)[0][mode]:
        cells: list[Cell] = [
            Value.of(_cells(study, model, mode, k, way), metric) for way in DIRECTIONS for metric in metrics
        ]
        rows.append(Row(_label(k), cells, "control" if mode == "random" else "model"))
    yield Block(_heading(MODES[mode]), rows)
    if mode in PAPER[TASK]:
        theirs = [
            Row(
                _label(k),
                [_paper(cell[way][metric], metric) for way in DIRECTIONS for metric in metrics],
                "paper",
            )
            for k, cell in PAPER[TASK][mode].items()
        ]
        yield Block(f"{MARK}: {MODES[mode]}", theirs)


def _label(k: str) -> str:
    return "0 (original)" if k == "0" else k


def _paper(value: float, metric: str) -> Value:
    return Value((value,), digits=2 if metric == "medR" else 1)


def _says(study: Study, model: str) -> Iterator[str]:
    original, random = (gaps(study, model, "1", rival) for rival in ("against-original", "against-random"))
    for way, label in DIRECTIONS.items():
        effect = {"above": "pruning helps", "below": "pruning hurts", "open": "no change is shown"}
        choice = {
            "above": "the tree chooses better than chance",
            "below": "the tree chooses worse than chance",
            "open": "the tree is not shown to choose better than chance",
        }
        yield (
            f"{label}: without its least important ingredient, R@1 on the full set changes by "
            f"{describe(original[way])}: {effect[settle(original[way])]}. Against removing one at random it "
            f"is {describe(random[way])}: {choice[settle(random[way])]}."
        )


def _findings(study: Study, model: str) -> Iterator[Finding]:
    claims = {
        "against-original": f"Removing the least important ingredient improves the retrieval of "
        f"{shown(model)}",
        "against-random": f"The tree of {shown(model)} knows better than chance which ingredient can go",
    }
    for rival, claim in claims.items():
        found = gaps(study, model, "1", rival)
        both = [gap for way in found.values() for gap in way]
        evidence = ". ".join(f"{DIRECTIONS[way]}: {describe(gap)}" for way, gap in found.items())
        yield Finding(model, claim, outcome(settle(both)), f"Change in R@1. {evidence}.")


def _chart(study: Study, model: str) -> Figure:
    part = study.parts(model, TASK)[0]
    charts = []
    for way, label in DIRECTIONS.items():
        series = []
        for mode, name, kind in (
            ("remove-last", "least important", "learned"),
            ("random", "at random", "control"),
        ):
            cells = {int(k): _cells(study, model, mode, k, way) for k in part[mode]}
            cells[0] = _cells(study, model, "remove-last", "0", way)
            points = [(k, value) for k in sorted(cells) if (value := Value.of(cells[k], "R@1"))]
            series.append(Line(name, points, kind))
        charts.append(lines(f"{label}, R@1", "ingredients removed", series))
    runs = len(study.parts(model, TASK))
    bar = f"one standard deviation over {runs} runs" if runs > 1 else "the 95 % interval"
    caption = f"R@1 of {shown(model)} as ingredients go; bars: {bar}."
    return Figure(f'<div class="grid">{"".join(charts)}</div>', caption)


def _before_after(study: Study) -> Iterator[Figure]:
    for run in study.illustrated("pruning-space", study.able(TASK))[:1]:
        space = run.figure("pruning-space")
        box = bounds(space["image"], space["before"], space["after"])
        plots = [
            scatter(name.capitalize(), space["ids"], space["image"], space[name], box)
            for name in ("before", "after")
        ]
        mode, k = space["what"].split()
        yield Figure(
            f'<div class="grid">{"".join(plots)}</div>{legend()}',
            f"{len(space['ids'])} photos and recipes of {of_run(run.model, run.seed)} by t-SNE, before and "
            f"after pruning ({MODES[mode]}, K = {k}). Shorter lines would be closer pairs, "
            "but such a map bends distances: the table decides.",
            wide=True,
        )
