"""The paired tests as table and picture."""

from __future__ import annotations

from chef.report.sections.paired import paired_figure, paired_table
from tests.report.sections.studies import row, study


def test_the_table_has_difference_interval_and_p():
    found = paired_table(study(models=("t+t+l", "s+l+l")), "1k")
    assert [block.heading for block in found.blocks] == ["Image to recipe", "Recipe to image"]
    gap, p, _, _ = row(found, "T+T+L − S+L+L")
    assert gap.text == "1.0 [−1.0, 3.0]"
    assert p == "0.010"


def test_several_seeds_have_a_p_each():
    found = paired_table(study(models=("t+t+l", "s+l+l"), seeds=(0, 1)), "full")
    assert row(found, "T+T+L − S+L+L")[1] == "0.010, 0.010"


def test_the_picture_has_every_pair_and_direction():
    assert paired_figure(study(), "1k").html.count("<li") == 6


def test_many_models_are_drawn_against_the_papers_own():
    many = study(models=("t+t+l", "s+l+l", "g+t+l", "g+t+t", "t+l+l", "acme"))
    assert paired_figure(many, "1k").html.count("<li") == 10
    assert paired_figure(many, "1k").html.count("T+T+L") == 10
