"""Tables and their values, before they are formatted."""

from __future__ import annotations

import numpy as np
import pytest

from chef.measure.scores import Scores
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


def bold() -> list[tuple[int, int]]:
    made = table()
    block = made.blocks[0]
    return [
        (line, place)
        for line, row in enumerate(block.rows)
        for place in range(len(made.columns))
        if made.is_best(block, place, row)
    ]


def test_groups_run_from_left_to_right():
    assert list(table().groups()) == [("Ours", 2, False), ("Paper, on Recipe1M", 1, True)]


def test_the_best_model_is_found_in_its_column_never_a_control_or_the_paper():
    assert bold() == [(1, 0), (1, 1)]


def test_a_model_alone_is_not_the_best():
    made = table()
    alone = Block("", made.blocks[0].rows[:1])
    assert not made.is_best(alone, 0, alone.rows[0])


def test_the_papers_best_is_not_ours_to_mark():
    made = table()
    rows = [Row(name, [None, None, Value((figure,))]) for name, figure in (("a", 40.0), ("b", 49.0))]
    block = Block("", rows)
    assert not any(made.is_best(block, 2, one) for one in rows)


def test_several_runs_have_mean_and_sample_sd():
    runs = [40.0, 43.0, 44.5]
    value = Value.of([Scores(values={"R@1": run}) for run in runs], "R@1")
    assert value.mean == pytest.approx(np.mean(runs))
    assert value.sd == pytest.approx(np.std(runs, ddof=1))
    assert value.text == "42.5 ± 2.3"


def test_one_run_has_its_interval():
    value = Value.of([SCORES], "R@1")
    assert value.text == "40.0 [38.5, 41.5]"


def test_the_interval_of_one_run_is_not_that_of_several():
    value = Value.of([SCORES, SCORES], "R@1")
    assert value.ci is None


def test_what_nobody_measured_is_none():
    assert Value.of([SCORES], "medR") is None
    assert Value.of([None], "R@1") is None
    assert Value.of([], "R@1") is None


def test_minus_is_a_minus_and_digits_are_kept():
    assert Value((-0.5,)).text == "−0.5"
    assert Value((1.7500,), digits=2).text == "1.75"
    assert Value((224550.0,), digits=0).text == "224,550"
