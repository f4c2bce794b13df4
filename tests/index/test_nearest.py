import numpy as np
import pytest

from chef.index.nearest import VectorIndex, dtype_for

N, D = 24_000, 192


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Clouds around a few hundred points, as recipes are, in more directions than the first pass sees."""
    generator = np.random.default_rng(0)
    centres = generator.standard_normal((300, D)) * np.linspace(2, 0.2, D)
    found = centres[generator.integers(0, 300, N)] + 0.4 * generator.standard_normal((N, D))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def oracle(vectors, query, k, keep=None):
    """All scores, sorted: best first, of equals the lower row."""
    scores = (vectors @ query).tolist()
    rows = [i for i in range(len(vectors)) if keep is None or keep[i]]
    return sorted(rows, key=lambda i: (-scores[i], i))[:k]


def query(seed, vectors):
    found = vectors[seed] + 0.05 * np.random.default_rng(seed).standard_normal(D)
    return (found / np.linalg.norm(found)).astype(np.float32)


@pytest.mark.parametrize("share", [None, 0.004, 0.1, 0.5])
@pytest.mark.parametrize(
    ("exact", "dtype", "recall"), [(N, np.float32, 1), (100, np.float32, 0.98), (100, np.float16, 0.96)]
)
def test_top_is_what_the_oracle_says(vectors, share, exact, dtype, recall):
    index, right = VectorIndex(vectors.astype(dtype), exact), 0
    for seed in range(5):
        keep = None if share is None else np.random.default_rng(seed).random(N) < share
        rows, scores = index.top(query(seed, vectors), 10, keep)
        tolerance = {"rtol": 1e-5} if dtype == np.float32 else {"atol": 2e-4}
        np.testing.assert_allclose(scores, vectors[rows] @ query(seed, vectors), **tolerance)
        assert keep is None or keep[rows].all()
        assert (np.diff(scores) <= 0).all()
        right += len(set(rows.tolist()) & set(oracle(vectors, query(seed, vectors), 10, keep)))
    assert right / 50 >= recall


def test_large_collections_are_kept_in_half_precision():
    assert dtype_for(100) == np.float32
    assert dtype_for(N) == np.float16


def test_the_first_pass_is_used_and_need_not_see_everything(vectors, monkeypatch):
    nearest = VectorIndex(vectors, exact=100)
    looked = []
    monkeypatch.setattr(
        VectorIndex, "scores", lambda self, q, rows: looked.append(len(rows)) or self.vectors[rows] @ q
    )
    nearest.top(query(1, vectors), 10)
    assert 0 < sum(looked) < N // 4


def test_where_the_first_pass_says_nothing_the_answer_is_still_exact():
    # Every direction is alike: the first pass sees a part of the score that says little of the rest.
    generator = np.random.default_rng(1)
    vectors = generator.standard_normal((9_000, 512)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    wanted = generator.standard_normal(512).astype(np.float32)
    rows, _ = VectorIndex(vectors, exact=100).top(wanted, 10)
    exact, _ = VectorIndex(vectors).top(wanted, 10)
    assert rows.tolist() == exact.tolist()


@pytest.mark.parametrize("exact", [N, 100])
def test_a_bonus_counts_in_both_passes(vectors, exact):
    bonus = np.zeros(N, np.float32)
    bonus[[17, 23_000]] = 5
    rows, scores = VectorIndex(vectors, exact).top(query(2, vectors), 3, None, bonus)
    assert set(rows[:2].tolist()) == {17, 23_000}
    assert scores[0] > 4


def test_equal_rows_come_in_order_and_once():
    vectors = np.zeros((9_000, 8), np.float32)
    vectors[:, 0] = 1
    rows, scores = VectorIndex(vectors, exact=100).top(vectors[0], 10)
    assert rows.tolist() == list(range(10))
    assert scores.tolist() == [1.0] * 10


def test_fewer_rows_than_asked_for(vectors):
    keep = np.zeros(N, bool)
    keep[[5, 9]] = True
    rows, _ = VectorIndex(vectors, exact=100).top(query(5, vectors), 10, keep)
    assert sorted(rows.tolist()) == [5, 9]
    assert len(VectorIndex(vectors[:0]).top(query(5, vectors), 10)[0]) == 0
