from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chef.data.doctor.duplicates import BITS, Groups, Repeats, close_pairs, overlapping

_HASH = st.integers(0, 2**64 - 1)


@st.composite
def crowded_hashes(draw: st.DrawFn) -> list[int]:
    """None, or hashes with many near ones among them: a few flips of a few."""
    seeds = draw(st.lists(_HASH, max_size=5))
    flips = st.lists(st.integers(0, 63), max_size=5)
    near = draw(st.lists(st.tuples(st.sampled_from(seeds), flips), max_size=25)) if seeds else []
    return seeds + [seed ^ sum(1 << bit for bit in set(bits)) for seed, bits in near]


@given(crowded_hashes())
def test_close_pairs_are_what_comparing_all_pairs_finds(hashes: list[int]) -> None:
    pairs = list(close_pairs(np.array(hashes, np.uint64)))
    everything = combinations(range(len(hashes)), 2)
    expected = {(i, j) for i, j in everything if (hashes[i] ^ hashes[j]).bit_count() <= BITS}
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


@given(st.data())
def test_repeats_name_the_earliest_recipe_before(data: st.DataObject) -> None:
    recipes = data.draw(st.integers(1, 12))
    splits = np.array(data.draw(st.lists(st.integers(0, 2), min_size=recipes, max_size=recipes)), np.int64)
    # A recipe may have several photos, several recipes one photo.
    photos = data.draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, recipes - 1)), max_size=20))
    groups = Groups(
        np.array([key for key, _ in photos], np.uint64), np.array([owner for _, owner in photos], np.int64)
    )
    number = st.integers(0, max(len(groups.keys) - 1, 0))
    links = data.draw(st.lists(st.tuples(number, number), max_size=6)) if len(groups.keys) else []
    repeats = Repeats.none(recipes)
    repeats.update(groups, links, splits)

    same = {(a, b) for g in range(len(groups.keys)) for a in groups.of(g) for b in groups.of(g)}
    for g, h in links:
        same |= {pair for a in groups.of(g) for b in groups.of(h) for pair in ((a, b), (b, a))}
    for recipe in range(recipes):
        earlier = [other for other in range(recipe) if (other, recipe) in same]
        within = [other for other in earlier if splits[other] == splits[recipe]]
        across = [other for other in earlier if splits[other] != splits[recipe]]
        assert repeats.within[recipe] == (min(within) if within else -1)
        assert repeats.across[recipe] == (min(across) if across else -1)


# Few different members: most sets share something.
_SETS = st.lists(st.sets(st.integers(0, 25), max_size=12), max_size=15)


@given(_SETS, st.sampled_from([0.2, 0.5, 0.6, 0.8, 1.0]))
def test_overlaps_are_what_comparing_all_pairs_finds(sets: list[set[int]], share: float) -> None:
    overlaps = list(overlapping([np.array(sorted(s), np.uint64) for s in sets], share))
    expected = set()
    for (j, b), (i, a) in combinations(enumerate(sets), 2):
        smaller = min(len(a), len(b))
        if smaller and len(a & b) >= share * smaller - 1e-9:
            expected.add((j, i, len(a & b)))
    assert len(overlaps) == len(set(overlaps))
    assert set(overlaps) == expected


def test_many_candidates_are_compared_in_parts() -> None:
    # All sets share member 0 and nothing else; two are alike.
    sets = [np.array([0, 10 * n + 1], np.uint64) for n in range(3000)] + [np.array([0, 5001], np.uint64)]
    assert list(overlapping(sets, share=1.0)) == [(500, 3000, 2)]
