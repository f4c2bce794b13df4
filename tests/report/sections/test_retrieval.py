"""The retrieval section."""

from __future__ import annotations

from statistics import fmean

import pytest

from chef.report.gap import Gap
from chef.report.paper import PAPER
from chef.report.section import Figure, Folded
from chef.report.sections.paired import rivals
from chef.report.sections.retrieval import headline, retrieval_section
from chef.report.study import Study
from tests.report.made import comparison, result, study_file
from tests.report.sections.studies import figures, row, study, table

METRICS = ("medR", "R@1", "R@5", "R@10")


def test_the_table_has_the_results_figures_and_the_papers_beside():
    made = study(models=("t+t+l",))
    found = table(retrieval_section(made), "table-1")
    assert [block.heading for block in found.blocks] == ["10 folds of 1k", "Full set, 1,200"]
    ours = made.runs[0].result["retrieval"]["image-to-recipe"]["1k"]
    theirs = PAPER["retrieval"]["t+t+l"]["image-to-recipe"]["1k"]
    assert figures(row(found, "T+T+L")) == [ours[m] for m in METRICS] + [theirs[m] for m in METRICS]
    assert [column.paper for column in found.columns] == [False] * 4 + [True] * 4


def test_several_seeds_are_averaged():
    made = study(models=("t+t+l",), seeds=(0, 1, 2))
    cell = row(table(retrieval_section(made), "table-1"), "T+T+L")[1]
    runs = [run.result["retrieval"]["image-to-recipe"]["1k"]["R@1"] for run in made.runs]
    assert cell.values == tuple(runs)
    assert cell.mean == pytest.approx(fmean(runs))
    assert cell.sd is not None


def test_small_data_stand_beside_the_papers_1k_and_say_so():
    made = study(models=("t+t+l",), n=500)
    found = table(retrieval_section(made), "table-1")
    assert headline(made) == "full"
    assert found.columns[-1].group == "Paper, on Recipe1M, 1k"
    assert figures(row(found, "T+T+L"))[4:] == [
        PAPER["retrieval"]["t+t+l"]["image-to-recipe"]["1k"][m] for m in METRICS
    ]


def test_the_paper_does_not_know_the_full_set_or_our_own_models():
    found = table(retrieval_section(study(models=("t+t+l",))), "table-1")
    assert row(found, "T+T+L", block=1)[4:] == [None] * 4
    own = result("t+t+l") | {"model": "mine", "about": {"seed": 0, "variant": "afternoon"}}
    named = Study("kitchen", "test", 1200, (study().runs[0].__class__("mine", 0, own),))
    assert row(table(retrieval_section(named), "table-1"), "mine")[4:] == [None] * 4


def test_rivals_are_told_from_the_models_side():
    made = Study("k", "test", 9, study().runs, (comparison("s+l+l", "t+t+l", difference=3.0),))
    assert rivals(made, "t+t+l", "image-to-recipe", "1k") == {"s+l+l": [Gap(-3.0, -5.0, -1.0)]}
    assert rivals(made, "s+l+l", "image-to-recipe", "1k") == {"t+t+l": [Gap(3.0, 1.0, 5.0)]}


@pytest.mark.parametrize(
    ("difference", "outcome", "words"),
    [
        (5.0, "holds", "is above S+L+L (+5.0 [+3.0, +7.0])"),
        (-5.0, "does not hold", "is below S+L+L (−5.0 [−7.0, −3.0])"),
        (1.0, "not settled", "is not told apart from S+L+L (+1.0 [−1.0, +3.0])"),
    ],
)
def test_the_paired_test_decides_the_claim(difference, outcome, words):
    runs = study(models=("t+t+l", "s+l+l")).runs
    section = retrieval_section(Study("k", "test", 9, runs, (comparison("t+t+l", "s+l+l", difference),)))
    assert section is not None
    assert [finding.outcome for finding in section.findings] == [outcome]
    assert any(words in sentence for sentence in table(section, "table-1").says)


def test_acme_has_two_rows_and_the_papers_correction():
    second = "acme (batch statistics)"
    made = study(models=("acme", second))
    found = table(retrieval_section(made), "table-1")
    assert [one.label for one in found.blocks[0].rows] == [
        "ACME",
        "ACME, batch norm in training mode",
        "ACME, the authors' model, corrected",
    ]
    assert row(found, "ACME, batch norm in training mode")[4:] == [None] * 4
    assert figures(row(found, "ACME, the authors' model, corrected")) == [1.55, 49.7, 79.1, 86.9]
    right, wrong = (figures(row(found, label))[1] for label in ("ACME", "ACME, batch norm in training mode"))
    (said,) = [sentence for sentence in found.says if "batch norm left in training mode" in sentence]
    assert f"{wrong:.1f} against {right:.1f}" in said


def test_a_model_alone_is_compared_with_chance_only(tmp_path):
    from chef.report.results import read_studies

    (alone,) = read_studies([study_file(tmp_path, "r.json", [result()])])
    section = retrieval_section(alone)
    assert section is not None
    assert section.findings == []
    (said,) = table(section, "table-1").says
    assert "picking blindly would for 0.1 %" in said


def test_no_retrieval_no_section():
    assert retrieval_section(Study("k", "test", 9, ())) is None


def test_batch_norm_in_training_mode_is_never_the_best_nor_a_rival():
    second = "acme (batch statistics)"
    section = retrieval_section(study(models=("t+t+l", "acme", second)))
    found = table(section, "table-1")
    kinds = {one.label: one.kind for one in found.blocks[0].rows}
    assert kinds["ACME, batch norm in training mode"] == "control"
    (said,) = [sentence for sentence in found.says if "paired test" in sentence]
    assert "training mode" not in said


def test_three_maps_are_open_and_the_others_folded():
    section = retrieval_section(study(models=("t+t+l", "s+l+l", "g+l+l", "g+t+l", "t+l+l")))
    assert section is not None
    (figure,) = [block for block in section.blocks if 'class="scatter"' in getattr(block, "html", "")]
    assert figure.html.count('class="scatter"') == 3
    assert "<h4>T+T+L</h4>" in figure.html
    (folded,) = [
        one
        for block in section.blocks
        if isinstance(block, Folded)
        for one in block.blocks
        if isinstance(one, Figure)
    ]
    assert folded.html.count('class="scatter"') == 2
