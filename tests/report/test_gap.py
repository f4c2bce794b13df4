"""Gaps: nothing is claimed that an interval does not allow."""

from hypothesis import example, given
from hypothesis import strategies as st

from chef.measure.bootstrap import PairedTest
from chef.report.gap import Gap, against, beats, describe, overall, settle, signed

numbers = st.floats(-50, 50)
gaps = st.lists(
    st.builds(lambda middle, half: Gap(middle, middle - half, middle + half), numbers, st.floats(0.001, 20)),
    min_size=1,
    max_size=5,
)


@given(gaps)
@example([Gap(1.0, 0.0, 2.0)])
def test_above_only_where_every_interval_is_above_zero(drawn):
    expected = "open"
    if all(gap.low > 0 for gap in drawn):
        expected = "above"
    if all(gap.high < 0 for gap in drawn):
        expected = "below"
    assert settle(drawn) == expected


@given(gaps)
def test_turning_round_turns_the_verdict(drawn):
    other = {"above": "below", "below": "above", "open": "open"}
    assert settle([gap.turned for gap in drawn]) == other[settle(drawn)]


def test_one_run_is_told_with_its_interval_and_several_by_their_sides():
    assert describe([Gap.paired(PairedTest(3.2, [-1.1, 5.3], 0.1))]) == "+3.2 [−1.1, +5.3]"
    up, across, down = Gap(2, 1, 3), Gap(1, -1, 3), Gap(-2, -3, -1)
    assert describe([up, up, up]) == "+2.0, all 3 runs above zero"
    assert describe([across, across]) == "+1.0, both runs across zero"
    assert describe([up, up, across]) == "+1.7, 2 runs above zero, 1 across zero"
    assert describe([down, across]) == "−0.5, 1 run below zero, 1 across zero"
    assert [signed(number) for number in (0.04, -0.04, 0.06, -0.06)] == ["0.0", "0.0", "+0.1", "−0.1"]


UP, ACROSS, DOWN = Gap(8, 5, 11), Gap(1, -2, 4), Gap(-9, -12, -6)


def test_rivals_are_sorted_by_what_the_intervals_say():
    said = against("The tree", {"chance": [UP], "the list": [DOWN], "a stick": [ACROSS]})
    assert said == (
        "The tree is above chance (+8.0 [+5.0, +11.0]), below the list (−9.0 [−12.0, −6.0]) and not "
        "distinguishable from a stick (+1.0 [−2.0, +4.0])."
    )
    many = {f"model {number}": [UP] for number in range(7)}
    assert "(" not in against("The tree", many)
    assert "above model 0, model 1, " in against("The tree", many)


def test_all_must_be_beaten():
    assert beats({"a": [UP], "b": [UP]}) == "beats every control"
    assert beats({"a": [UP], "b": [ACROSS]}) == "is not shown to beat every control"
    assert beats({"a": [UP], "b": [UP, ACROSS]}) == "is not shown to beat every control"
    assert beats({"a": [UP], "b": [DOWN], "c": [ACROSS]}) == "does not beat every control"
    assert overall({"a": [ACROSS]}) == "open"
