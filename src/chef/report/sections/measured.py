"""What was measured: data, models, seeds, populations, and how to read the rest."""

from collections.abc import Iterator, Sequence

from chef.evaluate.results import ModelResult
from chef.report.names import counted, data_name, listed, shown
from chef.report.section import Section
from chef.report.study import Study
from chef.report.table import Block, Column, Row, Table

TASKS = {
    "retrieval": "retrieval",
    "main-ingredient": "main ingredient",
    "pruning": "pruning",
    "substitution": "substitution",
    "actions": "action words",
    "trees": "parser health",
}


def measured_section(study: Study) -> Section:
    """The first section of a study."""
    populations = Table(
        "populations",
        "Populations",
        "Chosen before any model ran, the same for all of them.",
        [Column("Size"), Column("Which")],
        [Block("", [Row(label, [size, note]) for label, size, note in _sizes(study)])],
        stub="Of",
    )
    return Section(
        "measured",
        "What was measured",
        f"{counted(len(study.models), 'model')} in {counted(len(study.runs), 'run')} on the {study.split} "
        f"split of {data_name(study.data)}. Figures over several training seeds are means with standard "
        "deviations (±); figures of a single run are shown with their 95 % bootstrap interval. Bold marks "
        "the best of a column, which need not be a significant difference: only the paired tests show that. "
        "The paper's figures were measured on Recipe1M, which is different data, and have a tinted "
        "background.",
        [_models(study), populations],
    )


def _models(study: Study) -> Table:
    rows = []
    for model in study.models:
        runs = study.of(model)
        towers = list(dict.fromkeys(run.about.tower for run in runs if run.about.tower))
        done = [label for task, label in TASKS.items() if any(run.did(task) for run in runs)]
        tower = listed(towers) if towers else None
        seeds = [str(run.about.seed) for run in runs if run.about.seed is not None]
        if len(seeds) < len(runs):
            seeds.append(f"{len(runs) - len(seeds)} not known")
        measured = listed(done) if done else "nothing"
        rows.append(Row(shown(model), [", ".join(seeds), tower, measured, _skipped(runs)]))
    columns = [Column(label) for label in ("Training seeds", "Image tower", "Measured on", "Not measured on")]
    return Table(
        "models", "Models", "Every model, and the tasks it was measured on.", columns, [Block("", rows)]
    )


def _skipped(runs: Sequence[ModelResult]) -> str:
    """Why a task is missing; skipped pairs of the substitutions are named in that section."""
    reasons = {
        TASKS.get(task, task): why
        for run in runs
        for task, why in run.skipped.items()
        if isinstance(why, str)
    }
    return "; ".join(f"{task}: {why}" for task, why in reasons.items())


def _sizes(study: Study) -> Iterator[tuple[str, str, str]]:
    runs = [run for model in study.models for run in study.of(model)]
    if study.n is not None:
        left = [f"{count:,} left out: {why}" for why, count in study.runs[0].left_out.items()]
        yield "the split", counted(study.n, "recipe"), "; ".join(["those with a photo", *left])
    if main := next((run.main_ingredient for run in runs if run.main_ingredient), None):
        note = "those where 90 % of the lines have a mass and one ingredient is the heaviest"
        yield "main ingredient", counted(main.n, "recipe"), note
    if swaps := next((run.substitution for run in runs if run.substitution), None):
        asked = sum(pair.rates.queries for pair in swaps.pairs.values())
        gallery = (
            f"over {counted(len(swaps.pairs), 'pair')}; gallery of {counted(swaps.gallery.recipes, 'recipe')}"
        )
        yield "substitution", counted(asked, "query", "queries"), gallery
    if actions := next((run.actions for run in runs if run.actions), None):
        yield "action words", counted(actions.sentences, "sentence"), "all sentences of the instructions"
