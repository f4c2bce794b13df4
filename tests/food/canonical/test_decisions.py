"""The decisions file: plain, append-only, whole after a kill."""

from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.food.canonical.merge import (
    ACCEPT,
    DROP,
    PERSON,
    PROGRAM,
    REJECT,
    UNDO,
    Decision,
    append_decision,
    in_force,
    read_decisions,
    table,
)


def _decision(a: str, b: str, verdict: str, who: str = PERSON) -> Decision:
    return Decision(a, b, verdict, who, "test")


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "decisions.tsv"
    assert read_decisions(path) == []
    made = [_decision("butter", "unsalted butter", ACCEPT), _decision("butter", "buttermilk", REJECT)]
    for decision in made:
        append_decision(path, decision)
    assert read_decisions(path) == made
    assert path.read_text() == table(made)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_half_a_line_does_not_count_and_does_not_spoil_the_next(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "decisions.tsv"
    first, second, third = (_decision("butter", name, ACCEPT) for name in ("ghee", "margarine", "lard"))
    append_decision(path, first)
    append_decision(path, second)
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_decisions(path) == [first]
    append_decision(path, third)
    assert read_decisions(path) == [first, third]
    path.write_text("a\tb\tver")  # half a header: an empty file
    assert read_decisions(path) == []
    append_decision(path, first)
    assert read_decisions(path) == [first]


@pytest.mark.parametrize(
    "line", ["butter\tghee\taccept\tperson", "butter\tghee\tmaybe\tperson\tx", "butter\tghee\taccept\tAnn\tx"]
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "decisions.tsv"
    path.write_text(table([]) + line + "\n")
    with pytest.raises(ChefError, match="line 2"):
        read_decisions(path)
    path.write_text("something else\n")
    with pytest.raises(ChefError, match="not a decisions file"):
        read_decisions(path)


def test_the_last_word_holds_and_undo_takes_it_back() -> None:
    yes, no = _decision("egg", "hen", ACCEPT), _decision("hens", "eggs", REJECT)
    assert list(in_force([yes, no]).values()) == [no]
    assert in_force([yes, no, _decision("egg", "hen", UNDO)]) == {}


def test_a_person_overrules_the_program_whenever_they_speak() -> None:
    person, program = _decision("egg", "hen", REJECT), _decision("egg", "hen", ACCEPT, PROGRAM)
    for order in ([person, program], [program, person]):
        assert list(in_force(order).values()) == [person]
    assert list(in_force([program, person, _decision("egg", "hen", UNDO)]).values()) == [program]


def test_a_drop_concerns_one_name_only() -> None:
    drop, merge = _decision("topping", "", DROP), _decision("topping", "sprinkles", ACCEPT)
    assert set(in_force([drop, merge]).values()) == {drop, merge}
