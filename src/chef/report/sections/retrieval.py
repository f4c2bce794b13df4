"""Retrieval: Tables 1 and S1, the paired tests of models, ACME's two rows, the shared space."""

from collections.abc import Iterator, Sequence

from chef.evaluate.results import BATCH_STATISTICS
from chef.measure.ranks import Scores
from chef.measure.retrieval import RetrievalScores
from chef.report.charts import forest, scatter
from chef.report.gap import Gap, against
from chef.report.names import DIRECTIONS, MARK, PAPER, counted, shown
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, better_than_without
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Kind, Row, Table, Value, metric_columns
from chef.report.table_formats import draw

TASK = "retrieval"
METRICS = ("medR", "R@1", "R@5", "R@10")
SIZES = ("1k", "10k", "full")
MAPS = 3  # of the shared space that are open from the start
MOST = 10  # pairs of models that fit into one picture


def retrieval_section(study: Study) -> Section | None:
    """The section, or None where no model was measured on retrieval."""
    if not study.able(TASK):
        return None
    blocks: list[Shown] = [
        _table(study, "table-1", "Table 1", "image-to-recipe"),
        _table(study, "table-s1", "Table S1", "recipe-to-image"),
    ]
    if study.compared():
        blocks.append(_paired_figure(study, headline(study)))
        blocks.append(Folded("The paired tests as a table", [_paired_table(study, headline(study))]))
    return Section(
        TASK,
        "Retrieval",
        "Given a photo, find its recipe; given a recipe, find its photo. One answer in the gallery is right: "
        "medR is its median rank (1 is perfect), R@K how often it is among the first K, in percent.",
        [*blocks, *_space(study)],
        list(_findings(study)),
    )


def headline(study: Study) -> str:
    """The gallery that sentences refer to: 1k as in the paper where there are enough recipes."""
    return "1k" if "1k" in _sizes(study) else "full"


def _parts(study: Study, model: str) -> list[RetrievalScores]:
    return [run.retrieval for run in study.of(model) if run.retrieval]


def _sizes(study: Study) -> list[str]:
    parts = [part for model in study.able(TASK) for part in _parts(study, model)]
    return [size for size in SIZES if any(size in part["image-to-recipe"] for part in parts)]


def _scores(study: Study, model: str, direction: str, size: str) -> list[Scores]:
    galleries = [part[direction] for part in _parts(study, model)]
    return [gallery[size] for gallery in galleries if size in gallery]


def _table(study: Study, name: str, title: str, direction: str) -> Table:
    sizes = _sizes(study)
    # Data too small for a fold of 1k are shown beside the paper's 1k figures, and the heading says so.
    beside = {size: size for size in sizes if size != "full"} or {"full": "1k"}
    mark = MARK if "full" not in beside else f"{MARK}, 1k"
    return Table(
        name,
        title,
        f"{DIRECTIONS[direction]} retrieval.",
        metric_columns(METRICS, ("Measured here", mark), mark),
        [_block(study, direction, size, beside.get(size)) for size in sizes],
        list(_says(study, direction)),
    )


def _block(study: Study, direction: str, size: str, beside: str | None) -> Block:
    def paper(figures: dict[str, dict[str, dict[str, float]]] | None) -> list[Cell]:
        if figures is None or beside is None:
            return [None] * len(METRICS)
        cell = figures[direction][beside]
        return [Value((cell[metric],), digits=2 if metric == "medR" else 1) for metric in METRICS]

    rows, n = [], 0
    for model in study.able(TASK):
        if scores := _scores(study, model, direction, size):
            n = scores[0].n or 0
            ours: list[Cell] = [
                Value.of(scores, metric, 2 if metric == "medR" and size != "full" else 1)
                for metric in METRICS
            ]
            # With batch norm in training mode a result cannot be compared with others.
            kind: Kind = "control" if model.endswith(BATCH_STATISTICS) else "model"
            rows.append(Row(shown(model), [*ours, *paper(PAPER[TASK].get(study.variant(model)))], kind))
    if "acme" in study.models and beside == "1k":
        corrected = [*[None] * len(METRICS), *paper(PAPER["acme-corrected"])]
        rows.append(Row("ACME, the authors' model, corrected", corrected, "paper"))
    return Block(f"Full set, {n:,}" if size == "full" else f"10 folds of {size}", rows)


