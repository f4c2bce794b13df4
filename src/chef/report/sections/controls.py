"""What the sections on ingredient and sentence trees share: the models' trees beside their controls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup

from chef.evaluate.results import ActionWords, Gold, MainIngredient
from chef.report.charts import Bar, tree_cards
from chef.report.gap import Gap, against, overall
from chef.report.names import control, counted, of_run, shown
from chef.report.section import Figure, Finding, Folded, outcome
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table, Value
from chef.report.table_formats import draw

Part = MainIngredient | ActionWords  # of one run
P = TypeVar("P", MainIngredient, ActionWords)
VALIDATION = "validation"


def rivals(parts: Sequence[Part], names: Sequence[str], metric: str) -> dict[str, list[Gap]]:
    """The tree minus each of these controls, one gap for each run."""
    return {
        name if name == "attention" else f"the {control(name)}": [
            Gap.paired(part.against[name][metric]) for part in parts
        ]
        for name in names
        if all(name in part.against for part in parts)
    }


def splits_of(study: Study, parts: Sequence[Part]) -> list[str]:
    """The splits that a table has columns for."""
    return [study.split, *([VALIDATION] if all(part.validation for part in parts) else [])]


def of_split(parts: Sequence[P], split: str) -> list[P]:
    """What the runs say about a split: the requested one, or the validation split."""
    inside = [part.validation if split == VALIDATION else part for part in parts]
    return [part for part in inside if part]


def cells(parts: Sequence[Part], metrics: Sequence[str], name: str = "") -> list[Cell]:
    """The figures of the trees or, with a name, of a control."""
    scores = [part.controls.get(name) if name else part.model for part in parts]
    return [Value.of(scores, metric) for metric in metrics]


def once(parts: Sequence[P]) -> list[P]:
    """A control has no training seed: it is taken once, from the run that has most controls."""
    return sorted(parts, key=lambda part: -len(part.controls))[:1]


def gold_table(name: str, models: Mapping[str, Sequence[P]], metrics: Mapping[str, str]) -> Iterator[Table]:
    """The trees and their controls against labels by hand, where the results have them."""
    golds = {model: [part.gold for part in parts if part.gold] for model, parts in models.items()}
    first = next((one for some in golds.values() for one in some), None)
    if first is None:
        return
    groups = ["As listed", "Lists shuffled"] if first.shuffled else [""]

    def row(label: str, some: Sequence[Gold], control: str = "") -> Row:
        both = (some, [one.shuffled for one in some if one.shuffled])[: len(groups)]
        scores = [[one.controls[control] if control else one.model for one in column] for column in both]
        cells = [Value.of(column, metric) for column in scores for metric in metrics]
        return Row(label, cells, "control" if control else "model")

    yield Table(
        name,
        "Against labels by hand",
        "How often the shallowest leaf of a model's own tree, and each control, is what a cook says, in "
        f"percent of {counted(first.n, 'label')}. What CHEF tells people does not come from the trees.",
        [Column(label, group, "high") for group in groups for label in metrics.values()],
        [
            Block("", [row(shown(model), some) for model, some in golds.items() if some]),
            Block("Controls", [row(control(other), [first], other) for other in first.controls]),
        ],
        stub="Answer by",
    )


def score_bars(models: Mapping[str, Sequence[P]], controls: Sequence[str], metric: str) -> Markup:
    """One metric of all models' trees, in colour, and of the controls, best first."""
    rows = []
    for model, parts in models.items():
        if value := Value.of([part.model for part in parts], metric):
            rows.append(Bar(shown(model), value.mean, value.shown, value.spread, "learned"))
    (first,) = once([part for parts in models.values() for part in parts])
    for name in controls:
        if value := Value.of([first.controls.get(name)], metric):
            rows.append(Bar(control(name), value.mean, value.shown, value.spread))
    return draw("bars", sorted(rows, key=lambda row: -row.value), 100.0)


def findings(
    study: Study,
    models: Mapping[str, Sequence[P]],
    claims: Callable[[str], Mapping[str, Sequence[str]]],
    metric: str,
    subject: str,
    part: str,
) -> Iterator[Finding]:
    """The claims about each model, and the controls that its tree must be above for one to hold."""
    for model, parts in models.items():
        for claim, names in claims(model).items():
            if others := rivals(parts, names, metric):
                finding = Finding(model, claim, outcome(overall(others)), against(subject, others))
                yield finding.unless(study.untested(model, part))


def tree_figures(
    study: Study, models: Sequence[str], kind: str, title: str, caption: str
) -> Iterator[Figure | Folded]:
    """The trees of the first model; those of others are folded away."""
    for place, run in enumerate(study.illustrated("trees", models)):
        if trees := [tree for tree in run.figures.trees or () if tree.kind == kind]:
            said = f"{title} of {of_run(run)}, drawn at random, not chosen. {caption}"
            figure = Figure(tree_cards(trees), said, wide=True)
            yield figure if place == 0 else Folded(f"{title} of {shown(run.model)}", [figure])
