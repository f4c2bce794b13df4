"""Sentences about rivals."""

from __future__ import annotations

from chef.report.against import against, beats, overall
from chef.report.gap import Gap

UP, ACROSS, DOWN = Gap(8, 5, 11), Gap(1, -2, 4), Gap(-9, -12, -6)


def test_rivals_are_sorted_by_what_the_intervals_say():
    said = against("The tree", {"chance": [UP], "the list": [DOWN], "a stick": [ACROSS]})
    assert said == (
        "The tree is above chance (+8.0 [+5.0, +11.0]), below the list (−9.0 [−12.0, −6.0]) and not told "
        "apart from a stick (+1.0 [−2.0, +4.0])."
    )


def test_all_must_be_beaten():
    assert beats({"a": [UP], "b": [UP]}) == "beats every control"
    assert beats({"a": [UP], "b": [ACROSS]}) == "is not shown to beat every control"
    assert beats({"a": [UP], "b": [UP, ACROSS]}) == "is not shown to beat every control"
    assert beats({"a": [UP], "b": [DOWN], "c": [ACROSS]}) == "does not beat every control"
    assert overall({"a": [ACROSS]}) == "open"


def test_many_rivals_are_only_named():
    many = {f"model {number}": [UP] for number in range(7)}
    assert "(" not in against("The tree", many)
    assert "above model 0, model 1, " in against("The tree", many)
