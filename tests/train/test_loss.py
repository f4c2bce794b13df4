import math
from functools import partial

import pytest
import torch

from chef.train.distributed import Gallery
from chef.train.loss import InfoNCE, TripletLoss
from tests.train.loss_oracle import SCALE, brute_force, embeddings

GROUPS = {"all different": None, "some alike": [4, 1, 4, 2, 3, 1, 5, 4, 6], "all alike": [0] * 9}

LOSSES = {
    "triplet": TripletLoss,
    "triplet-all": partial(TripletLoss, miner="all"),
    "triplet-semi-hard": partial(TripletLoss, miner="semi-hard"),
    "triplet-intra-modal": partial(TripletLoss, intra_modal=True),
    "infonce": InfoNCE,
}


def value_and_gradients(value, inputs):
    return value.detach(), torch.autograd.grad(value, inputs, allow_unused=True, materialize_grads=True)


def assert_same(result, wanted):
    torch.testing.assert_close(result[0], wanted[0], rtol=1e-12, atol=1e-12)
    for one, other in zip(result[1], wanted[1], strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("groups", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize("build", LOSSES.values())
def test_equal_to_brute_force(build, groups):
    inputs = embeddings(9, 4, seed=0)
    loss = build().double()
    gallery = Gallery(*inputs, groups=None if groups is None else torch.tensor(groups))
    log_scale = loss.log_scale if isinstance(loss, InfoNCE) else torch.tensor(SCALE, requires_grad=True)
    inputs = (*inputs, log_scale)
    wanted = brute_force(loss, *inputs[:2], groups, log_scale.exp())
    value = loss(*inputs[:2], gallery)
    if groups == GROUPS["all alike"] and not isinstance(loss, InfoNCE):
        assert value == wanted == 0
    else:
        assert wanted > 0.01 or groups  # every miner has work to do
        assert_same(value_and_gradients(value, inputs), value_and_gradients(wanted, inputs))


@pytest.mark.parametrize("name", LOSSES)
def test_shares_of_a_batch_add_up_to_the_whole(name):
    images, recipes = embeddings(9, 4, seed=1)
    loss = LOSSES[name]().double()
    groups = torch.tensor(GROUPS["some alike"])
    inputs = (images, recipes, *loss.parameters())
    wanted = loss(images, recipes, Gallery(images, recipes, 0, groups))
    shares = [
        loss(images[part], recipes[part], Gallery(images, recipes, part.start, groups))
        for part in (slice(0, 2), slice(2, 7), slice(7, 9))
    ]
    assert_same(value_and_gradients(sum(shares), inputs), value_and_gradients(wanted, inputs))


def test_a_single_pair_has_no_negatives():
    images, recipes = embeddings(1, 4, seed=0)
    for name in LOSSES:
        assert LOSSES[name]()(images, recipes) == 0


def test_half_precision_is_not_used_for_the_margin():
    images, recipes = (rows.detach().float() for rows in embeddings(9, 64, seed=3))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = TripletLoss()(images, recipes)
    assert value.dtype == torch.float32
    assert value == TripletLoss()(images, recipes)


def test_the_temperature_is_learned_within_its_bound():
    loss = InfoNCE()
    assert loss.temperature == pytest.approx(0.07)
    optimiser = torch.optim.SGD(loss.parameters(), lr=10.0)
    for _ in range(30):
        images, _ = embeddings(6, 32, seed=0)
        optimiser.zero_grad()
        loss(images.detach().float(), images.detach().float()).backward()
        optimiser.step()
    assert loss.temperature < 0.07  # perfect pairs: the sharper the better
    loss(images.float(), images.float())
    assert loss.temperature >= 0.01 * (1 - 1e-6)
    with torch.no_grad():
        loss.log_scale.fill_(math.log(1000))
    badly_matched = images.float().roll(1, 0).detach()
    loss.zero_grad()
    loss(images.detach().float(), badly_matched).backward()
    assert loss.log_scale.grad > 0  # at the bound it can still come back
