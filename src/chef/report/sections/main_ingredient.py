"""Main ingredient: Table 2 with its controls, the depth bars, the trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.report.against import Rivals, against, beats, overall
from chef.report.gap import Gap
from chef.report.names import control, counted, listed, of_run, shown
from chef.report.paper import MARK, PAPER
from chef.report.pictures.bars import Bar, bars
from chef.report.pictures.trees import tree_cards
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

TASK = "main-ingredient"
METRICS = ("medR", "R@1", "R@2", "R@3")
CHANCE = ("random", "balanced")  # trees that say nothing
ORDER = ("left", "right", "first-listed")  # the order of the list, told in three ways
CONTROLS = (*CHANCE, *ORDER, "attention")
SHALLOWEST, DEEPEST = 40, 10  # of the paper's figure


def main_ingredient_section(study: Study) -> Section | None:
    """The section, or None where no model has trees over ingredients."""
    models = study.able(TASK)
    if not models:
        return None
    blocks: list[Shown] = [_table(study), _bars(study), *_without_water(study)]
    return Section(
        TASK,
        "Main ingredient",
        "The leaf nearest to the root of a learned tree is read as the most important one. Gold is the "
        "ingredient with the largest mass. Leaves at one depth share their places, so a tree that puts "
        "everything at the same depth is only as good as chance. The controls are trees that learned "
        "nothing, and the order of the list.",
        [*blocks, *_depths(study), *_trees(study)],
        [finding for model in models for finding in _findings(study, model)],
    )


def rivals(parts: Sequence[Part], names: Sequence[str]) -> dict[str, list[Gap]]:
    """R@1 of the tree minus that of each of these controls, one gap for each run."""
    return {
        f"the {control(name)}" if name != "attention" else "attention": [
            Gap.paired(part["against"][name]["R@1"]) for part in parts
        ]
        for name in names
        if all(name in part["against"] for part in parts)
    }


def _table(study: Study) -> Table:
    splits = [study.split, *(["validation"] if _parts(study, "validation") else [])]
    blocks = [Block("Learned trees", [Row(shown(m), _row(study, splits, m)) for m in study.able(TASK)])]
    controls = [Row(control(name), _row(study, splits, None, name), "control") for name in CONTROLS]
    blocks.append(Block("Controls", [row for row in controls if any(row.cells)]))
    theirs = [
        Row(
            label,
            [Value((PAPER[TASK][key][_theirs(split)][metric],)) for split in splits for metric in METRICS],
        )
        for label, key in (("Tree-LSTM", "tree"), ("Attention", "attention"))
    ]
    theirs = [Row(row.label, row.cells, "paper") for row in theirs]
    return Table(
        "table-2",
        "Table 2",
        f"Where the heaviest ingredient stands, shallowest first, over the "
        f"{counted(_parts(study)[0]['n'], 'recipe')} whose masses are known.",
        [
            Column(metric, split.capitalize(), "low" if metric == "medR" else "high")
            for split in splits
            for metric in METRICS
        ],
        [*blocks, Block(f"{MARK}, where ties cost nothing", theirs)],
        [_sentence(study, model) for model in study.able(TASK)],
        stub="Order by",
    )


def _theirs(split: str) -> str:
    return "val" if split in ("validation", "val") else "test"


def _parts(study: Study, inside: str = "") -> list[Part]:
    """The parts of all models; those of another split or without water are inside them."""
    parts = [part for model in study.able(TASK) for part in study.parts(model, TASK)]
    return [part[inside] for part in parts if inside in part] if inside else parts


def _row(study: Study, splits: Sequence[str], model: str | None, name: str = "") -> list[Cell]:
    """The figures of a model's tree or, with a control's name, of a control, which all models share."""
    cells: list[Cell] = []
    parts = study.parts(model, TASK) if model else _shared(_parts(study))
    for split in splits:
        inside = [part["validation"] if split == "validation" else part for part in parts]
        found = [part["controls"].get(name, {}) if name else part["model"] for part in inside]
        cells += [Value.of(found, metric) for metric in METRICS]
    return cells


def _shared(parts: Sequence[Part]) -> list[Part]:
    """A control has no training seed: it is taken once, from the part that has most of them."""
    return sorted(parts, key=lambda part: -len(part["controls"]))[:1]


def _sentence(study: Study, model: str) -> str:
    parts = study.parts(model, TASK)
    value = Value.of([part["model"] for part in parts], "R@1")
    assert value is not None
    found = rivals(parts, CONTROLS)
    return (
        f"{shown(model)} puts the heaviest ingredient nearest to the root in {value.shown} % of the recipes "
        f"and {beats(found)}: {against('in R@1 it', found)}"
    )


def _findings(study: Study, model: str) -> Iterator[Finding]:
    claims = {
        f"The tree of {shown(model)} finds the main ingredient better than trees that say nothing": CHANCE,
        f"The tree of {shown(model)} finds it better than the order of the list alone": ORDER,
        f"The tree of {shown(model)} finds it better than attention does": ("attention",),
    }
    for claim, names in claims.items():
        found: Rivals = rivals(study.parts(model, TASK), names)
        if found:
            yield Finding(model, claim, outcome(overall(found)), against("In R@1 it", found))


def _bars(study: Study) -> Figure:
    rows = [
        Bar(shown(model), value.mean, value.shown, value.spread, "learned")
        for model in study.able(TASK)
        if (value := Value.of([part["model"] for part in study.parts(model, TASK)], "R@1"))
    ]
    for name in CONTROLS:
        cells = [part["controls"].get(name, {}) for part in _shared(_parts(study))]
        if value := Value.of(cells, "R@1"):
            rows.append(Bar(control(name), value.mean, value.shown, value.spread))
    rows.sort(key=lambda row: -row.value)
    return Figure(bars(rows, 100.0), "R@1 in percent: learned trees in colour, everything else in grey.")


def _without_water(study: Study) -> Iterator[Folded]:
    parts = _parts(study, "without-water")
    if not parts:
        return
    rows = []
    for model in study.able(TASK):
        dry = [part["without-water"]["model"] for part in study.parts(model, TASK)]
        rows.append(Row(shown(model), [Value.of(dry, metric) for metric in METRICS]))
    controls = _shared(parts)[0]["controls"]
    for name in CONTROLS:
        if name in controls:
            cells = [Value.of([controls[name]], metric) for metric in METRICS]
            rows.append(Row(control(name), cells, "control"))
    table = Table(
        "table-2-without-water",
        "Table 2 without water",
        f"As Table 2, where water is neither gold nor a candidate, over {counted(parts[0]['n'], 'recipe')}.",
        [Column(metric, "", "low" if metric == "medR" else "high") for metric in METRICS],
        [Block("", rows)],
        stub="Order by",
    )
    yield Folded("The same without water", [table])


def _depths(study: Study) -> Iterator[Figure | Folded]:
    """The first model's bars; those of others are folded away."""
    for place, run in enumerate(study.illustrated("depths", study.able(TASK))):
        rows = run.figure("depths")
        shallow, deep = rows[:SHALLOWEST], rows[SHALLOWEST:][-DEEPEST:]
        drawn = [_bar(row, "shallow") for row in shallow] + [_bar(row, "deep") for row in deep]
        ends = [f"{len(shallow)} shallowest (blue)"] + ([f"{len(deep)} deepest (green)"] if deep else [])
        figure = Figure(
            bars(drawn, max(bar.value for bar in drawn), columns=3),
            f"Average depth in the trees of {of_run(run.model, run.seed)}: the {listed(ends)} of "
            f"{counted(len(rows), 'ingredient')}. Short lists make shallow trees, whatever is in them.",
            wide=True,
        )
        yield figure if place == 0 else Folded(f"Depths of {shown(run.model)}", [figure])


def _bar(row: Part, kind: str) -> Bar:
    return Bar(row["ingredient"].replace("_", " "), row["depth"], f"{row['depth']:.1f}", kind=kind)


def _trees(study: Study) -> Iterator[Figure | Folded]:
    """The first model's trees; those of others are folded away."""
    for place, run in enumerate(study.illustrated("trees", study.able(TASK))):
        entries = [entry for entry in run.figure("trees") if entry["kind"] == "ingredients"]
        if entries:
            figure = Figure(
                tree_cards(entries),
                f"Ingredient trees of {of_run(run.model, run.seed)}, drawn at random, not chosen. The leaves "
                "stand in the order of the list, a node's number tells when it was merged. In red: the main "
                "ingredient by mass, where it is known.",
                wide=True,
            )
            yield figure if place == 0 else Folded(f"Ingredient trees of {shown(run.model)}", [figure])
