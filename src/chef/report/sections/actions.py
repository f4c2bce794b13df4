"""Action words: Table 6 with its controls, and sentence trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.report.against import against, beats, overall
from chef.report.gap import Gap
from chef.report.names import control, counted, of_run, shown
from chef.report.paper import MARK, PAPER
from chef.report.pictures.bars import Bar, bars
from chef.report.pictures.trees import tree_cards
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

TASK = "actions"
METRICS = {"verbs": "Verbs", "percent": "%", "strict_percent": "% strict"}
CHANCE, FIRST = ("random-word", "random-tree"), "first-word"  # the controls


def actions_section(study: Study) -> Section | None:
    """The section, or None where no model has trees over sentences."""
    models = study.able(TASK)
    if not models:
        return None
    return Section(
        TASK,
        "Action words",
        "In a sentence tree the word nearest to the root is read as the most important one. Is it the "
        "action? The paper asks WordNet whether it can be a verb; the strict test also asks a tagger "
        "whether it is one in this sentence. One word a sentence, ties from left to right. Recipe sentences "
        "mostly begin with a verb, so the first word is a control that is hard to beat.",
        [_table(study), _bars(study), *_trees(study)],
        [finding for model in models for finding in _findings(study, model)],
    )


def rivals(parts: Sequence[Part], names: Sequence[str], test: str = "percent") -> dict[str, list[Gap]]:
    """The tree's percent of verbs minus that of each of these controls, one gap for each run."""
    return {
        f"the {control(name)}": [Gap.paired(part["against"][name][test]) for part in parts] for name in names
    }


def _table(study: Study) -> Table:
    parts = [part for model in study.able(TASK) for part in study.parts(model, TASK)]
    splits = [study.split, *(["validation"] if all("validation" in part for part in parts) else [])]
    trees = [Row(shown(model), _row(study.parts(model, TASK), splits)) for model in study.able(TASK)]
    # A control has no training seed: it is taken once.
    controls = [Row(control(name), _row(parts[:1], splits, name), "control") for name in (FIRST, *CHANCE)]
    theirs = [
        Row(shown(model), [cell for split in splits for cell in _paper(figures, split)], "paper")
        for model in study.able(TASK)
        if (figures := PAPER[TASK].get(study.variant(model)))
    ]
    blocks = [Block("Learned trees", trees), Block("Controls", controls)]
    return Table(
        "table-6",
        "Table 6",
        f"Sentences whose chosen word is a verb, of {counted(parts[0]['sentences'], 'sentence')}.",
        [
            Column(label, split.capitalize(), None if metric == "verbs" else "high")
            for split in splits
            for metric, label in METRICS.items()
        ],
        [*blocks, Block(MARK, theirs)] if theirs else blocks,
        [_sentence(study, model) for model in study.able(TASK)],
        stub="Word by",
    )


def _row(parts: Sequence[Part], splits: Sequence[str], name: str = "") -> list[Cell]:
    cells: list[Cell] = []
    for split in splits:
        inside = [part["validation"] if split == "validation" else part for part in parts]
        found = [part["controls"][name] if name else part for part in inside]
        cells += [Value.of(found, metric, 0 if metric == "verbs" else 1) for metric in METRICS]
    return cells


def _paper(figures: Part, split: str) -> list[Cell]:
    cell = figures["val" if split in ("validation", "val") else "test"]
    return [Value((cell["verbs"],), digits=0), Value((cell["percent"],)), None]


def _sentence(study: Study, model: str) -> str:
    parts = study.parts(model, TASK)
    value, strict = (Value.of(parts, metric) for metric in ("percent", "strict_percent"))
    assert value is not None
    assert strict is not None
    found = rivals(parts, (FIRST, *CHANCE))
    return (
        f"In {value.shown} % of the sentences ({strict.shown} % by the strict test) the word nearest to the "
        f"root of {shown(model)} is a verb, which {beats(found)}: "
        f"{against('by the test of the paper it', found)} "
        f"{against('By the strict test it', rivals(parts, (FIRST, *CHANCE), 'strict_percent'))}"
    )


def _findings(study: Study, model: str) -> Iterator[Finding]:
    claims = {
        f"The sentence trees of {shown(model)} find the action word better than chance": CHANCE,
        f"The sentence trees of {shown(model)} find it better than taking the first word": (FIRST,),
    }
    for claim, names in claims.items():
        found = rivals(study.parts(model, TASK), names)
        yield Finding(model, claim, outcome(overall(found)), against("The share of verbs", found))


def _bars(study: Study) -> Figure:
    rows = []
    for model in study.able(TASK):
        if value := Value.of(study.parts(model, TASK), "percent"):
            rows.append(Bar(shown(model), value.mean, value.shown, value.spread, "learned"))
    first = study.parts(study.able(TASK)[0], TASK)[0]
    for name in (FIRST, *CHANCE):
        if value := Value.of([first["controls"][name]], "percent"):
            rows.append(Bar(control(name), value.mean, value.shown, value.spread))
    rows.sort(key=lambda row: -row.value)
    return Figure(
        bars(rows, 100.0), "Sentences whose chosen word is a verb, in percent: learned trees in colour."
    )


def _trees(study: Study) -> Iterator[Figure | Folded]:
    """The first model's sentence trees; those of others are folded away."""
    for place, run in enumerate(study.illustrated("trees", study.able(TASK))):
        entries = [entry for entry in run.figure("trees") if entry["kind"] == "sentence"]
        if entries:
            figure = Figure(
                tree_cards(entries),
                f"Sentence trees of {of_run(run.model, run.seed)}, drawn at random, not chosen. In red: the "
                "words that are used as verbs. The paper would have them nearest to the root.",
                wide=True,
            )
            yield figure if place == 0 else Folded(f"Sentence trees of {shown(run.model)}", [figure])
