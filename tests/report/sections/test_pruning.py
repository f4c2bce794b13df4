"""The pruning section."""

import pytest

from chef.report.sections.pruning import pruning_section
from tests.report.made import DIRECTIONS
from tests.report.sections.studies import figures, paired, row, study, table


def test_table_3_has_the_folds_the_control_and_the_paper():
    made = study(models=("t+t+l",))
    shown = table(pruning_section(made), "table-3")
    assert [block.heading for block in shown.blocks] == [
        "Remove the K least important",
        "Paper, on Recipe1M: remove the K least important",
        "Control: remove K at random",
    ]
    part = made.runs[0].pruning
    for mode, block in (("remove-last", 0), ("random", 2)):
        cell = part[mode]["1"]
        expected = [
            cell.directions[way].folds[metric] for way in DIRECTIONS for metric in ("medR", "R@1", "R@5")
        ]
        assert figures(row(shown, "1", block)) == expected
    assert figures(row(shown, "2", 1)) == [1.5, 50.0, 79.4, 1.2, 50.8, 79.3]


def test_without_folds_the_full_set_is_shown():
    made = study(models=("t+t+l",))
    part = made.runs[0].pruning
    for cell in (cell for mode in part.values() for cell in mode.values()):
        for way in DIRECTIONS:
            cell.directions[way].folds = None
    shown = table(pruning_section(made), "table-3")
    assert figures(row(shown, "1"))[1] == part["remove-last"]["1"].directions["image-to-recipe"].full["R@1"]
    assert "on the full set" in shown.caption


def test_table_s2_has_all_ways():
    shown = table(pruning_section(study(models=("t+t+l",))), "table-s2")
    ours = [block for block in shown.blocks if not block.heading.startswith("Paper")]
    assert [[one.label for one in block.rows] for block in ours] == [
        ["0 (original)", "1", "2", "3", "4"],
        ["1", "2", "3", "4"],
        ["3", "4", "5", "6"],
        ["3", "4"],
    ]


def test_kept_and_anew_stand_side_by_side():
    made = study(models=("t+t+l",))
    cell = made.runs[0].pruning["keep-first"]["5"]
    shown = table(pruning_section(made), "pruning-anew")
    both = [part[way].folds["R@1"] for way in DIRECTIONS for part in (cell.directions, cell.reinferred)]
    assert figures(row(shown, "5", 2)) == [1.0, *both]


@pytest.mark.parametrize(
    ("original", "random", "outcomes", "words"),
    [
        (3.0, 5.0, ["holds", "holds"], ["pruning helps", "chooses better than chance"]),
        (-3.0, 5.0, ["does not hold", "holds"], ["pruning hurts", "chooses better than chance"]),
        (1.0, -5.0, ["not settled", "does not hold"], ["no change is shown", "chooses worse than chance"]),
        (1.0, 1.0, ["not settled", "not settled"], ["no change is shown", "is not shown to choose better"]),
    ],
)
def test_only_what_the_intervals_allow_is_said(original, random, outcomes, words):
    made = study(models=("t+t+l",))
    cell = made.runs[0].pruning["remove-last"]["1"]
    cell.against_original = {way: {"R@1": paired(original)} for way in DIRECTIONS}
    cell.against_random = {way: {"R@1": paired(random)} for way in DIRECTIONS}
    section = pruning_section(made)
    assert [finding.outcome for finding in section.findings] == outcomes
    for said in table(section, "table-3").says:
        assert all(word in said for word in words)


def test_before_and_after_share_their_photos():
    section = pruning_section(study(models=("t+t+l",)))
    (figure,) = [block for block in section.blocks if 'class="scatter"' in getattr(block, "html", "")]
    before, after = figure.html.split('class="scatter"')[1:]
    photos = [part.count('class="i"') for part in (before, after)]
    assert photos[0] >= 20
    first = [part.split('class="i" cx="')[1].split('"')[0] for part in (before, after)]
    assert first[0] == first[1]
    assert "remove the K least important, K = 1" in figure.caption
