"""Looks at many photos with all processor cores, and tells of them in order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from chef.data.doctor.checks.photo import Look, look
from chef.data.pool import Pool

_BATCH = 32
_FEW = 64  # for these a pool takes longer to start than to work


def looks(references: Sequence[str]) -> Iterator[Look]:
    """One look per reference, in order.

    >>> next(looks(["dinner.jpg"])).fault
    'no image at dinner.jpg (check that the source is still where it was read from)'
    """
    if len(references) <= _FEW:
        yield from map(look, references)
        return
    batches = [references[start : start + _BATCH] for start in range(0, len(references), _BATCH)]
    with Pool(len(os.sched_getaffinity(0)), warm=__name__) as pool:
        tasks = (partial(_look_at_all, number, batch) for number, batch in enumerate(batches))
        early: dict[int, list[Look]] = {}  # done before their turn
        turn = 0
        for number, done in pool.run(tasks):
            early[number] = done
            while turn in early:
                yield from early.pop(turn)
                turn += 1


def _look_at_all(number: int, references: Sequence[str]) -> tuple[int, list[Look]]:
    return number, [look(reference) for reference in references]
