"""What was measured: data, models, seeds, populations, and how to read the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.report.names import counted, data_name, listed, shown
from chef.report.section import Section
from chef.report.study import Run, Study
from chef.report.table import Block, Column, Row, Table

TASKS = {
    "retrieval": "retrieval",
    "main-ingredient": "main ingredient",
    "pruning": "pruning",
    "substitution": "substitution",
    "actions": "action words",
}


def measured_section(study: Study) -> Section:
    """The first section of a study."""
    return Section(
        "measured",
        "What was measured",
        f"{counted(len(study.models), 'model')} in {counted(len(study.runs), 'run')} on the {study.split} "
        f"split of {data_name(study.data)}. Figures of several training seeds are means with their standard "
        "deviation (±); figures of one run stand over their 95 % bootstrap interval. Bold is the best of a "
        "column, which is not yet a difference: only the paired tests speak of that. Figures of the paper "
        "were measured on Recipe1M, which is other data, and stand on tinted ground.",
        [_models(study), _populations(study)],
    )


def _models(study: Study) -> Table:
    rows = []
    for model in study.models:
        runs = study.of(model)
        done = [label for task, label in TASKS.items() if study.parts(model, task)]
        cells = [_seeds(runs), _about(runs, "tower"), listed(done) if done else "nothing", _skipped(runs)]
        rows.append(Row(shown(model), cells))
    columns = [Column(label) for label in ("Training seeds", "Image tower", "Measured on", "Not measured on")]
    return Table("models", "Models", "Every model, and what it could be asked.", columns, [Block("", rows)])


def _seeds(runs: Sequence[Run]) -> str:
    known = [str(run.seed) for run in runs if run.seed is not None]
    unknown = len(runs) - len(known)
    return ", ".join(known + ([f"{unknown} not known"] if unknown else []))


def _about(runs: Sequence[Run], name: str) -> str | None:
    found = [str(run.result["about"][name]) for run in runs if run.result.get("about", {}).get(name)]
    return listed(list(dict.fromkeys(found))) if found else None


def _skipped(runs: Sequence[Run]) -> str:
    """Why a task is missing; single pairs of the substitutions are named there."""
    reasons = {
        TASKS.get(task, task): why
        for run in runs
        for task, why in run.result.get("skipped", {}).items()
        if isinstance(why, str)
    }
    return "; ".join(f"{task}: {why}" for task, why in reasons.items())


def _populations(study: Study) -> Table:
    rows = [Row(label, [size, note]) for label, size, note in _sizes(study)]
    columns = [Column("Size"), Column("Which")]
    return Table(
        "populations",
        "Populations",
        "Chosen before any model ran, the same for all of them.",
        columns,
        [Block("", rows)],
        stub="Of",
    )


def _sizes(study: Study) -> Iterator[tuple[str, str, str]]:
    first = study.runs[0].result
    if study.n is not None:
        left = [f"{count:,} left out: {why}" for why, count in first.get("left_out", {}).items()]
        yield "the split", counted(study.n, "recipe"), "; ".join(["those with a photo", *left])
    tasks = {task: study.parts(study.able(task)[0], task)[0] for task in TASKS if study.able(task)}
    if part := tasks.get("main-ingredient"):
        note = "those where nine in ten lines have a mass and one ingredient is heaviest"
        yield "main ingredient", counted(part["n"], "recipe"), note
    if part := tasks.get("substitution"):
        pairs = [entry for pair, entry in part.items() if "->" in pair]
        asked = sum(entry["queries"] for entry in pairs)
        gallery = (
            f"over {counted(len(pairs), 'pair')}; gallery of {counted(part['gallery']['recipes'], 'recipe')}"
        )
        yield "substitution", counted(asked, "query", "queries"), gallery
    if part := tasks.get("actions"):
        yield "action words", counted(part["sentences"], "sentence"), "all sentences of the instructions"
