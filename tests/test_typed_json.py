"""Dataclasses as JSON."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from chef.errors import ChefError
from chef.model.tree import Tree
from chef.typed_json import from_json, inline, key, optional, to_json
from tests.conftest import cases


@dataclass(kw_only=True)
class Inner:
    values: dict[str, float] = inline(r"R@\d+")
    n: int | None = optional()


@dataclass(kw_only=True)
class Outer:
    scores: Inner = inline()
    first_name: str = key("first-name")
    tree: Tree | None = None
    folds: list[Inner] = field(default_factory=list)
    reasons: dict[str, str | dict[str, str]] = field(default_factory=dict)
    rest: Any = None


FULL = {
    "R@1": 41.5,
    "R@10": 80,
    "n": 3,
    "first-name": "a",
    "tree": Tree.left(["a", "b"]).to_json(),
    "folds": [{"R@5": 2.0}],
    "reasons": {"task": "none", "pairs": {"a->b": "few"}},
    "rest": {"anything": [1, None]},
}


def test_there_and_back():
    outer = from_json(Outer, FULL, "file")
    assert outer.scores == Inner(values={"R@1": 41.5, "R@10": 80}, n=3)
    assert outer.tree == Tree.left(["a", "b"])
    assert to_json(outer) == FULL


def test_what_is_none_is_null_or_absent():
    written = to_json(from_json(Outer, {"first-name": "a"}, "file"))
    assert written == {"first-name": "a", "tree": None, "folds": [], "reasons": {}, "rest": None}


@pytest.mark.parametrize(("change", "problem"), cases("other", "a wrong field is named"))
def test_a_wrong_field_is_named(change, problem):
    with pytest.raises(ChefError) as error:
        from_json(Outer, FULL | change, "file")
    assert str(error.value) == problem


def test_a_missing_field_is_named():
    with pytest.raises(ChefError, match=r"file: first-name is missing"):
        from_json(Outer, {}, "file")
