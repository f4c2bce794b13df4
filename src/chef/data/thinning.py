"""Titles with some of their words left out: for texts what cropping is for photos."""

from __future__ import annotations

import numpy as np

from chef.data.batches import Tokens

_OWN = 1  # keeps these draws apart from those of a pair's picture, which begin with the same numbers


def thinned(tokens: Tokens, share: float, *place: int) -> Tokens:
    """The recipe with that share of its title's words left out, by chance; one is always left.

    The same for the same place: seed, epoch and position.
    """
    title = tokens["title"]
    if not share or not title:
        return tokens
    random = np.random.default_rng([*place, _OWN])
    kept = [word for word, drawn in zip(title, random.random(len(title)), strict=True) if drawn >= share]
    return {**tokens, "title": kept or [title[int(random.integers(len(title)))]]}
