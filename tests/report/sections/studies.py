"""Studies for the tests of the sections, and ways to look into what they say."""

from typing import Any

from chef.evaluate.results import Comparison, ModelResult
from chef.measure.bootstrap import PairedTest
from chef.report.section import Section
from chef.report.study import Study
from chef.report.table import Cell, Table, Value
from chef.typed_json import from_json
from tests.report.made import comparison, paired_test, result

MODELS = ("t+t+l", "s+l+l", "g+l+l-attention")


def study(
    models: tuple[str, ...] = MODELS, seeds: tuple[int, ...] = (0,), n: int = 1200, **changes: Any
) -> Study:
    """Every model with every seed; `changes` are put into every result."""
    runs = [run(result(model, seed, n=n) | changes) for seed in seeds for model in models]
    rows = [
        compared(first, second, seeds=[seed, seed])
        for seed in seeds
        for place, first in enumerate(models)
        for second in models[place + 1 :]
    ]
    return Study("kitchen", "test", n, tuple(runs), tuple(rows))


def run(content: dict[str, Any]) -> ModelResult:
    return from_json(ModelResult, content, "made")


def compared(first: str, second: str, difference: float = 1.0, **changes: Any) -> Comparison:
    return from_json(Comparison, comparison(first, second, difference) | changes, "made")


def paired(difference: float, half: float = 2.0) -> PairedTest:
    return from_json(PairedTest, paired_test(difference, half), "made")


def table(section: Section | None, name: str) -> Table:
    assert section is not None
    (one,) = [one for one in section.tables if one.name == name]
    return one


def row(of: Table, label: str, block: int = 0) -> list[Cell]:
    (cells,) = [list(one.cells) for one in of.blocks[block].rows if one.label == label]
    return cells


def figures(cells: list[Cell]) -> list[float]:
    """The means of a row; None and text are left out."""
    return [cell.mean for cell in cells if isinstance(cell, Value)]
