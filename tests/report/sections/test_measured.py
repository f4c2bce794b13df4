"""What was measured."""

import pytest

from chef.report.sections.actions import actions_section
from chef.report.sections.main_ingredient import main_ingredient_section
from chef.report.sections.measured import measured_section
from chef.report.sections.pruning import pruning_section
from chef.report.sections.retrieval import retrieval_section
from chef.report.sections.substitution import substitution_section
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


@pytest.mark.parametrize(
    ("section", "model"),
    [(main_ingredient_section, "s+l+l"), (pruning_section, "s+l+l"), (actions_section, "t+l+l")],
)
def test_what_a_model_has_no_trees_for_has_no_section(section, model):
    assert section(study(models=(model,))) is None


def test_what_nobody_measured_has_no_section():
    nothing = {"skipped": {}, "queries-from": "gold", "gallery": {"recipes": 9, "splits": ["test"]}}
    assert substitution_section(study(substitution=nothing)) is None
    assert retrieval_section(Study("k", "test", 9, ())) is None
