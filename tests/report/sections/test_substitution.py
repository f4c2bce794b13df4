"""The substitution section."""

from __future__ import annotations

import numpy as np
import pytest

from chef.report.paper import PAPER
from chef.report.sections.substitution import gains, median_ranks, substitution_section
from chef.report.study import Study
from tests.report.made import WAYS, paired_test
from tests.report.sections.studies import figures, row, study, table


def test_rates_baseline_and_the_papers_rows_stand_apart():
    made = study(models=("t+t+l", "s+l+l"))
    found = table(substitution_section(made), "substitution-chicken")
    assert [block.heading for block in found.blocks] == [
        "Chicken replaced",
        "Baseline: left unchanged",
        "Paper, on Recipe1M",
    ]
    part = made.runs[0].result["substitution"]
    pairs = ("chicken->beef", "chicken->pork")
    assert figures(row(found, "T+T+L"))[:4] == [part[pair][way] for pair in pairs for way in WAYS]
    assert figures(row(found, "T+T+L", 1)) == [part[pair]["baseline"][way] for pair in pairs for way in WAYS]
    theirs = PAPER["substitution"]["t+t+l"]
    assert figures(row(found, "T+T+L", 2)) == [theirs[pair][way] for pair in pairs for way in WAYS] + [3.5]


def test_ingredients_that_the_paper_has_not_replaced_have_no_figures_of_it():
    found = table(substitution_section(study()), "substitution-fish")
    assert found.title == "From fish"
    assert len(found.blocks) == 2


def test_median_rank_orders_the_models():
    made = study(models=("t+t+l", "s+l+l"))
    ranks = median_ranks(made)["chicken"]
    rates = [
        [run.result["substitution"][pair][way] for run in made.runs]
        for pair in ("chicken->beef", "chicken->pork")
        for way in WAYS
    ]
    wins = [1 if first > second else 2 for first, second in rates]
    assert ranks["t+t+l"] == np.median(wins)


def test_one_model_has_no_rank():
    made = study(models=("t+t+l",))
    assert median_ranks(made) == {}
    found = table(substitution_section(made), "substitution-chicken")
    assert row(found, "T+T+L")[-1] is None
    assert not any("median rank" in said for said in found.says)


def change_gains(made: Study, difference: float, pairs: tuple[str, ...]) -> None:
    for run in made.runs:
        for pair in pairs:
            run.result["substitution"][pair]["gain"] = {way: paired_test(difference) for way in WAYS}


def test_gains_are_counted_column_by_column():
    made = study(models=("t+t+l",))
    change_gains(made, -9.0, ("chicken->beef",))
    change_gains(made, 1.0, ("chicken->pork",))
    assert (
        gains(made, "t+t+l", ["chicken->beef", "chicken->pork", "pork->beef"])
        == ["below"] * 2 + ["open"] * 2 + ["above"] * 2
    )
    said = table(substitution_section(made), "substitution-chicken").says[0]
    assert "T+T+L in 0 of 4 columns (behind in 2, not told apart in 2)" in said


@pytest.mark.parametrize(
    ("difference", "outcome"), [(9.0, "holds"), (1.0, "not settled"), (-9.0, "does not hold")]
)
def test_the_swap_must_beat_the_unchanged_recipe(difference, outcome):
    made = study(models=("t+t+l",))
    change_gains(
        made, difference, tuple(pair for pair in made.runs[0].result["substitution"] if "->" in pair)
    )
    section = substitution_section(made)
    assert section is not None
    assert [finding.outcome for finding in section.findings] == [outcome]


def test_what_was_left_out_and_where_was_searched_is_said():
    section = substitution_section(study())
    assert section is not None
    assert "apple → fish (3 queries, 20 are needed)" in section.lead
    assert "The gallery is 1,200 recipes (test and train)." in section.lead
    assert "by the tree of T+T+L" in section.lead


def test_galleries_are_of_the_tree_model_and_the_first_pairs_are_open():
    section = substitution_section(study())
    assert section is not None
    open_ones = [block for block in section.blocks if 'class="swaps"' in getattr(block, "html", "")]
    assert len(open_ones) == 2
    assert all(block.caption.startswith("T+T+L (training seed 0)") for block in open_ones)


def test_nothing_substituted_no_section():
    assert substitution_section(study(substitution={"skipped": {}, "queries-from": "gold"})) is None
