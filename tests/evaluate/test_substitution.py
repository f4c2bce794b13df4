from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from chef.errors import ChefError
from chef.evaluate.substitution import DIRECTIONS, choose_queries, substitution_task
from chef.model.edit import replace as swap
from tests.evaluate.dishes import dish, dishes, population, subject

TOKENS = {
    "chicken": {"chicken", "chicken_wings"},
    "beef": {"beef", "steak"},
    "pork": {"pork", "pork_chops"},
    "fish": {"fish", "tuna"},
    "apple": {"apples"},
}
PLAIN = {"chicken": "chicken", "beef": "beef", "pork": "pork", "fish": "fish", "apple": "apples"}


@pytest.fixture(scope="module")
def among():
    """Half of them for training, half for the test."""
    recipes = dishes(216)
    return population(recipes, ["train" if number % 2 else "test" for number in range(len(recipes))])


@pytest.fixture(scope="module", params=["t+t+l", "s+l+l"])
def tested(request, among):
    return subject(request.param, among)


@pytest.fixture(scope="module")
def queries(among):
    return choose_queries(among, None)


@pytest.fixture(scope="module")
def part(tested, queries):
    return substitution_task(tested, queries, seed=0)


def changed(text, a, b):
    def new(words):
        return [PLAIN[b] if word in TOKENS[a] else word for word in words]

    sentences = [new(words) for words in text.sentences]
    return replace(text, title=new(text.title), ingredients=new(text.ingredients), sentences=sentences)


def embedded(tested, text):
    with torch.no_grad():
        return tested.chef.model.embed_recipes(tested.chef.encoder.batch([text]))[0].numpy().astype(float)


def top(vector, gallery, missing):
    scores = {
        row: float(vector @ item) for row, item in enumerate(gallery.astype(float)) if row not in missing
    }
    return max(scores, key=scores.get)


def holds(tested, row, name):
    return bool({item.token for item in tested.population.recipes[row].ingredients} & TOKENS[name])


def oracle(tested, rows, a, b, gallery):
    """Query by query: what the changed recipe finds, what it finds unchanged, and what A -> B -> A finds."""
    found = {"reinferred": [], "baseline": [], "two-step": []}
    for row in rows:
        first = top(embedded(tested, changed(tested.texts[row], a, b)), gallery, {row})
        found["reinferred"].append(holds(tested, first, b))
        found["baseline"].append(holds(tested, top(tested.recipes[row].astype(float), gallery, {row}), b))
        back = top(embedded(tested, changed(tested.texts[first], b, a)), gallery, {row, first})
        found["two-step"].append(holds(tested, first, b) and holds(tested, back, a))
    return {name: 100 * np.mean(hits) for name, hits in found.items()}


@pytest.mark.parametrize("pair", [("chicken", "beef"), ("pork", "apple"), ("apple", "fish")])
def test_rates_equal_asking_query_by_query(tested, queries, part, pair):
    entry = part["->".join(pair)]
    for way, gallery in zip(DIRECTIONS, (tested.images, tested.recipes), strict=True):
        wanted = oracle(tested, queries.pairs[pair], *pair, gallery)
        assert entry["baseline"][way] == pytest.approx(wanted["baseline"])
        assert entry["reinferred"][way] == pytest.approx(wanted["reinferred"])
        if not tested.has_ingredient_trees:  # then the oracle, which keeps no trees, speaks of these too
            assert entry[way] == pytest.approx(wanted["reinferred"])
            assert entry["two-step"][way] == pytest.approx(wanted["two-step"])


def test_the_trees_are_kept(tested, queries, part):
    a, b = "chicken", "pork"
    rows = queries.pairs[a, b]
    hits = []
    for row in rows:
        text, trees = swap(tested.texts[row], tested.trees[row], dict.fromkeys(TOKENS[a], PLAIN[b]))
        vector = tested.embed([text], [trees])[0].astype(float)
        hits.append(holds(tested, top(vector, tested.recipes, {row}), b))
    entry = part["chicken->pork"]
    assert entry["recipe-to-recipe"] == pytest.approx(100 * np.mean(hits))
    assert entry["each"]["recipe-to-recipe"] == [float(hit) for hit in hits]


def test_the_queries_are_the_same_for_every_model(queries, part):
    pairs = {name: entry for name, entry in part.items() if "->" in name}
    assert {name: entry["queries"] for name, entry in pairs.items()} == {
        f"{a}->{b}": len(rows) for (a, b), rows in queries.pairs.items()
    }
    assert len(pairs) == 20
    assert part["queries-from"] == "gold"
    assert part["gallery"] == {"recipes": 216, "splits": ["test", "train"]}


def test_an_entry_says_all_that_it_should(part):
    json.dumps(part)
    for name, entry in part.items():
        if "->" not in name:
            continue
        for values in (entry, entry["baseline"], entry["reinferred"], entry["two-step"]):
            assert all(0 <= values[way] <= 100 for way in DIRECTIONS)
        for way in DIRECTIONS:
            assert entry["ci"][way][0] <= entry[way] <= entry["ci"][way][1]
            assert entry["gain"][way]["difference"] == pytest.approx(entry[way] - entry["baseline"][way])
        assert entry["put-in"] == PLAIN[name.split("->")[1]]


def test_test_queries_are_reported_apart_and_seen_ones_marked(among, part):
    of = dict(zip(among.ids, among.splits, strict=True))
    for name, entry in part.items():
        if "->" not in name:
            continue
        each = entry["each"]
        assert each["seen"] == [of[one] == "train" for one in each["ids"]]
        assert entry["test"]["queries"] == each["seen"].count(False)
        for way in DIRECTIONS:
            unseen = [hit for hit, seen in zip(each[way], each["seen"], strict=True) if not seen]
            assert entry["test"][way] == pytest.approx(100 * np.mean(unseen))


def test_one_split_alone_has_no_second_part():
    among = population(dishes(216))
    part = substitution_task(subject("s+l+l", among), choose_queries(among, None), seed=0)
    assert "test" not in part["chicken->beef"]


def test_pairs_with_few_queries_are_skipped():
    among = population(dishes(99))  # 22 of chicken, 11 of apples
    part = substitution_task(subject("s+l+l", among), choose_queries(among, None), seed=0)
    assert part["skipped"]["apple->beef"] == "11 queries, 20 are needed"
    assert "apple->beef" not in part
    assert part["chicken->apple"]["queries"] == 22
    assert len(part["skipped"]) == 4


def test_a_model_without_a_word_for_b_skips_it():
    among = population(dishes(99))
    tested = subject("s+l+l", among, unknown=("apples",))
    part = substitution_task(tested, choose_queries(among, None), seed=0)
    assert part["skipped"]["chicken->apple"] == "the model knows no word for apple"


def test_queries_of_other_recipes_are_refused(queries):
    with pytest.raises(ChefError, match="other recipes"):
        substitution_task(subject("s+l+l", population(dishes(9))), queries, seed=0)


def test_substring_matches_do_not_count():
    """A pineapple is no apple, chicken broth no chicken: only recipes with the food itself answer."""
    recipes = [dish(number, "beef", ["rice"]) for number in range(25)]
    recipes += [dish(25 + number, "pineapple", ["chicken_broth"]) for number in range(5)]
    among = population(recipes)
    part = substitution_task(subject("s+l+l", among), choose_queries(among, None), seed=0)
    for name in ("beef->apple", "beef->chicken"):
        assert [part[name][way] for way in DIRECTIONS] == [0.0, 0.0]
