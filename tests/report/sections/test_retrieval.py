"""The retrieval section."""

from statistics import fmean

import pytest

from chef.report.gap import Gap
from chef.report.names import PAPER
from chef.report.section import Figure, Folded
from chef.report.sections.retrieval import headline, retrieval_section, rivals
from chef.report.study import Study, read_studies
from tests.report.made import result, study_file
from tests.report.sections.studies import compared, figures, row, run, study, table

METRICS = ("medR", "R@1", "R@5", "R@10")


def test_the_table_has_the_results_figures_and_the_papers_beside():
    made = study(models=("t+t+l",))
    shown = table(retrieval_section(made), "table-1")
    assert [block.heading for block in shown.blocks] == ["10 folds of 1k", "Full set, 1,200"]
    ours = made.runs[0].retrieval["image-to-recipe"]["1k"]
    theirs = PAPER["retrieval"]["t+t+l"]["image-to-recipe"]["1k"]
    assert figures(row(shown, "T+T+L")) == [ours[m] for m in METRICS] + [theirs[m] for m in METRICS]
    assert [column.paper for column in shown.columns] == [False] * 4 + [True] * 4


def test_several_seeds_are_averaged():
    made = study(models=("t+t+l",), seeds=(0, 1, 2))
    cell = row(table(retrieval_section(made), "table-1"), "T+T+L")[1]
    runs = [run.retrieval["image-to-recipe"]["1k"]["R@1"] for run in made.runs]
    assert cell.values == tuple(runs)
    assert cell.mean == pytest.approx(fmean(runs))
    assert cell.sd is not None


def test_small_data_stand_beside_the_papers_1k_and_say_so():
    made = study(models=("t+t+l",), n=500)
    shown = table(retrieval_section(made), "table-1")
    assert headline(made) == "full"
    assert shown.columns[-1].group == "Paper, on Recipe1M, 1k"
    assert figures(row(shown, "T+T+L"))[4:] == [
        PAPER["retrieval"]["t+t+l"]["image-to-recipe"]["1k"][m] for m in METRICS
    ]


def test_the_paper_does_not_know_the_full_set_or_our_own_models():
    shown = table(retrieval_section(study(models=("t+t+l",))), "table-1")
    assert row(shown, "T+T+L", block=1)[4:] == [None] * 4
    own = result("t+t+l") | {"model": "mine", "about": {"seed": 0, "variant": "afternoon"}}
    named = Study("kitchen", "test", 1200, (run(own),))
    assert row(table(retrieval_section(named), "table-1"), "mine")[4:] == [None] * 4


def test_rivals_are_told_from_the_models_side():
    made = Study("k", "test", 9, study().runs, (compared("s+l+l", "t+t+l", difference=3.0),))
    assert rivals(made, "t+t+l", "image-to-recipe", "1k") == {"s+l+l": [Gap(-3.0, -5.0, -1.0)]}
    assert rivals(made, "s+l+l", "image-to-recipe", "1k") == {"t+t+l": [Gap(3.0, 1.0, 5.0)]}


@pytest.mark.parametrize(
    ("difference", "outcome", "words"),
    [
        (5.0, "holds", "is above S+L+L (+5.0 [+3.0, +7.0])"),
        (-5.0, "does not hold", "is below S+L+L (−5.0 [−7.0, −3.0])"),
        (1.0, "not settled", "is not distinguishable from S+L+L (+1.0 [−1.0, +3.0])"),
    ],
)
def test_the_paired_test_decides_the_claim(difference, outcome, words):
    runs = study(models=("t+t+l", "s+l+l")).runs
    section = retrieval_section(Study("k", "test", 9, runs, (compared("t+t+l", "s+l+l", difference),)))
    assert [finding.outcome for finding in section.findings] == [outcome]
    assert any(words in sentence for sentence in table(section, "table-1").says)


def test_acme_has_two_rows_and_the_papers_correction():
    shown = table(retrieval_section(study(models=("t+t+l", "acme", "acme (batch statistics)"))), "table-1")
    kinds = {one.label: one.kind for one in shown.blocks[0].rows}
    training, authors = "ACME, batch norm in training mode", "ACME, the authors' model, corrected"
    assert [label for label in kinds if "ACME" in label] == ["ACME", training, authors]
    assert kinds[training] == "control"
    assert row(shown, training)[4:] == [None] * 4
    assert figures(row(shown, authors)) == [1.55, 49.7, 79.1, 86.9]
    right, wrong = (figures(row(shown, label))[1] for label in ("ACME", training))
    (rivals,) = [sentence for sentence in shown.says if "paired test" in sentence]
    assert "training mode" not in rivals
    (said,) = [sentence for sentence in shown.says if "batch norm left in training mode" in sentence]
    assert f"{wrong:.1f} against {right:.1f}" in said


def test_a_model_alone_is_compared_with_chance_only(tmp_path):
    (alone,) = read_studies([study_file(tmp_path, "r.json", [result()])])
    section = retrieval_section(alone)
    assert section.findings == []
    (said,) = table(section, "table-1").says
    assert "picking at random would for 0.1 %" in said


def test_three_maps_are_open_and_the_others_folded():
    section = retrieval_section(study(models=("t+t+l", "s+l+l", "g+l+l", "g+t+l", "t+l+l")))
    (figure,) = [block for block in section.blocks if 'class="scatter"' in getattr(block, "html", "")]
    assert figure.html.count('class="scatter"') == 3
    assert "<h4>T+T+L</h4>" in figure.html
    folds = [block.blocks for block in section.blocks if isinstance(block, Folded)]
    (folded,) = [one for blocks in folds for one in blocks if isinstance(one, Figure)]
    assert folded.html.count('class="scatter"') == 2


def forest_of(made: Study) -> str:
    blocks = retrieval_section(made).blocks
    (html,) = [block.html for block in blocks if 'class="forest"' in getattr(block, "html", "")]
    return html


def test_the_table_has_difference_interval_and_p():
    shown = table(retrieval_section(study(models=("t+t+l", "s+l+l"))), "paired")
    assert [block.heading for block in shown.blocks] == ["Image to recipe", "Recipe to image"]
    gap, p, _, _ = row(shown, "T+T+L − S+L+L")
    assert gap.text == "1.0 [−1.0, 3.0]"
    assert p == "0.010"
    seeds = table(retrieval_section(study(models=("t+t+l", "s+l+l"), seeds=(0, 1))), "paired")
    assert row(seeds, "T+T+L − S+L+L")[1] == "0.010, 0.010"


def test_the_picture_has_every_pair_but_many_models_are_drawn_against_the_papers_own():
    assert forest_of(study()).count("<li") == 6
    many = study(models=("t+t+l", "s+l+l", "g+t+l", "g+t+t", "t+l+l", "acme"))
    assert forest_of(many).count("<li") == 10
    assert forest_of(many).count("T+T+L") == 10
