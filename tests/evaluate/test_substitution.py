import json
from dataclasses import replace

import numpy as np
import pytest

from chef.errors import ChefError
from chef.evaluate.substitution import DIRECTIONS, Swapper, choose_queries, gain, substitution_task
from chef.model.edit import replace as swap
from chef.model.tree import Tree
from chef.recipe import Ingredient
from chef.typed_json import to_json
from tests.evaluate.dishes import dish, dishes, embedded, evaluated, population

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
    return evaluated(request.param, among)


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


def top(vector, gallery, missing):
    scores = {
        row: float(vector @ item) for row, item in enumerate(gallery.astype(float)) if row not in missing
    }
    return max(scores, key=scores.get)


def holds(tested, row, name):
    return bool({item.token for item in tested.population.recipes[row].ingredients} & TOKENS[name])


def oracle(tested, rows, a, b, gallery):
    """Query by query: what the changed recipe finds, what it finds unchanged, and what A -> B -> A finds."""
    hits = {"reinferred": [], "baseline": [], "two-step": []}
    for row in rows:
        first = top(embedded(tested, changed(tested.texts[row], a, b)), gallery, {row})
        hits["reinferred"].append(holds(tested, first, b))
        hits["baseline"].append(holds(tested, top(tested.recipes[row].astype(float), gallery, {row}), b))
        back = top(embedded(tested, changed(tested.texts[first], b, a)), gallery, {row, first})
        hits["two-step"].append(holds(tested, first, b) and holds(tested, back, a))
    return {name: 100 * np.mean(hits) for name, hits in hits.items()}


@pytest.mark.parametrize("pair", [("chicken", "beef"), ("pork", "apple"), ("apple", "fish")])
def test_rates_equal_asking_query_by_query(tested, queries, part, pair):
    rates = part.pairs["->".join(pair)].rates
    for way, gallery in zip(DIRECTIONS, (tested.images, tested.recipes), strict=True):
        wanted = oracle(tested, queries.pairs[pair], *pair, gallery)
        assert rates.baseline[way] == pytest.approx(wanted["baseline"])
        assert rates.reinferred[way] == pytest.approx(wanted["reinferred"])
        if tested.name == "s+l+l":  # then the oracle, which keeps no trees, speaks of these too
            assert rates.success[way] == pytest.approx(wanted["reinferred"])
            assert rates.two_step[way] == pytest.approx(wanted["two-step"])


def test_the_trees_are_kept(tested, queries, part):
    a, b = "chicken", "pork"
    rows = queries.pairs[a, b]
    hits = []
    for row in rows:
        text, trees = swap(tested.texts[row], tested.trees[row], dict.fromkeys(TOKENS[a], PLAIN[b]))
        vector = tested.embed([text], [trees])[0].astype(float)
        hits.append(holds(tested, top(vector, tested.recipes, {row}), b))
    entry = part.pairs["chicken->pork"]
    assert entry.rates.success["recipe-to-recipe"] == pytest.approx(100 * np.mean(hits))
    assert entry.each.hits["recipe-to-recipe"] == [float(hit) for hit in hits]


def test_the_queries_are_the_same_for_every_model(queries, part):
    assert {name: entry.rates.queries for name, entry in part.pairs.items()} == {
        f"{a}->{b}": len(rows) for (a, b), rows in queries.pairs.items()
    }
    assert len(part.pairs) == 20
    written = to_json(part)
    assert written["queries-from"] == "gold"
    assert written["gallery"] == {"recipes": 216, "splits": ["test", "train"]}


def test_an_entry_says_all_that_it_should(part):
    json.dumps(to_json(part))
    for name, entry in part.pairs.items():
        rates = entry.rates
        for way in DIRECTIONS:
            low, high = rates.success.ci[way]
            assert low <= rates.success[way] <= high
            assert rates.gain[way].difference == pytest.approx(rates.success[way] - rates.baseline[way])
        assert entry.put_in == PLAIN[name.split("->")[1]]


def test_test_queries_are_reported_apart_and_seen_ones_marked(among, part):
    of = dict(zip(among.ids, among.splits, strict=True))
    for entry in part.pairs.values():
        each, test = entry.each, entry.splits["test"]
        assert each.seen == [of[one] == "train" for one in each.ids]
        assert test.queries == each.seen.count(False)
        for way in DIRECTIONS:
            unseen = [hit for hit, seen in zip(each.hits[way], each.seen, strict=True) if not seen]
            assert test.success[way] == pytest.approx(100 * np.mean(unseen))


def test_pairs_with_few_queries_or_no_word_for_b_are_skipped():
    among = population(dishes(99))  # 22 of chicken, 11 of apples
    queries = choose_queries(among, None)
    part = substitution_task(evaluated("s+l+l", among), queries, seed=0)
    assert part.skipped["apple->beef"] == "11 queries, 20 are needed"
    assert "apple->beef" not in part.pairs
    assert part.pairs["chicken->apple"].rates.queries == 22
    assert part.pairs["chicken->beef"].splits == {}  # there is one split alone
    assert len(part.skipped) == 4
    part = substitution_task(evaluated("s+l+l", among, unknown=("apples",)), queries, seed=0)
    assert part.skipped["chicken->apple"] == "the model knows no word for apple"


