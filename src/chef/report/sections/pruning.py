"""Ingredient pruning: Tables 3 and S2, against the original and against random removal, before and after."""

from collections.abc import Iterator, Sequence

from chef.evaluate.results import PruningCell, Tests
from chef.measure.ranks import Scores
from chef.report.charts import Line, bounds, lines, scatter
from chef.report.gap import Gap, describe, settle
from chef.report.names import DIRECTIONS, MARK, PAPER, counted, of_run, shown
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table, Value, metric_columns
from chef.report.table_formats import draw

TASK = "pruning"
METRICS = ("medR", "R@1", "R@5", "R@10")
MODES = {
    "remove-last": "remove the K least important",
    "random": "control: remove K at random",
    "keep-first": "keep the K most important",
    "keep-depth": "keep the leaves at depth K or less",
}


def pruning_section(study: Study) -> Section | None:
    """The section, or None where no model has trees to prune by."""
    models = study.leading(study.able(TASK))
    if not models:
        return None
    first, *others = models
    blocks: list[Shown] = [_table(study, first, "table-3"), _chart(study, first), *_before_after(study)]
    blocks.append(
        Folded(
            "All ways of pruning (Table S2)", [_table(study, first, "table-s2"), _reinferred(study, first)]
        )
    )
    for number, model in enumerate(others, start=2):
        blocks.append(
            Folded(f"The same for {shown(model)}", [_table(study, model, f"table-s2-model-{number}")])
        )
    return Section(
        TASK,
        "Pruning",
        "If deep leaves matter little, a recipe without them should find its photo just as well. "
        "Ingredients are removed from the instructions too, the trees are kept, and every K is measured on "
        "the same recipes. The control removes as many ingredients at random.",
        blocks,
        [finding for model in models for finding in _findings(study, model)],
    )


def _parts(study: Study, model: str) -> list[dict[str, dict[str, PruningCell]]]:
    """What each run says: a cell for each mode and K."""
    return [run.pruning for run in study.of(model) if run.pruning]


def _scores(study: Study, model: str, mode: str, k: str, direction: str) -> list[Scores]:
    """The scores of each run: of the folds of 1k where there are any, else of the full set."""
    modes = [part[mode] for part in _parts(study, model)]
    return [cells[k].directions[direction].headline for cells in modes if k in cells]


def _table(study: Study, model: str, name: str) -> Table:
    """Table 3 has one way of pruning and its control, Table S2 has all."""
    short = name == "table-3"
    metrics = METRICS[:3] if short else METRICS
    original = _parts(study, model)[0]["remove-last"]["0"]
    folds = "in 10 folds of 1k" if original.directions["image-to-recipe"].folds else "on the full set"
    return Table(
        name,
        "Table 3" if short else "Table S2",
        f"Retrieval with {shown(model)} after pruning, {folds}, {counted(original.n, 'recipe')}.",
        metric_columns(metrics, DIRECTIONS.values()),
        [
            block
            for mode in list(MODES)[: 2 if short else 4]
            for block in _blocks(study, model, mode, metrics)
        ],
        list(_says(study, model)),
        stub="K",
    )


def _reinferred(study: Study, model: str) -> Table:
    """R@1 with the trees kept, as in the other tables, and with the trees inferred again."""
    blocks = []
    for mode, heading in MODES.items():
        rows = []
        for k in _parts(study, model)[0][mode]:
            runs = [part[mode][k] for part in _parts(study, model)]
            cells: list[Cell] = [Value(tuple(run.removed for run in runs))]
            for way in DIRECTIONS:
                cells.append(Value.of([run.directions[way].headline for run in runs], "R@1"))
                cells.append(Value.of([run.reinferred[way].headline for run in runs], "R@1"))
            rows.append(Row(_label(k), cells, "control" if mode == "random" else "model"))
        blocks.append(Block(heading[0].upper() + heading[1:], rows))
    columns = [
        Column(label, way) for way in DIRECTIONS.values() for label in ("R@1, kept", "R@1, reinferred")
    ]
    return Table(
        "pruning-anew",
        "Trees kept or inferred again",
        f"R@1 of {shown(model)} when the pruned recipe keeps what is left of its trees, and when the model "
        "builds new ones. Removed: ingredients per recipe, on average; short recipes lose fewer.",
        [Column("Removed"), *columns],
        blocks,
        stub="K",
    )


