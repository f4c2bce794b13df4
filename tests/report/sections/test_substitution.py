"""The substitution section."""

import numpy as np
import pytest

from chef.evaluate.results import EachQuery, Gallery, Substitution, SwapPair, SwapRates
from chef.report.names import PAPER
from chef.report.sections.substitution import substitution_section
from chef.report.sections.substitution_tests import (
    gains,
    median_ranks,
    pooled,
    pooled_rivals,
    rank_models,
    together,
)
from chef.report.study import Study
from tests.report.made import WAYS
from tests.report.sections.studies import figures, paired, row, study, table

WAY = "recipe-to-image"


def test_rates_baseline_and_the_papers_rows_stand_apart():
    made = study(models=("t+t+l", "s+l+l"))
    shown = table(substitution_section(made), "substitution-chicken")
    headings = ["Chicken replaced", "Baseline: left unchanged", "Paper, on Recipe1M"]
    assert [block.heading for block in shown.blocks] == headings
    parts = made.runs[0].substitution.pairs
    pairs = ("chicken->beef", "chicken->pork")
    assert figures(row(shown, "T+T+L"))[:4] == [
        parts[pair].rates.success[way] for pair in pairs for way in WAYS
    ]
    baseline = [parts[pair].rates.baseline[way] for pair in pairs for way in WAYS]
    assert figures(row(shown, "T+T+L", 1)) == baseline
    theirs = PAPER["substitution"]["t+t+l"]
    assert figures(row(shown, "T+T+L", 2)) == [theirs[pair][way] for pair in pairs for way in WAYS] + [3.5]
    fish = table(substitution_section(made), "substitution-fish")  # which the paper has not replaced
    assert fish.title == "From fish"
    assert len(fish.blocks) == 2


def test_one_model_has_no_rank():
    assert median_ranks(study(models=("t+t+l", "s+l+l"))).keys() == {"chicken", "pork", "beef", "fish"}
    made = study(models=("t+t+l",))
    assert median_ranks(made) == {}
    shown = table(substitution_section(made), "substitution-chicken")
    assert row(shown, "T+T+L")[-1] is None
    assert not any("median rank" in said for said in shown.says)


def change_gains(made: Study, difference: float, pairs: tuple[str, ...]) -> None:
    for run in made.runs:
        for pair in pairs:
            run.substitution.pairs[pair].rates.gain = {way: paired(difference) for way in WAYS}


def test_gains_are_counted_column_by_column():
    made = study(models=("t+t+l",))
    change_gains(made, -9.0, ("chicken->beef",))
    change_gains(made, 1.0, ("chicken->pork",))
    assert (
        gains(made, "t+t+l", ["chicken->beef", "chicken->pork", "pork->beef"])
        == ["below"] * 2 + ["open"] * 2 + ["above"] * 2
    )
    said = table(substitution_section(made), "substitution-chicken").says[0]
    assert "T+T+L in 0 of 4 columns (behind in 2, not distinguishable in 2)" in said


@pytest.mark.parametrize(
    ("difference", "outcome"), [(9.0, "holds"), (1.0, "not settled"), (-9.0, "does not hold")]
)
def test_the_swap_must_beat_the_unchanged_recipe(difference, outcome):
    made = study(models=("t+t+l",))
    change_gains(made, difference, tuple(made.runs[0].substitution.pairs))
    section = substitution_section(made)
    assert [finding.outcome for finding in section.findings] == [outcome]


def test_the_lead_says_what_was_left_out_and_the_first_galleries_are_open():
    section = substitution_section(study())
    assert "apple → fish (3 queries, 20 are needed)" in section.lead
    assert "The gallery is 1,200 recipes (test and train)." in section.lead
    assert "by the tree of T+T+L" in section.lead
    open_ones = [block for block in section.blocks if 'class="swaps"' in getattr(block, "html", "")]
    assert len(open_ones) == 2
    assert all(block.caption.startswith("T+T+L (training seed 0)") for block in open_ones)


def test_kept_anew_and_there_and_back():
    made = study(models=("t+t+l",))
    rates = made.runs[0].substitution.pairs["chicken->beef"].rates
    cells = row(table(substitution_section(made), "substitution-ways"), "chicken → beef")
    parts = (rates.success, rates.reinferred, rates.two_step)
    assert figures(cells) == [part[way] for part in parts for way in WAYS]


