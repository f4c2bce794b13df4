import random

import pytest

from chef.errors import ChefError
from chef.measure.folds import folds

IDS = [f"recipe-{number:03d}" for number in range(300)]


def named(ids, seed=0, size=40):
    return [[ids[place] for place in fold] for fold in folds(ids, size, seed)]


def test_ten_folds_of_distinct_members():
    found = named(IDS)
    assert len(found) == 10
    assert all(len(set(fold)) == 40 for fold in found)
    assert len({tuple(fold) for fold in found}) == 10


def test_members_do_not_depend_on_the_order_of_the_ids():
    shuffled = random.Random(0).sample(IDS, len(IDS))
    assert named(shuffled) == named(IDS)


def test_members_are_the_same_for_ever():
    # Written down: a change here would make old results incomparable.
    assert named(IDS[:12], size=3)[:2] == [
        ["recipe-000", "recipe-001", "recipe-008"],
        ["recipe-002", "recipe-006", "recipe-008"],
    ]


def test_another_seed_gives_other_members():
    assert named(IDS, seed=1) != named(IDS, seed=0)


def test_every_pair_has_the_same_chance():
    drawn = [name for seed in range(30) for fold in named(IDS[:20], seed, 5) for name in fold]
    assert all(45 <= drawn.count(name) <= 110 for name in IDS[:20])  # 75 expected, standard deviation 7.5


def test_no_folds_when_there_are_too_few():
    assert folds(IDS, 301, 0) == []
    assert [len(fold) for fold in folds(IDS, 300, 0)] == [300] * 10


def test_a_repeated_id_is_an_error():
    with pytest.raises(ChefError, match="same id"):
        folds(["a", "b", "a"], 2, 0)