def _blocks(study: Study, model: str, mode: str, metrics: Sequence[str]) -> Iterator[Block]:
    """One way of pruning, and the paper's figures for it."""
    rows = []
    for k in _parts(study, model)[0][mode]:
        cells: list[Cell] = [
            Value.of(_scores(study, model, mode, k, way), metric) for way in DIRECTIONS for metric in metrics
        ]
        rows.append(Row(_label(k), cells, "control" if mode == "random" else "model"))
    yield Block(MODES[mode][0].upper() + MODES[mode][1:], rows)
    if mode in PAPER[TASK]:
        theirs = []
        for k, cell in PAPER[TASK][mode].items():
            cells = [
                Value((cell[way][metric],), digits=2 if metric == "medR" else 1)
                for way in DIRECTIONS
                for metric in metrics
            ]
            theirs.append(Row(_label(k), cells, "paper"))
        yield Block(f"{MARK}: {MODES[mode]}", theirs)


def _label(k: str) -> str:
    return "0 (original)" if k == "0" else k


def _gaps(tests: Sequence[dict[str, Tests]]) -> dict[str, list[Gap]]:
    """The differences in R@1 of each run, by direction."""
    return {way: [Gap.paired(test[way]["R@1"]) for test in tests] for way in DIRECTIONS}


def _against(study: Study, model: str) -> tuple[dict[str, list[Gap]], dict[str, list[Gap]]]:
    """R@1 without the least important ingredient minus the original, and minus random removal of one."""
    cells = [part["remove-last"]["1"] for part in _parts(study, model)]
    return (
        _gaps([cell.against_original for cell in cells]),
        _gaps([cell.against_random for cell in cells if cell.against_random]),
    )


def _says(study: Study, model: str) -> Iterator[str]:
    original, random = _against(study, model)
    untested = study.untested(model, "ingredients")
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
            f"is {describe(random[way])}: "
            + (f"no test of the tree, because {untested}." if untested else f"{choice[settle(random[way])]}.")
        )


def _findings(study: Study, model: str) -> Iterator[Finding]:
    claims = (
        f"Removing the least important ingredient improves the retrieval of {shown(model)}",
        f"The tree of {shown(model)} knows better than chance which ingredient can be removed",
    )
    for claim, gaps in zip(claims, _against(study, model), strict=True):
        both = [gap for way in gaps.values() for gap in way]
        evidence = ". ".join(f"{DIRECTIONS[way]}: {describe(gap)}" for way, gap in gaps.items())
        finding = Finding(model, claim, outcome(settle(both)), f"Change in R@1. {evidence}.")
        yield finding.unless(study.untested(model, "ingredients"))


def _chart(study: Study, model: str) -> Figure:
    parts = _parts(study, model)
    charts = []
    for way, label in DIRECTIONS.items():
        series = []
        for mode, name, kind in (
            ("remove-last", "least important", "learned"),
            ("random", "at random", "control"),
        ):
            scores = {int(k): _scores(study, model, mode, k, way) for k in parts[0][mode]}
            scores[0] = _scores(study, model, "remove-last", "0", way)
            points = [(k, value) for k in sorted(scores) if (value := Value.of(scores[k], "R@1"))]
            series.append(Line(name, points, kind))
        charts.append(lines(f"{label}, R@1", "ingredients removed", series))
    bar = f"one standard deviation over {len(parts)} runs" if len(parts) > 1 else "the 95 % interval"
    caption = f"R@1 of {shown(model)} as ingredients are removed; bars: {bar}."
    return Figure(draw("grid", charts, with_legend=False), caption)


def _before_after(study: Study) -> Iterator[Figure]:
    for run in study.illustrated("pruning_space", study.able(TASK))[:1]:
        if plane := run.figures.pruning_space:
            box = bounds(*plane.points.values())
            plots = [
                scatter(name.capitalize(), plane.ids, plane.points["image"], plane.points[name], box)
                for name in ("before", "after")
            ]
            mode, k = (plane.what or "").split()
            yield Figure(
                draw("grid", plots),
                f"{len(plane.ids)} photos and recipes of {of_run(run)} by t-SNE, before and after pruning "
                f"({MODES[mode]}, K = {k}). Shorter lines would be closer pairs, but such a map "
                "distorts distances: the table decides.",
                wide=True,
            )
