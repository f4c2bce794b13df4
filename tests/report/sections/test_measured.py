"""What was measured."""

from __future__ import annotations

from chef.report.sections.measured import measured_section
from chef.report.study import Study
from tests.report.sections.studies import row, run, study, table


def test_models_seeds_and_what_they_cannot_do():
    shown = table(measured_section(study(models=("t+t+l", "s+l+l"), seeds=(0, 1, 2))), "models")
    seeds, tower, done, left = row(shown, "S+L+L")
    assert (seeds, tower, done) == ("0, 1, 2", "small-cnn", "retrieval and substitution")
    assert "main ingredient: s+l+l reads the ingredients without a tree" in str(left)


def test_seeds_that_nobody_wrote_down_are_counted():
    runs = [
        run({"model": "a", "data": "k", "split": "test", "about": {"seed": seed}}) for seed in (None, None, 3)
    ]
    shown = table(measured_section(Study("k", "test", None, tuple(runs))), "models")
    assert row(shown, "a")[0] == "3, 2 not known"


def test_pairs_left_out_of_the_substitutions_are_told_there():
    skipped = {"substitution": {"fish->apple": "2 queries"}}
    shown = table(measured_section(study(models=("s+l+l",), skipped=skipped)), "models")
    assert row(shown, "S+L+L")[-1] == ""


def test_populations():
    shown = table(measured_section(study()), "populations")
    assert row(shown, "the split") == ["1,200 recipes", "those with a photo; 3 left out: no photo"]
    assert row(shown, "main ingredient")[0] == "400 recipes"
    assert row(shown, "substitution") == ["200 queries", "over 5 pairs; gallery of 1,200 recipes"]
    assert row(shown, "action words")[0] == "5,000 sentences"
