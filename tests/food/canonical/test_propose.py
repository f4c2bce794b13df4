"""Step 2: proposals."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from chef.errors import ChefError
from chef.food.canonical.propose import group_names, propose, read_proposals, write_proposals

COUNTS = {
    "butter": 50, "unsalted butter": 20, "buttermilk": 9, "red wine vinegar": 8, "white wine vinegar": 7,
    "scallions": 6, "green onions": 12, "salt": 90,
}  # fmt: skip


def _pairs(**evidence: object) -> dict[frozenset[str], tuple[str, ...]]:
    return {frozenset((item.a, item.b)): item.reasons for item in propose(group_names(COUNTS), **evidence)}  # type: ignore[arg-type]


def test_a_qualifier_two_shared_words_or_one_food_make_a_proposal() -> None:
    assert _pairs()[frozenset(("butter", "unsalted butter"))] == ("qualifier",)
    assert _pairs()[frozenset(("red wine vinegar", "white wine vinegar"))] == ("words: vinegar wine",)
    food = {"scallions": "Onions, spring", "green onions": "Onions, spring", "salt": "Salt, table"}
    assert _pairs(food_of=food.get)[frozenset(("scallions", "green onions"))] == ("food: Onions, spring",)
    assert not any("salt" in pair for pair in _pairs(food_of=food.get))


def test_close_vectors_make_a_proposal_as_a_slow_search_finds() -> None:
    chance = np.random.default_rng(0)
    names = [f"name{number}" for number in range(12)]
    vectors = {name: chance.normal(size=3).astype(np.float32) for name in names}
    groups = group_names({name: 20 - number for number, name in enumerate(names)})
    proposed = {frozenset((item.a, item.b)) for item in propose(groups, vectors=vectors)}

    def cosine(a: str, b: str) -> float:
        return float(vectors[a] @ vectors[b] / np.linalg.norm(vectors[a]) / np.linalg.norm(vectors[b]))

    wanted = set()
    for name in names:
        near = sorted((other for other in names if other != name), key=lambda other: -cosine(name, other))[:5]
        wanted |= {frozenset((name, other)) for other in near if cosine(name, other) >= 0.6}
    assert proposed == wanted
    assert 0 < len(proposed) < len(list(combinations(names, 2)))


def test_more_reasons_come_first_and_the_frequent_name_is_a() -> None:
    food = {"butter": "Butter", "unsalted butter": "Butter"}
    first = propose(group_names(COUNTS), food_of=food.get)[0]
    assert (first.a, first.b, first.count_a, first.count_b) == ("butter", "unsalted butter", 50, 20)
    assert first.reasons == ("qualifier", "food: Butter")


def test_the_file_gives_back_names_and_proposals(tmp_path: Path) -> None:
    groups = group_names(COUNTS)
    proposals = propose(groups, food_of={"butter": "x; y", "salt": "x; y"}.get)
    proposals = [item for item in proposals if "food" not in item.reasons[0]]
    path = tmp_path / "proposals.tsv"
    write_proposals(path, groups, COUNTS, proposals)
    counts, read = read_proposals(path)
    assert counts == COUNTS
    assert read == proposals


@pytest.mark.parametrize(
    "text", ["", "other\n", "a\tb\tcount_a\tcount_b\tscore\treasons\nbutter\tghee\tmany\t1\t1\t\n"]
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "proposals.tsv"
    path.write_text(text)
    with pytest.raises(ChefError):
        read_proposals(path)
    with pytest.raises(ChefError, match="no proposals"):
        read_proposals(tmp_path / "none.tsv")
