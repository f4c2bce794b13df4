"""The main-ingredient section."""

import pytest

from chef.report.section import Folded
from chef.report.sections.main_ingredient import main_ingredient_section
from chef.report.study import Study
from tests.report.sections.studies import figures, paired, row, study, table

METRICS = ("medR", "R@1", "R@2", "R@3")


def with_gaps(**differences: float) -> Study:
    """T+T+L whose R@1 is so far from each control, plus and minus 2."""
    made = study(models=("t+t+l",))
    against = made.runs[0].main_ingredient.against
    for name in against:
        against[name] = {"R@1": paired(differences.get(name.replace("-", "_"), 10.0))}
    return made


def outcomes(made: Study) -> list[str]:
    return [finding.outcome for finding in main_ingredient_section(made).findings]


def test_controls_and_the_paper_stand_in_the_same_table_on_both_splits():
    made = study(models=("t+t+l", "s+l+l"))
    shown = table(main_ingredient_section(made), "table-2")
    part = made.runs[0].main_ingredient
    splits = [part, part.validation]
    assert [column.group for column in shown.columns] == ["Test"] * 4 + ["Validation"] * 4
    assert figures(row(shown, "T+T+L")) == [split.model[m] for split in splits for m in METRICS]
    labels = {"random": "random tree", "first-listed": "first listed", "attention": "attention"}
    for name, label in labels.items():
        assert figures(row(shown, label, 1)) == [split.controls[name][m] for split in splits for m in METRICS]
    block = shown.blocks[-1]
    assert block.heading.startswith("Paper, on Recipe1M")
    assert {one.kind for one in block.rows} == {"paper"}
    assert figures(row(shown, "Tree-LSTM", -1)) == [1.0, 47.0, 78.9, 95.5, 1.0, 47.3, 79.7, 95.5]


@pytest.mark.parametrize(
    ("gaps", "words", "shown"),
    [
        ({}, "beats every control", ["holds", "holds", "holds"]),
        ({"first_listed": -5.0}, "does not beat every control", ["holds", "does not hold", "holds"]),
        ({"random": 1.0}, "is not shown to beat every control", ["not settled", "holds", "holds"]),
        ({"attention": -1.0}, "is not shown to beat every control", ["holds", "holds", "not settled"]),
    ],
)
def test_only_what_the_intervals_allow_is_said(gaps, words, shown):
    made = with_gaps(**gaps)
    (said,) = table(main_ingredient_section(made), "table-2").says
    assert words in said
    assert outcomes(made) == shown


def test_one_run_that_disagrees_leaves_the_claim_open():
    made = study(models=("t+t+l",), seeds=(0, 1, 2))
    for run in made.runs:
        gap = {"R@1": paired(10.0 if run.about.seed else 1.0)}
        run.main_ingredient.against = {"random": gap, "balanced": gap}
    assert outcomes(made) == ["not settled"]


def test_controls_have_no_seed():
    made = study(models=("t+t+l",), seeds=(0, 1))
    shown = table(main_ingredient_section(made), "table-2")
    assert len(row(shown, "T+T+L")[1].values) == 2
    assert len(row(shown, "random tree", 1)[1].values) == 1


def test_the_papers_score_and_the_lists_without_water_stand_apart():
    made = study(models=("t+t+l", "s+l+l"), seeds=(0, 1))
    section = main_ingredient_section(made)
    gap = table(section, "table-2-depth-gap")
    assert [(one.label, one.kind) for one in gap.blocks[0].rows] == [
        ("T+T+L", "model"),
        ("balanced tree", "control"),
    ]
    assert figures(row(gap, "balanced tree")) == [1, 60, 80, 90]
    dry = table(section, "table-2-without-water")
    means = [one.main_ingredient.without_water.model["R@1"] for one in made.of("t+t+l")]
    assert row(dry, "T+T+L")[1].values == tuple(means)


def test_forty_shallowest_and_ten_deepest_are_drawn():
    section = main_ingredient_section(study(models=("t+t+l",)))
    (bars,) = [block for block in section.blocks if 'class="shallow"' in getattr(block, "html", "")]
    assert bars.html.count('class="shallow"') == 40
    assert bars.html.count('class="deep"') == 10
    assert "food 0<" in bars.html
    assert "food 59<" in bars.html
    assert "food 45<" not in bars.html


def test_trees_of_the_first_model_are_open_and_others_folded():
    section = main_ingredient_section(study(models=("t+t+l", "t+l+l")))
    assert sum("treecard" in getattr(block, "html", "") for block in section.blocks) == 1
    assert any(isinstance(block, Folded) and "T+L+L" in block.summary for block in section.blocks)
