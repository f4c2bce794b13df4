"""Names of ingredients: what stays and what goes."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from chef.text.lines import names
from chef.text.lines.names import tidy, without_state


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Unsalted Butter", "unsalted butter"),
        ("large fresh basil leaves", "basil"),
        ("bay leaves", "bay leaves"),
        ("frozen peas", "peas"),
        ("frozen yogurt", "frozen yogurt"),
        ("toasted sesame oil", "toasted sesame oil"),
        ("toasted pine nuts", "pine nuts"),
        ("whole milk", "whole milk"),
        ("whole onions", "onions"),
        ("boneless, skinless chicken breasts", "chicken breasts"),
        ("finely chopped red onion", "red onion"),
        ("juice of lemons", "lemon juice"),
        ("zest and juice of lime", "lime"),
        ("oil, olive", "olive oil"),
        ("butter, softened", "butter"),
        ("chopped", None),
        ("...", None),
    ],
)
def test_tidy(text: str, name: str | None) -> None:
    assert tidy(text) == name


def test_without_state_keeps_one_word() -> None:
    assert without_state("fresh") == "fresh"


def test_threads_take_turns_with_the_labeller(monkeypatch) -> None:
    """It keeps the features of the last line in itself."""
    inside: list[str] = []
    most = []

    def label(sentence: str, **_: bool) -> SimpleNamespace:
        inside.append(sentence)
        most.append(len(inside))
        time.sleep(0.01)
        inside.remove(sentence)
        return SimpleNamespace(amount=[], name=[])

    monkeypatch.setattr(names, "labeller", lambda: label)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(names.parse_name.__wrapped__, ["a cup", "b cups", "c cups", "d cups"]))
    assert most == [1] * 4
