"""Tables and their values, before they are formatted."""

import numpy as np
import pytest

from chef.measure.ranks import Scores
from chef.report.table import Block, Column, Row, Table, Value

SCORES = Scores(values={"R@1": 40.0}, ci={"R@1": [38.5, 41.5]})


def table() -> Table:
    """Two models, a control and the paper, two groups of columns."""
    columns = [
        Column("medR", "Ours", "low"),
        Column("R@1", "Ours", "high"),
        Column("R@1", "Paper, on Recipe1M", "high", paper=True),
    ]
    rows = [
        Row("A & B", [Value((2.0, 4.0)), Value((30.0,), (28.0, 32.0)), Value((49.0,))]),
        Row("B_2", [Value((1.5, 1.5)), Value((35.0,)), None]),
        Row("chance", [Value((1.0,)), Value((90.0,)), "n/a"], "control"),
    ]
    return Table("table-x", "Table X", "50 % <of> it.", columns, [Block("Full set", rows)], ["A −1 ± 2."])


def bold(block: Block) -> list[tuple[str, int]]:
    return [
        (row.label, place) for row in block.rows for place in range(3) if table().is_best(block, place, row)
    ]


def test_groups_run_from_left_to_right():
    assert list(table().groups()) == [("Ours", 2, False), ("Paper, on Recipe1M", 1, True)]


def test_the_best_of_several_models_is_found_never_a_control_or_the_paper():
    rows = table().blocks[0].rows
    assert bold(Block("", rows)) == [("B_2", 0), ("B_2", 1)]
    assert bold(Block("", rows[:1])) == []
    assert bold(Block("", [Row(name, [None, None, Value((49.0,))]) for name in "ab"])) == []


def test_several_runs_have_mean_and_sample_sd():
    runs = [40.0, 43.0, 44.5]
    value = Value.of([Scores(values={"R@1": run}) for run in runs], "R@1")
    assert value.mean == pytest.approx(np.mean(runs))
    assert value.sd == pytest.approx(np.std(runs, ddof=1))
    assert value.text == "42.5 ± 2.3"


def test_one_run_has_its_interval_and_none_has_nothing():
    assert Value.of([SCORES], "R@1").text == "40.0 [38.5, 41.5]"
    assert Value.of([SCORES, SCORES], "R@1").ci is None
    assert Value.of([SCORES], "medR") is Value.of([None], "R@1") is Value.of([], "R@1") is None


def test_minus_is_a_minus_and_digits_are_kept():
    assert Value((-0.5,)).text == "−0.5"
    assert Value((1.7500,), digits=2).text == "1.75"
    assert Value((224550.0,), digits=0).text == "224,550"
