"""Retrieval: Tables 1 and S1, ACME's two rows, the shared space. `paired` has the paired tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.report.against import against, overall
from chef.report.names import BATCH_STATISTICS, DIRECTIONS, counted, shown
from chef.report.paper import MARK, PAPER
from chef.report.pictures.scatter import legend, scatter
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.sections.paired import TASK, paired_figure, paired_table, rivals, where
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Kind, Row, Table
from chef.report.value import Value

METRICS = ("medR", "R@1", "R@5", "R@10")
SIZES = ("1k", "10k", "full")
MAPS = 3  # of the shared space that are open from the start


def retrieval_section(study: Study) -> Section | None:
    """The section, or None where no model was measured on retrieval."""
    if not study.able(TASK):
        return None
    blocks: list[Shown] = [
        _table(study, "table-1", "image-to-recipe"),
        _table(study, "table-s1", "recipe-to-image"),
    ]
    if study.compared(TASK):
        blocks.append(paired_figure(study, headline(study)))
        blocks.append(Folded("The paired tests as a table", [paired_table(study, headline(study))]))
    return Section(
        TASK,
        "Retrieval",
        "Given a photo, find its recipe; given a recipe, find its photo. One answer in the gallery is right: "
        "medR is its median rank (1 is perfect), R@K how often it is among the first K, in percent.",
        [*blocks, *_space(study)],
        list(_findings(study)),
    )


def headline(study: Study) -> str:
    """The gallery that sentences speak of: 1k as in the paper where there are enough recipes."""
    return "1k" if "1k" in _sizes(study) else "full"


def _sizes(study: Study) -> list[str]:
    parts = [part for model in study.able(TASK) for part in study.parts(model, TASK)]
    return [size for size in SIZES if any(size in part["image-to-recipe"] for part in parts)]


def _cells(study: Study, model: str, direction: str, size: str) -> list[Part]:
    return [part[direction][size] for part in study.parts(model, TASK) if size in part[direction]]


def _table(study: Study, name: str, direction: str) -> Table:
    sizes = _sizes(study)
    # Data too small for a fold of 1k stand beside the paper's 1k figures, and the heading says so.
    beside = {size: size for size in sizes if size != "full"} or {"full": "1k"}
    mark = MARK if "full" not in beside else f"{MARK}, 1k"
    columns = [
        Column(metric, group, "low" if metric == "medR" else "high", paper=group == mark)
        for group in ("Measured here", mark)
        for metric in METRICS
    ]
    return Table(
        name,
        {"table-1": "Table 1", "table-s1": "Table S1"}[name],
        f"{DIRECTIONS[direction]} retrieval.",
        columns,
        [_block(study, direction, size, beside.get(size)) for size in sizes],
        list(_says(study, direction)),
    )


def _block(study: Study, direction: str, size: str, beside: str | None) -> Block:
    rows, n = [], 0
    for model in study.able(TASK):
        if cells := _cells(study, model, direction, size):
            n = cells[0]["n"]
            theirs = _theirs(PAPER[TASK].get(study.variant(model)), direction, beside)
            # In training mode batch norm makes no result that others could be measured against.
            kind: Kind = "control" if model.endswith(BATCH_STATISTICS) else "model"
            rows.append(Row(shown(model), [*_ours(cells, size), *theirs], kind))
    if "acme" in study.models and beside == "1k":
        corrected = _theirs(PAPER["acme-corrected"], direction, "1k")
        rows.append(Row("ACME, the authors' model, corrected", [None] * len(METRICS) + corrected, "paper"))
    return Block(f"Full set, {n:,}" if size == "full" else f"10 folds of {size}", rows)


def _ours(cells: Sequence[Part], size: str) -> list[Cell]:
    return [Value.of(cells, metric, 2 if metric == "medR" and size != "full" else 1) for metric in METRICS]


def _theirs(model: Part | None, direction: str, size: str | None) -> list[Cell]:
    if model is None or size is None:
        return [None] * len(METRICS)
    cell = model[direction][size]
    return [Value((cell[metric],), digits=2 if metric == "medR" else 1) for metric in METRICS]


def _says(study: Study, direction: str) -> Iterator[str]:
    size = headline(study)
    scores = {
        model: value
        for model in study.able(TASK)
        if not model.endswith(BATCH_STATISTICS)
        and (value := Value.of(_cells(study, model, direction, size), "R@1"))
    }
    best = max(scores, key=lambda model: scores[model].mean)
    n = _cells(study, best, direction, size)[0]["n"]
    asked, found = ("photo", "recipe") if direction == "image-to-recipe" else ("recipe", "photo")
    highest = f"{shown(best)}, the highest R@1 here," if len(scores) > 1 else shown(best)
    yield (
        f"Among {counted(n, found)}, {highest} puts the right {found} first for {scores[best].shown} % of "
        f"the {asked}s; picking blindly would for {100 / n:.2g} %."
    )
    others = {
        shown(other): gaps
        for other, gaps in rivals(study, study.lead, direction, size).items()
        if not study.has_tree(other) and not other.endswith(BATCH_STATISTICS)
    }
    if study.has_tree(study.lead) and others:
        yield against(f"By the paired test on R@1 {where(size)}, {shown(study.lead)}", others)
    yield from _acme(study, direction, size)


def _acme(study: Study, direction: str, size: str) -> Iterator[str]:
    """The paper's "mysterious case": what batch norm in training mode is worth."""
    for model in study.able(TASK):
        right = Value.of(_cells(study, model.removesuffix(BATCH_STATISTICS), direction, size), "R@1")
        wrong = Value.of(_cells(study, model, direction, size), "R@1")
        if model.endswith(BATCH_STATISTICS) and right and wrong:
            yield (
                "ACME with batch norm left in training mode, as in its published code, has R@1 "
                f"{wrong.shown} against {right.shown} in evaluation mode. In training mode an answer "
                "depends on what else is in the batch, so only the other row can be compared with the rest."
            )


def _findings(study: Study) -> Iterator[Finding]:
    """The paper: models with a tree over ingredients retrieve better than those with a set or a GRU."""
    size = headline(study)
    for model in filter(study.has_tree, study.models):
        found = {
            direction: {
                shown(other): gaps
                for other, gaps in rivals(study, model, direction, size).items()
                if study.variant(other)[:2] in ("s+", "g+")
            }
            for direction in DIRECTIONS
        }
        if all(found.values()):
            said = [against(f"{DIRECTIONS[way]}, R@1 {where(size)}: it", gaps) for way, gaps in found.items()]
            both = {f"{way} {other}": gaps for way, row in found.items() for other, gaps in row.items()}
            claim = f"{shown(model)}, with a tree over the ingredients, retrieves better than models without"
            yield Finding(model, claim, outcome(overall(both)), " ".join(said))


def _space(study: Study) -> Iterator[Figure | Folded]:
    """The maps of the first models; those of others are folded away."""
    plots = [
        scatter(shown(run.model), space["ids"], space["image"], space["recipe"])
        for run in study.illustrated("space")
        if (space := run.figure("space"))
    ]
    figures = [
        Figure(
            f'<div class="grid">{"".join(some)}</div>{legend()}',
            "The shared space by t-SNE, photos and recipes together; a line joins a photo to its recipe. "
            "Point at a pair to see which it is. Distances on such a map are only a hint: the tables "
            "measure.",
            wide=True,
        )
        for some in (plots[:MAPS], plots[MAPS:])
        if some
    ]
    yield from figures[:1]
    yield from (Folded("The shared space of the other models", [figure]) for figure in figures[1:])