def test_substring_matches_do_not_count():
    """A pineapple is no apple, chicken broth no chicken: only recipes with the food itself answer."""
    recipes = [dish(number, "beef", ["rice"]) for number in range(25)]
    recipes += [dish(25 + number, "pineapple", ["chicken_broth"]) for number in range(5)]
    among = population(recipes)
    part = substitution_task(evaluated("s+l+l", among), choose_queries(among, None), seed=0)
    for name in ("beef->apple", "beef->chicken"):
        assert [part.pairs[name].rates.success[way] for way in DIRECTIONS] == [0.0, 0.0]


def test_every_token_of_the_family_becomes_the_other_and_broth_stays():
    among = population([dish(0, "chicken_wings", ["chicken_broth", "rice"])])
    ((text, trees),) = Swapper(evaluated("t+t+l", among)).edits([(0, "chicken", "beef")])
    assert text.title == ["fried", "beef", "with", "chicken_broth", "qaaa"]
    assert text.ingredients == ["beef", "chicken_broth", "rice"]
    assert text.sentences[0] == ["fry", "the", "beef", "in", "a", "pan"]
    assert text.sentences[1] == ["add", "the", "chicken_broth", "and", "stir", "well"]
    assert trees.ingredients.tokens == ("beef", "chicken_broth", "rice")


def test_the_plain_name_and_a_token_that_only_this_data_has_are_of_the_family_too():
    recipe = replace(dish(0, "skinless_pork_loin_chop", ["rice"]), title="Pork with rice")
    tested = evaluated("t+l+l", population([recipe]))
    assert tested.texts[0].ingredients[0] == "skinless_pork_loin_chop"
    ((text, _),) = Swapper(tested).edits([(0, "pork", "fish")])
    assert (text.title[0], text.ingredients) == ("fish", ["fish", "rice"])


def test_gain_is_paired():
    """Ten queries more succeed, none fewer: certain when paired, though the two rates are close."""
    before = np.array([1.0] * 200 + [0.0] * 200)
    after = before.copy()
    after[200:210] = 1.0
    test = gain(after, before, seed=0)
    assert test.difference == pytest.approx(2.5)
    assert test.ci[0] > 0
    assert test.p < 0.01


# Queries


@pytest.fixture(scope="module")
def chooser():
    return evaluated("t+l+l", population(dishes()))


def test_queries_are_recipes_whose_shallowest_leaf_is_a_and_that_have_no_b(chooser):
    """By hand: the words of the shallowest leaves, and of the whole list."""
    wanted = []
    for row, tree in enumerate(chooser.ingredient_trees):
        nearest = min(tree.depths)
        shallowest = {
            token for token, depth in zip(tree.tokens, tree.depths, strict=True) if depth == nearest
        }
        if shallowest & TOKENS["chicken"] and not set(tree.tokens) & TOKENS["beef"]:
            wanted.append(row)
    queries = choose_queries(chooser.population, chooser)
    assert queries.pairs["chicken", "beef"] == tuple(wanted)
    assert len(wanted) > 5
    assert queries.chooser == "t+l+l"
    assert len(queries.pairs) == 20


def test_a_tie_for_shallowest_counts_and_the_absent_is_absent():
    recipes = [
        dish(0, "chicken", ["beef"]),
        dish(1, "chicken", ["onion"]),
        dish(2, "rice", ["chicken", "salt"]),
    ]
    among = population(recipes)
    chooser = evaluated("t+l+l", among)
    chooser.__dict__["ingredient_trees"] = [
        Tree.left(["chicken", "beef"]),
        Tree.left(["chicken", "onion"]),
        Tree.right(["rice", "chicken", "salt"]),
    ]
    pairs = choose_queries(among, chooser).pairs
    assert pairs["chicken", "pork"] == (0, 1)  # both leaves of two tie; rice alone is main in the third
    assert pairs["beef", "pork"] == (0,)
    assert pairs["chicken", "beef"] == (1,)
    assert pairs["beef", "chicken"] == ()


def test_without_a_tree_model_the_heaviest_ingredient_is_main():
    among = population([dish(0, "chicken", ["pork", "chicken_broth"]), dish(1, "rice", ["chicken"])])
    soup = dish(2, "beef", ["salt"])
    water = Ingredient("2 l water", "water", 2.0, "litre", 2000.0, "water")
    among = population([*among.recipes, soup.with_ingredients([water, *soup.ingredients])])
    queries = choose_queries(among, None)
    assert queries.chooser == "gold"
    assert queries.pairs["chicken", "beef"] == (0,)
    assert queries.pairs["chicken", "pork"] == ()
    assert queries.pairs["beef", "fish"] == (2,)  # water is never main
    assert queries.contains["chicken"].tolist() == [True, True, False]
    assert queries.contains["apple"].tolist() == [False] * 3


def test_short_says_whether_most_pairs_lack_queries():
    assert choose_queries(population(dishes(60)), None).short
    assert not choose_queries(population(dishes(540)), None).short


def test_a_chooser_without_trees_is_refused():
    among = population(dishes(9))
    with pytest.raises(ChefError, match="without a tree"):
        choose_queries(among, evaluated("s+l+l", among))
