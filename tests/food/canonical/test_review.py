"""The review: keys, undo, going on after a stop."""

from pathlib import Path

import pytest

from chef.food.canonical.merge import ACCEPT, PERSON, REJECT, UNDO, read_decisions
from chef.food.canonical.propose import Proposal
from chef.food.canonical.review import HELP, Review


def _proposal(a: str, b: str, reason: str = "words: x y") -> Proposal:
    return Proposal(a, b, 9, 3, 1.0, (reason,))


PROPOSALS = [
    _proposal("butter", "unsalted butter"),
    _proposal("butter", "buttermilk"),
    _proposal("scallions", "green onions"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decisions.tsv"


def _press(review: Review, keys: str) -> None:
    for pressed in keys:
        assert review.press(pressed)


def test_every_decision_is_on_the_disk_before_the_next_question(path: Path) -> None:
    review = Review(PROPOSALS, path)
    for number, pressed in enumerate("yny", start=1):
        _press(review, pressed)
        assert len(read_decisions(path)) == number
    assert review.current is None
    assert [item.verdict for item in read_decisions(path)] == [ACCEPT, REJECT, ACCEPT]
    assert {item.who for item in read_decisions(path)} == {PERSON}


def test_a_new_review_continues_where_the_file_ends_and_can_undo(path: Path) -> None:
    _press(Review(PROPOSALS, path), "yn")
    again = Review(PROPOSALS, path)
    assert (again.current, again.done) == (PROPOSALS[2], 2)
    _press(again, "u")
    assert again.current == PROPOSALS[1]


def test_undo_is_written_too_and_asks_again(path: Path) -> None:
    review = Review(PROPOSALS, path)
    _press(review, "ynu")
    assert review.current == PROPOSALS[1]
    assert [item.verdict for item in read_decisions(path)] == [ACCEPT, REJECT, UNDO]
    assert Review(PROPOSALS, path).current == PROPOSALS[1]
    _press(review, "u")
    assert review.current == PROPOSALS[0]
    _press(review, "u")
    assert review.message == "nothing to undo"


def test_a_skip_is_not_stored_and_can_be_taken_back(path: Path) -> None:
    review = Review(PROPOSALS, path)
    _press(review, "s")
    assert review.current == PROPOSALS[1]
    assert not path.exists()
    _press(review, "u")
    assert review.current == PROPOSALS[0]
    _press(review, "sss")
    assert review.current is None
    assert "skipped" in review.screen()
    assert Review(PROPOSALS, path).current == PROPOSALS[0]


def test_quit_and_unknown_keys_decide_nothing(path: Path) -> None:
    review = Review(PROPOSALS, path)
    assert not review.press("q")
    assert review.press("x")
    assert review.message == HELP
    assert not path.exists()


def test_what_other_merges_imply_is_not_asked(path: Path) -> None:
    proposals = [_proposal("a1", "b1"), _proposal("b1", "c1"), _proposal("a1", "c1")]
    review = Review(proposals, path)
    _press(review, "yy")
    assert review.current is None
    assert review.done == 3


def test_a_merge_that_would_join_a_rejected_pair_is_refused(path: Path) -> None:
    proposals = [_proposal("cream", "cheese"), _proposal("cream", "soft"), _proposal("soft", "cheese")]
    review = Review(proposals, path)
    _press(review, "nyy")
    assert "not merged: cream and cheese were rejected" in review.message
    assert review.current == proposals[2]
    assert len(read_decisions(path)) == 2


def test_the_screen_shows_names_counts_evidence_neighbours_and_progress(path: Path) -> None:
    screen = Review(PROPOSALS, path).screen()
    evidence = ["butter  (9 lines)   near: buttermilk", "unsalted butter  (3 lines)", "words: x y"]
    for part in ("0 of 3 decided", *evidence, HELP):
        assert part in screen
