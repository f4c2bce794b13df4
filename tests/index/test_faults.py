from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.index import faults
from chef.index.faults import is_conflict, patiently, told

CONFLICT = "lance error: Retryable commit conflict for version 9: This Update transaction was preempted"


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(faults.time, "sleep", found.append)
    return found


def failing(times: int, error: Exception):
    """Something that fails so often before it works."""
    left = [error] * times

    def do() -> str:
        if left:
            raise left.pop()
        return "done"

    return do


@pytest.mark.parametrize("kind", [RuntimeError, OSError, ValueError])
def test_another_writer_is_given_time(pauses, kind):
    assert patiently(failing(5, kind(CONFLICT))) == "done"
    assert len(pauses) == 5
    assert all(later > sooner for sooner, later in zip(pauses, pauses[2:], strict=False))


def test_in_the_end_it_is_told(pauses):
    with pytest.raises(ChefError, match="preempted"), told("c"):
        patiently(failing(1000, RuntimeError(CONFLICT)))
    assert 42 < sum(pauses) < 86
    assert max(pauses) <= 20


def test_a_file_that_was_cleared_away_is_looked_for_again_but_not_for_long(pauses):
    gone = RuntimeError("LanceError(IO): Wrapped error: Not found: /c/recipes.lance/data/1011.lance, core")
    assert patiently(failing(3, gone)) == "done"
    with pytest.raises(RuntimeError):
        patiently(failing(1000, gone))
    assert len(pauses) == 3 + 3


def test_other_errors_are_told_at_once(pauses):
    for error in (RuntimeError("no space left"), OSError(28, "no space left"), KeyError("conflict")):
        with pytest.raises(type(error)):
            patiently(failing(1, error))
    assert pauses == []
    assert not is_conflict(RuntimeError("no such table"))
