"""Vectors for the tests of `chef.measure`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest


def _unit(count: int, dimension: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def unit() -> Callable[[int, int, int], np.ndarray]:
    """unit(count, dimension, seed): random L2-normalised float32 vectors."""
    return _unit


@pytest.fixture
def pairs() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """pairs(count, dimension, seed, noise): images, and recipes that are the images with noise added."""

    def make(count: int, dimension: int, seed: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
        images = _unit(count, dimension, seed)
        recipes = images + noise * _unit(count, dimension, seed + 1)
        return images, (recipes / np.linalg.norm(recipes, axis=1, keepdims=True)).astype(np.float32)

    return make
