"""Main ingredient: Table 2 with its controls, the depth bars, the trees."""

from collections.abc import Iterator, Mapping, Sequence

from chef.evaluate.results import MainIngredient
from chef.measure.ranks import Scores
from chef.report.charts import Bar
from chef.report.gap import against, beats
from chef.report.names import MARK, PAPER, control, counted, listed, of_run, shown
from chef.report.section import Figure, Folded, Section
from chef.report.sections import controls as shared
from chef.report.study import Study
from chef.report.table import Block, Cell, Kind, Row, Table, Value, metric_columns
from chef.report.table_formats import draw

TASK, PART = "main-ingredient", "ingredients"
METRICS = ("medR", "R@1", "R@2", "R@3")
CHANCE = ("random", "balanced")  # uninformative trees
ORDER = ("left", "right", "first-listed")  # three ways to use the order of the list
CONTROLS = (*CHANCE, *ORDER, "attention")
SHALLOWEST, DEEPEST = 40, 10  # in the paper's figure

Models = Mapping[str, Sequence[MainIngredient]]  # the runs of each model


def main_ingredient_section(study: Study) -> Section | None:
    """The section, or None where no model has trees over ingredients."""
    models = {
        model: [run.main_ingredient for run in study.of(model) if run.main_ingredient]
        for model in study.able(TASK)
    }
    if not models:
        return None
    chart = Figure(
        shared.score_bars(models, CONTROLS, "R@1"),
        "R@1 in percent: the models' trees in colour, everything else in grey.",
    )
    gold = shared.gold_table("main-ingredient-gold", models, {"strict": "Right", "accepted": "Accepted"})
    trees = shared.tree_figures(
        study,
        list(models),
        "ingredients",
        "Ingredient trees",
        "Leaves are in the order of the list; the number of a node is the order of its merge. In red: the "
        "main ingredient by mass, where it is known.",
    )
    return Section(
        TASK,
        "Main ingredient",
        "The leaf nearest to the root of a tree is read as the most important one. Gold is the "
        "ingredient with the largest mass. Leaves at the same depth are tied, so a tree that puts everything "
        "at one depth is only as good as chance. The controls are trees that learned nothing, and the order "
        "of the list.",
        [_table(study, models), chart, *gold, *_others(models), *_depths(study, models), *trees],
        list(shared.findings(study, models, _claims, "R@1", "In R@1 it", PART)),
    )


def _claims(model: str) -> dict[str, Sequence[str]]:
    tree = f"The tree of {shown(model)}"
    return {
        f"{tree} finds the main ingredient better than uninformative trees": CHANCE,
        f"{tree} finds it better than the order of the list alone": ORDER,
        f"{tree} finds it better than attention does": ("attention",),
    }


def _table(study: Study, models: Models) -> Table:
    parts = [part for of_model in models.values() for part in of_model]
    splits = shared.splits_of(study, parts)

    def row(of: Sequence[MainIngredient], name: str = "") -> list[Cell]:
        return [cell for split in splits for cell in shared.cells(shared.of_split(of, split), METRICS, name)]

    def paper(order: str) -> list[Cell]:
        figures = PAPER[TASK][order]
        names = ["val" if split in ("validation", "val") else "test" for split in splits]
        return [Value((figures[name][metric],)) for name in names for metric in METRICS]

    controls = [Row(control(name), row(shared.once(parts), name), "control") for name in CONTROLS]
    return Table(
        "table-2",
        "Table 2",
        f"Rank of the heaviest ingredient, shallowest leaf first, over the "
        f"{counted(parts[0].n, 'recipe')} with known masses.",
        metric_columns(METRICS, map(str.capitalize, splits)),
        [
            Block(
                "Trees of the models",
                [Row(shown(model), row(of_model)) for model, of_model in models.items()],
            ),
            Block("Controls", [one for one in controls if any(one.cells)]),
            Block(
                f"{MARK}, where ties cost nothing",
                [Row("Tree-LSTM", paper("tree"), "paper"), Row("Attention", paper("attention"), "paper")],
            ),
        ],
        [_sentence(study, model, of_model) for model, of_model in models.items()],
        stub="Order by",
    )


def _sentence(study: Study, model: str, parts: Sequence[MainIngredient]) -> str:
    value = Value.of([part.model for part in parts], "R@1")
    assert value is not None
    others = shared.rivals(parts, CONTROLS, "R@1")
    return (
        f"{shown(model)} puts the heaviest ingredient nearest to the root in {value.shown} % of the "
        f"recipes, which {beats(others, study.untested(model, PART))}: {against('in R@1 it', others)}"
    )


def _others(models: Models) -> Iterator[Folded]:
    """Table 2 without water, and by the paper's own score: the scores of "model" and each control."""
    dry, gaps = {}, {}
    for model, parts in models.items():
        inside = [part.without_water for part in parts if part.without_water]
        dry[model] = [part.controls | {"model": part.model} for part in inside]
        gaps[model] = [part.depth_gap for part in parts if part.depth_gap]
    for name, summary, caption, runs in (
        ("without-water", "The same without water", "Water is neither gold nor a candidate.", dry),
        (
            "depth-gap",
            "The paper's score: the depth gap",
            "The rank is how much deeper the heaviest ingredient is than the shallowest, as in the paper. "
            "Ties cost nothing, so a flat tree is nearly always right: see the controls.",
            gaps,
        ),
    ):
        first = max((run for some in runs.values() for run in some), key=len, default=None)
        if first is not None:
            rows = [
                _row(shown(model), [run["model"] for run in some]) for model, some in runs.items() if some
            ]
            rows += [_row(control(other), [first[other]], "control") for other in CONTROLS if other in first]
            title, columns = f"Table 2, {name.replace('-', ' ')}", metric_columns(METRICS)
            table = Table(f"table-2-{name}", title, caption, columns, [Block("", rows)], stub="Order by")
            yield Folded(summary, [table])


def _row(label: str, scores: Sequence[Scores], kind: Kind = "model") -> Row:
    return Row(label, [Value.of(scores, metric) for metric in METRICS], kind)


def _depths(study: Study, models: Models) -> Iterator[Figure | Folded]:
    """The first model's bars; those of others are folded away."""
    for place, run in enumerate(study.illustrated("depths", list(models))):
        rows = run.figures.depths or []
        shallow, deep = rows[:SHALLOWEST], rows[SHALLOWEST:][-DEEPEST:]
        drawn = [
            Bar(row.ingredient.replace("_", " "), row.depth, f"{row.depth:.1f}", kind=kind)
            for kind, some in (("shallow", shallow), ("deep", deep))
            for row in some
        ]
        ends = [f"{len(shallow)} shallowest (blue)"] + ([f"{len(deep)} deepest (green)"] if deep else [])
        figure = Figure(
            draw("bars", drawn, max(bar.value for bar in drawn), columns=3),
            f"Average depth in the trees of {of_run(run)}: the {listed(ends)} of "
            f"{counted(len(rows), 'ingredient')}. Short lists make shallow trees, whatever is in them.",
            wide=True,
        )
        yield figure if place == 0 else Folded(f"Depths of {shown(run.model)}", [figure])
