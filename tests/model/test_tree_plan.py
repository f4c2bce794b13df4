"""The plan against a replay: number the nodes and candidates one sequence and one level at a time.

A GPU makes the plan, so without one only its sizes are tested.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch

from chef.model.noise import has_triton
from chef.model.tree_lstm.plan import Capacity, ForestPlan, Planned

LENGTHS = [3, 1, 5, 2, 5, 1]
needs_gpu = pytest.mark.skipif(
    not (torch.cuda.is_available() and has_triton()), reason="needs an NVIDIA GPU with Triton"
)


def plan_of(lengths: list[int], capacity: Capacity | None = None) -> ForestPlan:
    from chef.model.tree_lstm.gpu import plan_forest

    capacity = capacity or Capacity.of(np.array(lengths))
    empty = [0] * (capacity.rows - len(lengths))
    plan = plan_forest(Planned.of(torch.tensor(lengths + empty).cuda(), capacity))
    tables = {name: value.cpu() for name, value in vars(plan).items() if isinstance(value, torch.Tensor)}
    return replace(plan, **tables)


@needs_gpu
@pytest.mark.parametrize("spare", [False, True])
def test_tables_and_roots(spare: bool) -> None:
    exact = Capacity.of(np.array(LENGTHS))
    plan = plan_of(LENGTHS, exact.with_spare(None) if spare else None)
    starts = [sum(LENGTHS[:row]) for row in range(len(LENGTHS))]
    seen = []
    for row, original in enumerate(plan.order.tolist()[: len(LENGTHS)]):
        length = LENGTHS[original]
        expected = list(range(starts[original], starts[original] + length))
        assert plan.leaf_table[row, :length].tolist() == expected
        for place, candidate in enumerate(plan.cand_table[row, : length - 1].tolist()):
            assert plan.pairs[candidate] == expected[place]
            seen.append(candidate)
        last = starts[original] if length == 1 else plan.capacity.first_node[length - 2] + row
        assert plan.roots[original] == last
    assert sorted(seen) == list(range(exact.pairs))
    assert (plan.pairs[exact.pairs :] == -1).all()
    assert (plan.lengths[len(LENGTHS) :] == 1).all()
    assert (plan.roots[len(LENGTHS) :] == plan.capacity.nodes - 1).all()  # the unused node
    assert sorted(plan.order.tolist()) == list(range(plan.capacity.rows))


@needs_gpu
@pytest.mark.parametrize("spare", [False, True])
def test_packed_items(spare: bool) -> None:
    exact = Capacity.of(np.array(LENGTHS))
    plan = plan_of(LENGTHS, exact.with_spare(None) if spare else None)
    x = torch.arange(plan.capacity.rows * 7.0).reshape(-1, 7, 1)
    items = [x[row, :length] for row, length in enumerate(LENGTHS)]
    assert torch.equal(plan.pack(x)[: sum(LENGTHS)], torch.cat(items))
    used = [leaf < sum(LENGTHS) for leaf in range(plan.capacity.leaves)]
    assert (plan.item_row >= 0).tolist() == (plan.item_place >= 0).tolist() == used


def test_capacity_holds_what_is_smaller() -> None:
    capacity = Capacity.of(np.array(LENGTHS))
    wide = capacity.with_spare(None)
    assert wide.holds(capacity)
    assert not capacity.holds(wide)
    assert not wide.holds(Capacity.of(np.array([9])))  # a longer sequence than any
    both = Capacity.of(np.array([9])).with_spare(wide)
    assert both.holds(capacity)
    assert both.holds(Capacity.of(np.array([9])))


@needs_gpu
def test_single_leaves() -> None:
    plan = plan_of([1, 1])
    assert (plan.capacity.active, plan.capacity.candidates, plan.capacity.nodes) == ((), 0, 3)
    assert plan.roots.tolist() == [0, 1]
