"""Tables, before they take a form."""

from __future__ import annotations

from chef.report.table import Block, Column, Row, Table
from chef.report.value import Value


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
