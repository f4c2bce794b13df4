"""Action words: Table 6 with its controls, and sentence trees."""

from collections.abc import Mapping, Sequence

from chef.evaluate.results import ActionWords
from chef.report.gap import against, beats
from chef.report.names import MARK, PAPER, control, counted, shown
from chef.report.section import Figure, Section
from chef.report.sections import controls as shared
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table, Value

TASK, PART = "actions", "sentences"
METRICS = ("percent", "strict_percent")
CHANCE, FIRST = ("random-word", "random-tree"), "first-word"  # the controls
CONTROLS = (FIRST, *CHANCE)


def actions_section(study: Study) -> Section | None:
    """The section, or None where no model has trees over sentences."""
    models = {model: [run.actions for run in study.of(model) if run.actions] for model in study.able(TASK)}
    if not models:
        return None
    chart = Figure(
        shared.score_bars(models, CONTROLS, "percent"),
        "Sentences whose chosen word is a verb, in percent: the models' trees in colour.",
    )
    trees = shared.tree_figures(
        study,
        list(models),
        "sentence",
        "Sentence trees",
        "In red: the words that are used as verbs. By the paper's claim they should be nearest to the root.",
    )
    return Section(
        TASK,
        "Action words",
        "In a sentence tree the word nearest to the root is read as the most important one. Is it the "
        "action? The paper asks WordNet whether it can be a verb; the strict test also asks a tagger "
        "whether it is one in this sentence. One word per sentence, ties broken left to right. Recipe "
        "sentences mostly begin with a verb, so the first word is a control that is hard to beat.",
        [
            _table(study, models),
            chart,
            *shared.gold_table("actions-gold", models, {"right": "Right"}),
            *trees,
        ],
        list(shared.findings(study, models, _claims, "percent", "The share of verbs", PART)),
    )


def _claims(model: str) -> dict[str, Sequence[str]]:
    trees = f"The sentence trees of {shown(model)}"
    return {
        f"{trees} find the action word better than chance": CHANCE,
        f"{trees} find it better than taking the first word": (FIRST,),
    }


def _table(study: Study, models: Mapping[str, Sequence[ActionWords]]) -> Table:
    parts = [part for of_model in models.values() for part in of_model]
    splits = shared.splits_of(study, parts)
    trees = [Row(shown(model), _row(of_model, splits)) for model, of_model in models.items()]
    controls = [Row(control(name), _row(shared.once(parts), splits, name), "control") for name in CONTROLS]
    theirs = []
    for model in models:
        if figures := PAPER[TASK].get(study.variant(model)):
            row: list[Cell] = []
            for split in splits:
                cell = figures["val" if split in ("validation", "val") else "test"]
                row += [Value((cell["verbs"],), digits=0), Value((cell["percent"],)), None]
            theirs.append(Row(shown(model), row, "paper"))
    blocks = [Block("Trees of the models", trees), Block("Controls", controls)]
    return Table(
        "table-6",
        "Table 6",
        f"Sentences whose chosen word is a verb, of {counted(parts[0].sentences, 'sentence')}.",
        [
            Column(label, split.capitalize(), None if label == "Verbs" else "high")
            for split in splits
            for label in ("Verbs", "%", "% strict")
        ],
        [*blocks, Block(MARK, theirs)] if theirs else blocks,
        [_sentence(study, model, of_model) for model, of_model in models.items()],
        stub="Word by",
    )


def _row(parts: Sequence[ActionWords], splits: Sequence[str], name: str = "") -> list[Cell]:
    row: list[Cell] = []
    for split in splits:
        inside = shared.of_split(parts, split)
        verbs = tuple(float(part.verbs) for part in inside)
        row += [None if name else Value(verbs, digits=0), *shared.cells(inside, METRICS, name)]
    return row


def _sentence(study: Study, model: str, parts: Sequence[ActionWords]) -> str:
    percent, strict = (Value.of([part.model for part in parts], metric) for metric in METRICS)
    assert percent is not None
    assert strict is not None
    others, strictly = (shared.rivals(parts, CONTROLS, metric) for metric in METRICS)
    return (
        f"In {percent.shown} % of the sentences ({strict.shown} % by the strict test) the word nearest to "
        f"the root of {shown(model)} is a verb, which {beats(others, study.untested(model, PART))}: "
        f"{against('by the test of the paper it', others)} {against('By the strict test it', strictly)}"
    )
