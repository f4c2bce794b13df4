from __future__ import annotations

from chef.evaluate.median_rank import median_ranks

# The paper's Table 4, success rates on Recipe1M from chicken to beef, apple, pork and fish, R-2-I and R-2-R
# each, and its last column.
TABLE_4 = {
    "pic2rec": ([17.3, 22.5, 5.9, 9.0, 10.6, 18.9, 2.7, 2.9], 10.0),
    "ACME": ([18.6, 18.9, 5.4, 6.3, 8.2, 8.9, 3.3, 3.1], 10.0),
    "S+L+L": ([29.6, 16.1, 10.3, 8.4, 15.9, 6.3, 8.6, 3.5], 5.5),
    "S+T+T": ([29.9, 7.3, 9.3, 7.2, 13.9, 4.1, 5.9, 2.6], 9.5),
    "G+L+L": ([28.5, 16.2, 9.2, 7.8, 15.2, 5.8, 7.1, 3.1], 8.0),
    "G+T+L": ([29.2, 16.2, 9.9, 9.2, 15.3, 7.1, 7.5, 3.6], 6.0),
    "G+T+T": ([28.2, 17.6, 11.4, 9.4, 13.9, 7.1, 6.9, 3.1], 6.5),
    "T+L+L": ([29.8, 20.0, 12.0, 10.4, 14.5, 7.0, 6.0, 3.5], 5.0),
    "T+L+T": ([29.6, 20.9, 11.3, 11.3, 15.0, 7.4, 7.4, 4.1], 4.0),
    "T+T+L": ([31.0, 21.1, 11.7, 9.7, 13.8, 7.6, 7.0, 4.2], 3.5),
    "T+T+T": ([30.0, 20.3, 12.2, 11.7, 15.4, 7.8, 6.5, 4.0], 2.5),
}
PAIRS = ("chicken->beef", "chicken->apple", "chicken->pork", "chicken->fish")


def part(rates):
    both = zip(PAIRS, rates[::2], rates[1::2], strict=True)
    return {pair: {"recipe-to-image": image, "recipe-to-recipe": text} for pair, image, text in both}


def test_gives_the_papers_column():
    found = median_ranks({name: part(rates) for name, (rates, _) in TABLE_4.items()})["chicken"]
    assert found == {name: printed for name, (_, printed) in TABLE_4.items()}


def test_equal_rates_share_the_better_rank():
    results = {name: part([rate] * 8) for name, rate in (("a", 5.0), ("b", 7.0), ("c", 5.0))}
    assert median_ranks(results)["chicken"] == {"a": 2.0, "b": 1.0, "c": 2.0}


def test_a_pair_that_one_model_lacks_counts_for_none():
    first, second = part([9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), part([5.0] * 8)
    assert median_ranks({"first": first, "second": second})["chicken"] == {"first": 2.0, "second": 1.0}
    only = {pair: first[pair] for pair in PAIRS[:1]}
    assert median_ranks({"first": only, "second": second})["chicken"] == {"first": 1.0, "second": 2.0}
    assert median_ranks({"first": {}, "second": second}) == {}
