"""Tables as CSV."""

from __future__ import annotations

import csv
import io

from chef.report.table_csv import table_csv
from tests.report.test_table import table


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table_csv(table()))))


def test_spread_has_columns_of_its_own():
    first = rows()[0]
    assert (first["block"], first["kind"]) == ("Full set", "model")
    assert (first["Ours: medR"], first["Ours: medR sd"]) == ("3", "1.4142")
    assert first["Ours: medR runs"] == "2 4"
    assert (first["Ours: R@1"], first["Ours: R@1 low"], first["Ours: R@1 high"]) == ("30", "28", "32")


def test_columns_that_nobody_fills_are_not_there():
    assert "Ours: medR low" not in rows()[0]
    assert "Paper, on Recipe1M: R@1 sd" not in rows()[0]


def test_none_is_empty_and_text_is_text():
    assert rows()[1]["Paper, on Recipe1M: R@1"] == ""
    assert rows()[2]["Paper, on Recipe1M: R@1"] == "n/a"
    assert [row["model"] for row in rows()] == ["A & B", "B_2", "chance"]
