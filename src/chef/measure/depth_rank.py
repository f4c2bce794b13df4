"""The rank of the gold ingredient by leaf depth: the shallowest leaf is the most important (Table 2).

Ties are never free: a tree with every leaf at one depth names each ingredient first with equal chance. Were
the rank the depth gap to the shallowest leaf, such a tree would be right every time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chef.measure.ranks import Ranks

AT = (1, 2, 3)  # R@1, R@2, R@3: the columns of Table 2


def depth_ranks(depths: Sequence[Sequence[float]], gold: Sequence[int]) -> Ranks:
    """For each recipe, where its leaf gold[i] stands among the leaves at depths[i], shallowest first.

    >>> depth_ranks([[3, 3, 2, 1]], [2]).better
    array([1])
    """
    better, tied = [], []
    for leaves, position in zip(depths, gold, strict=True):
        better.append(sum(depth < leaves[position] for depth in leaves))
        tied.append(sum(depth == leaves[position] for depth in leaves))
    return Ranks(np.array(better, np.int64), np.array(tied, np.int64))
