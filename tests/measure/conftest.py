"""Vectors for the tests of `chef.measure`."""

from collections.abc import Callable

import numpy as np
import pytest


def _normalised(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def unit_vectors(count: int, dimension: int, seed: int) -> np.ndarray:
    return _normalised(np.random.default_rng(seed).standard_normal((count, dimension)))


def noisy_pairs(count: int, dimension: int, seed: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Images, and recipes that are the images with noise added."""
    images = unit_vectors(count, dimension, seed)
    return images, _normalised(images + noise * unit_vectors(count, dimension, seed + 1))


@pytest.fixture
def unit() -> Callable[[int, int, int], np.ndarray]:
    """unit(count, dimension, seed): random L2-normalised float32 vectors."""
    return unit_vectors
