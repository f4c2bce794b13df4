"""The plan against a replay: number the nodes and candidates one sequence and one level at a time."""

import numpy as np
import pytest
import torch

from chef.model.tree_lstm.plan import Capacity, ForestPlan, plan_forest, read_plan

LENGTHS = [3, 1, 5, 2, 5, 1]


def plan_of(lengths: list[int], capacity: Capacity | None = None) -> ForestPlan:
    plan, flat = plan_forest(torch.tensor(lengths), capacity)
    again = read_plan(flat.clone(), plan.capacity)
    for name in ("order", "lengths", "roots", "pairs", "leaf_table", "cand_table"):
        assert torch.equal(getattr(plan, name), getattr(again, name))
    return plan


@pytest.mark.parametrize("spare", [False, True])
def test_tables_and_roots(spare: bool) -> None:
    exact = plan_of(LENGTHS).capacity
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


def test_capacity_holds_what_is_smaller() -> None:
    capacity = Capacity.of(np.array(LENGTHS))
    wide = capacity.with_spare(None)
    assert wide.holds(capacity)
    assert not capacity.holds(wide)
    assert not wide.holds(Capacity.of(np.array([9])))  # a longer sequence than any
    both = Capacity.of(np.array([9])).with_spare(wide)
    assert both.holds(capacity)
    assert both.holds(Capacity.of(np.array([9])))


def test_single_leaves() -> None:
    plan = plan_of([1, 1])
    assert (plan.capacity.active, plan.capacity.candidates, plan.capacity.nodes) == ((), 0, 3)
    assert plan.roots.tolist() == [0, 1]
