"""Parser health: whether the trees that the other sections judge were learned at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chef.evaluate.results import Gold, TreeHealth
from chef.measure.bootstrap import PairedTest
from chef.measure.ranks import Scores
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


def trees_section(study: Study) -> Section | None:
    """The section, or None where the health of no parser was measured."""
    blocks = []
    for part, heading in PARTS.items():
        rows = []
        for model in study.able(TASK):
            runs = [run.trees.parts[part] for run in study.of(model) if run.trees and part in run.trees.parts]
            if runs:
                rows.append(Row(shown(model), _cells(runs)))
        blocks += [Block(heading, rows)] if rows else []
    if not blocks:
        return None
    table = Table(
        "parser-health",
        "Parser health",
        "Entropy: of the choice of merges, over its maximum. Scores over noise: their spread over that of "
        "the Gumbel noise. Agreement: the share of merges that two trees sampled as in training have in "
        "common. Left, right: the share of merges that branch so. Sampled: R@1 of the main ingredient by "
        "mass in sampled trees, in percent. Own − random: R@1 of retrieval with the model's trees less R@1 "
        "with random ones, in percentage points.",
        [
            *map(Column, SHARES),
            Column("Sampled"),
            *(Column(label, "Own − random") for label in DIRECTIONS.values()),
            Column("Learned"),
        ],
        blocks,
    )
    return Section(
        TASK,
        "Parser health",
        "What a tree knows can be judged only where the parser that builds it has learned where to merge: "
        "where the entropy of its choice is at most 0.9 of the maximum, and two trees sampled as in training "
        "agree clearly more often than chance would (by a quarter at least). Other verdicts on trees in "
        "this report read “not tested”.",
        [table, *_shuffled(study)],
    )


def _shuffled(study: Study) -> Iterator[Table]:
    """What is left when the order of the ingredient list says nothing."""
    rows, first = [], None
    for model in study.able(TASK):
        runs = [run for run in study.of(model) if run.trees and "ingredients" in run.trees.parts]
        tests = [run.trees.parts["ingredients"].shuffled for run in runs if run.trees]
        golds = [run.main_ingredient.gold for run in runs if run.main_ingredient and run.main_ingredient.gold]
        if any(tests):
            changes = [_change([test[way] for test in tests if test and way in test]) for way in DIRECTIONS]
            rows.append(Row(shown(model), [*changes, *_agreement(golds, lambda gold: gold.model)]))
            first = first or golds[:1]
    if first:
        control = _agreement(first, lambda gold: gold.controls["first-listed"])
        rows.append(Row("first listed", [None, None, *control], "control"))
    if rows:
        yield Table(
            "shuffled",
            "Ingredient lists shuffled",
            "Retrieval: R@1 with every ingredient list in random order less R@1 as listed, in percentage "
            "points. Main ingredient: how often the shallowest leaf is what a cook says, in percent, where "
            "there are labels by hand.",
            [
                *(Column(label, "Change in R@1") for label in DIRECTIONS.values()),
                *(Column(label, kind) for kind in ("Right", "Accepted") for label in ("Listed", "Shuffled")),
            ],
            [Block("", rows)],
        )


def _agreement(golds: Sequence[Gold], scores: Callable[[Gold], Scores]) -> list[Cell]:
    """Right and accepted, as listed and shuffled."""
    columns = (golds, [gold.shuffled for gold in golds if gold.shuffled])
    return [Value.of(map(scores, some), metric) for metric in ("strict", "accepted") for some in columns]


def _change(tests: Sequence[PairedTest]) -> Value | None:
    ci = tests[0].ci if len(tests) == 1 else None
    return Value(tuple(test.difference for test in tests), ci) if tests else None


def _cells(runs: Sequence[TreeHealth]) -> list[Cell]:
    cells: list[Cell] = [
        Value(tuple(getattr(run, name) for run in runs), digits=2) for name in SHARES.values()
    ]
    sampled = tuple(run.sampled for run in runs if run.sampled is not None)
    cells.append(Value(sampled) if sampled else None)
    for way in DIRECTIONS:
        cells.append(_change([run.own_minus_random[way] for run in runs if way in run.own_minus_random]))
    learned = sum(run.has_learned for run in runs)
    return [*cells, f"{learned} of {len(runs)}" if len(runs) > 1 else "yes" if learned else "no"]
