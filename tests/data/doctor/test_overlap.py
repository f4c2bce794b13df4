from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chef.data.doctor.overlap import overlapping

# Few different members: most sets share something.
_SETS = st.lists(st.sets(st.integers(0, 25), max_size=12), max_size=15)


@given(_SETS, st.sampled_from([0.2, 0.5, 0.6, 0.8, 1.0]), st.integers(0, 4))
def test_finds_what_comparing_all_pairs_finds(sets: list[set[int]], share: float, minimum: int) -> None:
    found = list(overlapping([np.array(sorted(s), np.uint64) for s in sets], share, minimum))
    expected = set()
    for i, a in enumerate(sets):
        for j, b in enumerate(sets[:i]):
            smaller = min(len(a), len(b))
            if smaller >= max(minimum, 1) and len(a & b) >= share * smaller - 1e-9:
                expected.add((j, i, len(a & b)))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_many_candidates_are_compared_in_parts() -> None:
    # All sets share member 0 and nothing else; two are alike.
    sets = [np.array([0, 10 * n + 1], np.uint64) for n in range(3000)] + [np.array([0, 5001], np.uint64)]
    assert list(overlapping(sets, share=1.0)) == [(500, 3000, 2)]
