"""The action-word section."""

import pytest

from chef.report.sections.actions import actions_section
from tests.report.sections.studies import figures, paired, row, study, table


def test_controls_and_the_paper_stand_in_the_same_table():
    made = study(models=("t+t+l", "s+l+l"))
    shown = table(actions_section(made), "table-6")
    part = made.runs[0].actions
    expected = [(one.verbs, *one.model.values.values()) for one in (part, part.validation)]
    assert figures(row(shown, "T+T+L")) == [*expected[0], *expected[1]]
    assert figures(row(shown, "first word", 1)) == [82.0, 73.0, 82.0, 73.0]
    assert figures(row(shown, "T+T+L", 2)) == [224550, 77.07, 224709, 76.96]
    assert shown.blocks[2].heading == "Paper, on Recipe1M"


@pytest.mark.parametrize(
    ("chance", "first", "outcomes", "words"),
    [
        (9.0, 9.0, ["holds", "holds"], "which beats every control"),
        (9.0, -9.0, ["holds", "does not hold"], "which does not beat every control"),
        (1.0, 9.0, ["not settled", "holds"], "which is not shown to beat every control"),
    ],
)
def test_only_what_the_intervals_allow_is_said(chance, first, outcomes, words):
    made = study(models=("t+t+l",))
    differences = {"random-word": chance, "random-tree": chance, "first-word": first}
    made.runs[0].actions.against = {
        name: dict.fromkeys(("percent", "strict_percent"), paired(gap)) for name, gap in differences.items()
    }
    section = actions_section(made)
    assert [finding.outcome for finding in section.findings] == outcomes
    assert words in table(section, "table-6").says[0]


def test_sentence_trees_are_drawn_with_their_verbs():
    section = actions_section(study(models=("t+t+l",)))
    (figure,) = [block for block in section.blocks if "treecard" in getattr(block, "html", "")]
    assert 'fill="#c00" font-weight="bold">stir</text>' in figure.html