def _says(study: Study, direction: str) -> Iterator[str]:
    size = headline(study)
    values = {
        model: value
        for model in study.able(TASK)
        if not model.endswith(BATCH_STATISTICS)
        and (value := Value.of(_scores(study, model, direction, size), "R@1"))
    }
    best = max(values, key=lambda model: values[model].mean)
    n = _scores(study, best, direction, size)[0].n or 1
    asked, answer = ("photo", "recipe") if direction == "image-to-recipe" else ("recipe", "photo")
    highest = f"{shown(best)}, the highest R@1 here," if len(values) > 1 else shown(best)
    yield (
        f"Among {counted(n, answer)}, {highest} puts the right {answer} first for {values[best].shown} % of "
        f"the {asked}s; picking at random would for {100 / n:.2g} %."
    )
    others = {
        shown(other): gaps
        for other, gaps in rivals(study, study.lead, direction, size).items()
        if not study.has_tree(other) and not other.endswith(BATCH_STATISTICS)
    }
    if study.has_tree(study.lead) and others:
        yield against(f"By the paired test on R@1 {_where(size)}, {shown(study.lead)}", others)
    for model in study.able(TASK):  # the paper's "mysterious case"
        right = Value.of(_scores(study, model.removesuffix(BATCH_STATISTICS), direction, size), "R@1")
        wrong = Value.of(_scores(study, model, direction, size), "R@1")
        if model.endswith(BATCH_STATISTICS) and right and wrong:
            yield (
                "ACME with batch norm left in training mode, as in its published code, has R@1 "
                f"{wrong.shown} against {right.shown} in evaluation mode. In training mode an answer "
                "depends on what else is in the batch, so only the other row can be compared with the rest."
            )


def _where(size: str) -> str:
    return "on the full set" if size == "full" else f"in folds of {size}"


def rivals(study: Study, model: str, direction: str, size: str) -> dict[str, list[Gap]]:
    """R@1 of a model minus that of each other model it was compared with, one gap for each pair of runs."""
    gaps = {
        other: _gaps(study, model, other, direction, size)
        + [gap.turned for gap in _gaps(study, other, model, direction, size)]
        for other in study.models
    }
    return {other: of_other for other, of_other in gaps.items() if of_other}


def _gaps(study: Study, first: str, second: str, direction: str, size: str) -> list[Gap]:
    return [Gap.paired(tests["R@1"]) for tests in study.between(first, second, direction, size)]


def _pairs(study: Study) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row.first, row.second) for row in study.compared()))


def _paired_figure(study: Study, size: str) -> Figure:
    """The differences in R@1 with their intervals: all of them, or those of one model if there are many."""
    pairs = _pairs(study)
    if len(pairs) > MOST:
        pairs = [pair for pair in pairs if study.lead in pair]
    rows = [
        (f"{shown(first)} − {shown(second)}", label.lower(), _gaps(study, first, second, direction, size))
        for first, second in pairs
        for direction, label in DIRECTIONS.items()
    ]
    return Figure(
        forest(rows),
        f"Differences in R@1 {_where(size)}, in percentage points, with the 95 % interval of the paired "
        "bootstrap, one bar per run. Where a bar crosses the line at zero, that run does not distinguish the "
        "two models.",
    )


def _paired_table(study: Study, size: str) -> Table:
    """The same with the mean reciprocal rank and p."""
    blocks = []
    for direction, label in DIRECTIONS.items():
        rows = []
        for first, second in _pairs(study):
            cells: list[Cell] = []
            for metric in ("R@1", "MRR"):
                tests = [test[metric] for test in study.between(first, second, direction, size)]
                ci = tests[0].ci if len(tests) == 1 else None
                cells.append(Value(tuple(test.difference for test in tests), ci))
                cells.append(", ".join(f"{test.p:.3f}" for test in tests))
            rows.append(Row(f"{shown(first)} − {shown(second)}", cells))
        blocks.append(Block(label, rows))
    return Table(
        "paired",
        "Paired tests",
        f"First model minus second on the same queries, {_where(size)}, in percentage points; p is "
        "two-sided, one for each pair of runs.",
        [Column(label) for label in ("Δ R@1", "p", "Δ MRR", "p")],
        blocks,
        stub="Models",
    )


def _findings(study: Study) -> Iterator[Finding]:
    """The paper: models with a tree over ingredients retrieve better than those with a set or a GRU."""
    size = headline(study)
    for model in filter(study.has_tree, study.models):
        others = {
            f"{label}, R@1 {_where(size)}": {
                shown(other): gaps
                for other, gaps in rivals(study, model, direction, size).items()
                if study.variant(other)[:2] in ("s+", "g+")
            }
            for direction, label in DIRECTIONS.items()
        }
        if all(others.values()):
            finding = better_than_without(model, "retrieves", others)
            yield finding.unless(study.untested(model, "ingredients"))


def _space(study: Study) -> Iterator[Figure | Folded]:
    """The maps of the first models; those of others are folded away."""
    plots = [
        scatter(shown(run.model), plane.ids, plane.points["image"], plane.points["recipe"])
        for run in study.illustrated("space")
        if (plane := run.figures.space)
    ]
    caption = (
        "The shared space by t-SNE, photos and recipes together; a line joins a photo to its recipe. "
        "Hover over a pair to see its id. Distances on such a map are only a hint: the tables measure."
    )

    def grid(some: Sequence[str]) -> Figure:
        return Figure(draw("grid", some), caption, wide=True)

    if plots:
        yield grid(plots[:MAPS])
    if plots[MAPS:]:
        yield Folded("The shared space of the other models", [grid(plots[MAPS:])])
