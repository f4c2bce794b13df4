"""More of the substitutions: trees inferred anew, A to B and back to A, the queries of one split."""

from __future__ import annotations

from collections.abc import Sequence

from chef.report.names import shown
from chef.report.study import Part, Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

TASK = "substitution"
WAYS = {"recipe-to-image": "R-2-I", "recipe-to-recipe": "R-2-R"}
KINDS = {"": "Trees kept", "reinferred": "Trees inferred anew", "two-step": "There and back"}


def pairs_of(study: Study) -> list[str]:
    """The pairs that some run has, in the order of the result."""
    parts = [part for model in study.able(TASK) for part in study.parts(model, TASK)]
    return list(dict.fromkeys(name for part in parts for name in part if "->" in name))


def entries(study: Study, model: str, pair: str, inside: str = "") -> list[Part]:
    """What each run of a model says about a pair, or what is inside of that under a name."""
    found = [part[pair] for part in study.parts(model, TASK) if pair in part]
    return [entry[inside] for entry in found if inside in entry] if inside else found


def ways_table(study: Study, pairs: Sequence[str]) -> Table:
    """For each model and pair: as in the tables before, with the trees inferred anew, and A → B → A."""
    blocks = []
    for model in study.able(TASK):
        rows = []
        for pair in pairs:
            cells: list[Cell] = [
                Value.of(entries(study, model, pair, kind), way) for kind in KINDS for way in WAYS
            ]
            rows.append(Row(pair.replace("->", " → "), cells))
        blocks.append(Block(shown(model), rows))
    return Table(
        "substitution-ways",
        "Other ways to substitute",
        "Success in percent. There and back: the dish found for B is changed to A in its turn and must find "
        "A again.",
        [Column(label, kind) for kind in KINDS.values() for label in WAYS.values()],
        blocks,
        stub="Pair",
    )


def asked_table(study: Study, pairs: Sequence[str]) -> Table | None:
    """The queries of the split asked for, where the gallery is all splits and the rates mix them."""
    rows = []
    for model in study.able(TASK):
        for pair in pairs:
            if apart := entries(study, model, pair, study.split):
                cells: list[Cell] = [Value.of(apart, "queries", 0)]
                cells += [Value.of(apart, way) for way in WAYS]
                cells += [Value.of([entry["baseline"] for entry in apart], way) for way in WAYS]
                rows.append(Row(f"{shown(model)}, {pair.replace('->', ' → ')}", cells))
    if not rows:
        return None
    columns = [Column(label, group) for group in ("Replaced", "Unchanged") for label in WAYS.values()]
    return Table(
        "substitution-asked",
        f"Substitution, {study.split} queries",
        "The tables before ask recipes of all splits, some of which the models saw in training. Here are "
        f"those of the {study.split} split alone.",
        [Column("Queries"), *columns],
        [Block("", rows)],
        stub="Model and pair",
    )