def test_the_queries_of_the_split_stand_apart_unless_all_are_of_it():
    made = study(models=("t+t+l",))
    rates = made.runs[0].substitution.pairs["chicken->beef"].splits["test"]
    asked = table(substitution_section(made), "substitution-asked")
    expected = [40, *(rates.success[way] for way in WAYS), *(rates.baseline[way] for way in WAYS)]
    assert figures(row(asked, "T+T+L, chicken → beef")) == expected
    for pair in made.runs[0].substitution.pairs.values():
        pair.splits = {}
    assert "substitution-asked" not in [one.name for one in substitution_section(made).tables]


def part(hits: dict[str, list[float]], rates: dict[str, SwapRates] | None = None) -> Substitution:
    """A part in which every pair asks the same recipes."""
    pairs = {
        pair: SwapPair(
            rates=(rates or {}).get(pair),
            put_in=None,
            each=EachQuery(ids=[f"r{number}" for number in range(len(values))], hits={WAY: values}),
            splits={},
        )
        for pair, values in hits.items()
    }
    gallery = Gallery(recipes=9, splits=["test"])
    return Substitution(pairs=pairs, queries_from="gold", gallery=gallery, skipped={})


def test_the_difference_is_the_mean_over_all_queries():
    first, second = part({"a->b": [1, 1, 0], "a->c": [1, 0]}), part({"a->b": [0, 1, 0], "a->c": [0, 0]})
    gap = pooled(first, second, WAY, seed=0)
    assert gap.difference == pytest.approx(100 * 2 / 5)
    assert gap.low <= gap.difference <= gap.high


def test_asking_a_recipe_often_does_not_narrow_the_interval():
    draw = np.random.default_rng(0)
    once = draw.integers(0, 2, 40).astype(float).tolist()
    none = [0.0] * 40
    gap = pooled(part({"a->b": once}), part({"a->b": none}), WAY, seed=0)
    many = [f"a->{number}" for number in range(8)]
    again = pooled(part(dict.fromkeys(many, once)), part(dict.fromkeys(many, none)), WAY, seed=0)
    assert (again.low, again.high) == pytest.approx((gap.low, gap.high))


def test_runs_of_one_seed_are_compared_with_models_without_trees():
    shown = pooled_rivals(study(models=("t+t+l", "t+l+l", "s+l+l"), seeds=(0, 1)), "t+t+l")
    assert {way: list(gaps) for way, gaps in shown.items()} == {way: ["S+L+L"] for way in WAYS}
    assert [len(gaps) for rivals in shown.values() for gaps in rivals.values()] == [2, 2]


def test_other_queries_cannot_be_compared():
    made = study(models=("t+t+l", "s+l+l"))
    made.runs[1].substitution.pairs["chicken->beef"].each.ids[0] = "another"
    assert pooled_rivals(made, "t+t+l") == {way: {} for way in WAYS}


def test_together_weights_by_queries():
    none = dict.fromkeys(("success", "baseline", "reinferred", "two_step"))
    rates = {
        "a->b": SwapRates(queries=30, gain={WAY: paired(10.0, 4.0)}, **none),
        "a->c": SwapRates(queries=10, gain={WAY: paired(-2.0, 8.0)}, **none),
    }
    gap = together(part({pair: [] for pair in rates}, rates), WAY)
    assert gap.difference == pytest.approx((30 * 10 - 10 * 2) / 40)
    assert gap.low == pytest.approx((30 * 6 - 10 * 10) / 40)
    assert gap.high == pytest.approx((30 * 14 + 10 * 6) / 40)


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


def pairs_of(rates):
    both = zip(PAIRS, rates[::2], rates[1::2], strict=True)
    return {pair: {"recipe-to-image": image, "recipe-to-recipe": text} for pair, image, text in both}


def test_gives_the_papers_column():
    shown = rank_models({name: pairs_of(rates) for name, (rates, _) in TABLE_4.items()})["chicken"]
    assert shown == {name: printed for name, (_, printed) in TABLE_4.items()}


def test_equal_rates_share_the_better_rank():
    results = {name: pairs_of([rate] * 8) for name, rate in (("a", 5.0), ("b", 7.0), ("c", 5.0))}
    assert rank_models(results)["chicken"] == {"a": 2.0, "b": 1.0, "c": 2.0}


def test_a_pair_that_one_model_lacks_counts_for_none():
    first, second = pairs_of([9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), pairs_of([5.0] * 8)
    assert rank_models({"first": first, "second": second})["chicken"] == {"first": 2.0, "second": 1.0}
    only = {pair: first[pair] for pair in PAIRS[:1]}
    assert rank_models({"first": only, "second": second})["chicken"] == {"first": 1.0, "second": 2.0}
    assert rank_models({"first": {}, "second": second}) == {}
