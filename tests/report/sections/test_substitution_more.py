"""The other tables of the substitutions."""

from __future__ import annotations

from chef.report.sections.substitution_more import asked_table, pairs_of, ways_table
from tests.report.made import WAYS
from tests.report.sections.studies import figures, row, study


def test_kept_anew_and_there_and_back():
    made = study(models=("t+t+l",))
    entry = made.runs[0].result["substitution"]["chicken->beef"]
    found = row(ways_table(made, pairs_of(made)), "chicken → beef")
    parts = (entry, entry["reinferred"], entry["two-step"])
    assert figures(found) == [part[way] for part in parts for way in WAYS]


def test_the_queries_of_the_split_stand_apart():
    made = study(models=("t+t+l",))
    entry = made.runs[0].result["substitution"]["chicken->beef"]["test"]
    table = asked_table(made, pairs_of(made))
    assert table is not None
    expected = [40, *(entry[way] for way in WAYS), *(entry["baseline"][way] for way in WAYS)]
    assert figures(row(table, "T+T+L, chicken → beef")) == expected


def test_where_all_queries_are_of_the_split_there_is_no_second_table():
    made = study(models=("t+t+l",))
    for entry in made.runs[0].result["substitution"].values():
        if "test" in entry:
            del entry["test"]
    assert asked_table(made, pairs_of(made)) is None
