"""Parser health: whether the trees that the other sections judge were learned at all."""

from collections.abc import Sequence

from chef.evaluate.results import TreeHealth
from chef.measure.bootstrap import PairedTest
from chef.report.names import DIRECTIONS, shown
from chef.report.section import Section
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table, Value

TASK = "trees"
PARTS = {"ingredients": "Ingredients", "sentences": "Words of a sentence", "instructions": "Sentences"}
SHARES = {
    "Entropy": "entropy",
    "Scores over noise": "noise_ratio",
    "Agreement": "agreement",
    "By chance": "agreement_by_chance",
    "Left": "left",
    "Right": "right",
}
DIFFERENCES = ("Own − random", "Shuffled − listed")


def trees_section(study: Study) -> Section | None:
    """The section, or None where the health of no parser was measured."""
    if not study.able(TASK):
        return None
    blocks = []
    for part, heading in PARTS.items():
        rows = []
        for model in study.able(TASK):
            runs = [run.trees.parts[part] for run in study.of(model) if run.trees and part in run.trees.parts]
            if runs:
                taught = ", taught" if study.taught(model, part) else ""
                rows.append(Row(shown(model) + taught, _cells(runs)))
        blocks += [Block(heading, rows)] if rows else []
    table = Table(
        "parser-health",
        "Parser health",
        "Entropy: of the choice of merges, over its maximum. Scores over noise: their spread over that of "
        "the Gumbel noise. Agreement: the share of merges that two trees sampled as in training have in "
        "common. Left, right: the share of merges that branch so. Sampled: R@1 of the main ingredient by "
        "mass in sampled trees, in percent. Own − random: R@1 of retrieval with the model's trees less R@1 "
        "with random ones. Shuffled − listed: with every ingredient list in random order less as listed; "
        "both in percentage points.",
        [
            *map(Column, SHARES),
            Column("Sampled"),
            *(Column(label, kind) for kind in DIFFERENCES for label in DIRECTIONS.values()),
            Column("Learned"),
        ],
        blocks,
    )
    return Section(
        TASK,
        "Parser health",
        "What a tree knows can be judged only where the parser that builds it has learned where to merge: "
        "its choice has an entropy of at most 0.9 of the maximum, and sampled trees agree at least a quarter "
        "more often than by chance. All other verdicts on trees read “not tested”.",
        [table],
    )


def _cells(runs: Sequence[TreeHealth]) -> list[Cell]:
    cells: list[Cell] = [
        Value(tuple(getattr(run, name) for run in runs), digits=2) for name in SHARES.values()
    ]
    sampled = tuple(run.sampled for run in runs if run.sampled is not None)
    cells.append(Value(sampled) if sampled else None)
    for tests in ([run.own_minus_random for run in runs], [run.shuffled or {} for run in runs]):
        cells += [_difference([test[way] for test in tests if way in test]) for way in DIRECTIONS]
    learned = sum(run.has_learned for run in runs)
    return [*cells, f"{learned} of {len(runs)}" if len(runs) > 1 else "yes" if learned else "no"]


def _difference(tests: Sequence[PairedTest]) -> Value | None:
    ci = tests[0].ci if len(tests) == 1 else None
    return Value(tuple(test.difference for test in tests), ci) if tests else None
