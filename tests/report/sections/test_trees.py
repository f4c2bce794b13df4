"""Parser health, and what it makes of the verdicts on trees."""

import pytest

from chef.report.page import SECTIONS
from chef.report.sections.trees import trees_section
from tests.report.made import health
from tests.report.sections.studies import figures, row, study, table

LEARNED = {"ingredients": health(), "sentences": health()}
IDLE = {"ingredients": health(1.0, 0.31), "sentences": health(1.0, 0.31)}


def findings(made):
    sections = [section for make in SECTIONS if (section := make(made))]
    return [finding for section in sections for finding in section.findings], [
        said for section in sections for one in section.tables for said in one.says
    ]


def test_every_model_and_kind_of_tree_has_a_row_with_all_figures():
    made = study(
        models=("t+t+l", "s+l+l"), trees={"ingredients": health(shuffled=-1.0), "sentences": health(0.95)}
    )
    shown = table(trees_section(made), "parser-health")
    assert [block.heading for block in shown.blocks] == ["Ingredients", "Words of a sentence"]
    cells = row(shown, "T+T+L")
    assert figures(cells) == [0.5, 2.0, 0.6, 0.3, 0.2, 0.7, 33.0, 3.0, 3.0, -1.0, -1.0]
    assert [cell.text for cell in cells[-5:-1]] == ["3.0 [1.0, 5.0]"] * 2 + ["−1.0 [−3.0, 1.0]"] * 2
    assert row(shown, "T+T+L", 1)[-3:-1] == [None, None]
    assert [row(shown, "T+T+L", block)[-1] for block in (0, 1)] == ["yes", "no"]


def test_several_runs_are_averaged_and_those_that_learned_counted():
    made = study(models=("t+t+l",), seeds=(0, 1, 2))
    made.runs[2].trees.parts["ingredients"].entropy = 0.98
    assert row(table(trees_section(made), "parser-health"), "T+T+L")[-1] == "2 of 3"
    assert "in 1 of 3 runs (entropy 0.98" in made.untested("t+t+l", "ingredients")
    assert made.untested("t+t+l", "sentences") is None


@pytest.mark.parametrize(
    ("trees", "why"), [(None, "parser health was not measured"), (IDLE, "the parser has not learned")]
)
def test_no_verdict_on_trees_without_a_parser_that_has_learned(trees, why):
    made = study(models=("t+t+l", "s+l+l"))
    tested, _ = findings(made)
    assert tested
    assert not {"not tested"} & {one.outcome for one in tested}
    changed = study(models=("t+t+l", "s+l+l"), **({"trees": trees} if trees else {}))
    if trees is None:
        for run in changed.runs:
            run.trees = None
    found, says = findings(changed)
    assert [one.claim for one in found] == [one.claim for one in tested]
    for one in found:
        assert one.outcome == "not tested"
        assert why in one.evidence
    assert not any(words in said for said in says for words in ("every control", "better than chance"))
    assert sum(why in said for said in says) >= 4


def test_each_claim_rests_on_the_trees_that_it_names():
    made = study(models=("t+t+l",), trees={**LEARNED, "sentences": IDLE["sentences"]})
    untested = [one.claim for one in findings(made)[0] if one.outcome == "not tested"]
    assert untested
    assert all("sentence trees" in claim for claim in untested)
    for run in made.runs:
        run.substitution.queries_from = "gold"
        run.trees.parts["ingredients"].entropy = 1.0
    (swap,) = [one for one in findings(made)[0] if "main ingredient swapped" in one.claim]
    assert swap.outcome == "holds"


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [("main-ingredient-gold", "first listed", [47, 47, 19, 19]), ("actions-gold", "first verb", [88])],
)
def test_labels_by_hand_stand_beside_their_controls(name, label, expected):
    sections = [section for make in SECTIONS if (section := make(study(models=("t+t+l",))))]
    (shown,) = [one for section in sections for one in section.tables if one.name == name]
    assert figures(row(shown, label, 1)) == expected
    assert row(shown, "T+T+L")[0].ci is not None
    assert "90 labels" in shown.caption


def test_trees_that_labels_taught_do_not_test_the_paper():
    made = study(models=("t+t+l",))
    made.runs[0].about.settings["action_weight"] = 0.5
    untested = {one.claim: one.evidence for one in findings(made)[0] if one.outcome == "not tested"}
    assert len(untested) == 2
    assert all("sentence trees" in claim and "taught by labels" in untested[claim] for claim in untested)
    shown = table(trees_section(made), "parser-health")
    assert [block.rows[0].label for block in shown.blocks] == ["T+T+L", "T+T+L, taught"]
