from pathlib import Path

import pytest
import torch
import torch.distributed as distributed
import torch.multiprocessing as processes
from safetensors.torch import load_file, save_file

from chef.model.heads import MemberHeads
from chef.train.distributed import Gallery
from chef.train.loss import InfoNCE
from chef.train.objectives.base import Retrieval
from tests.train.objectives.pieces import gradients, objective, small_model, step

NAMES = ["pic2rec", "acme", "h-t", "t+l+l"]
SHARES = [(slice(0, 3), slice(0, 4)), (slice(3, 8), slice(4, 6))]  # of pairs and texts, different in size


def worker(rank: int, folder: str) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    for name in NAMES:
        model = small_model(name)
        own = objective(model)
        value = own(model, step(*SHARES[rank]))
        value.backward()
        save_file({"value": value.detach(), **gradients(model, own)}, f"{folder}/{name}{rank}.safetensors")
    distributed.destroy_process_group()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("objectives")
    processes.spawn(worker, (str(folder),), nprocs=2)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_shares_add_up_to_the_full_batch(folder: Path, name: str) -> None:
    model = small_model(name)
    own = objective(model)
    value = own(model, step())
    value.backward()
    first, second = (load_file(folder / f"{name}{rank}.safetensors") for rank in (0, 1))
    torch.testing.assert_close(first["value"] + second["value"], value.detach(), rtol=0, atol=1e-10)
    wanted = gradients(model, own)
    assert first.keys() == second.keys() == {"value", *wanted}
    for parameter, gradient in wanted.items():
        total = first[parameter] + second[parameter]
        torch.testing.assert_close(total, gradient, rtol=1e-8, atol=1e-10, msg=parameter)


@pytest.mark.parametrize("name", NAMES)
def test_terms_one_after_the_other_give_the_gradient_of_their_sum(name: str) -> None:
    model = small_model(name)
    own = objective(model)
    own(model, step()).backward()
    wanted = gradients(model, own)
    for parameter in (*model.parameters(), *own.parameters()):
        parameter.grad = None
    terms = 0
    for term in own.terms(model, step()):
        term.backward()
        terms += 1
    assert terms == (2 if own.wants_texts else 1)
    found = gradients(model, own)
    assert found.keys() == wanted.keys()
    for parameter, gradient in wanted.items():
        torch.testing.assert_close(found[parameter], gradient, rtol=1e-8, atol=1e-10, msg=parameter)


def test_the_members_of_an_ensemble_learn_separately() -> None:
    """The loss is the mean of the members' own, not that of their mean cosines."""
    model = small_model("chef-base").eval()
    given, loss = step(), InfoNCE().double()
    images = model.embed_images(given.batch.images)
    recipes = model.embed_recipes(given.batch.recipes)
    assert isinstance(model.heads, MemberHeads)
    pairs = list(zip(model.heads.shares(images), model.heads.shares(recipes), strict=True))
    apart = [loss(ours, theirs, Gallery(ours, theirs, 0, given.groups)) for ours, theirs in pairs]
    value = Retrieval(loss)(model, given)
    torch.testing.assert_close(value, torch.stack(apart).mean())
    assert not torch.isclose(value, loss(images, recipes, Gallery(images, recipes, 0, given.groups)))
