from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.batches import recipe_batch
from chef.errors import ChefError
from chef.model.batch_norm import BatchNorm, synchronise_batch_norm, use_batch_statistics
from chef.model.heads import (
    Heads,
    MemberHeads,
    Querybank,
    SeparateHeads,
    build_heads,
    unit,
)
from chef.model.joint import JointModel
from chef.model.noise import SampleNoise
from tests.model.test_joint import SMALL, numbers

SHAPES = [(7, 5), (7, 5, 3, 4)]
FIRST = 3  # rows of the first process; the other has the rest, so the shares differ
KINDS = ["single", "aligned", "linear", "mlp", "named"]


def heads(kind: str) -> SeparateHeads:
    torch.manual_seed(0)
    return build_heads(kind, recipe=6, image=4, space=8, word=2, named=True).double()  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("kind", [*KINDS, "shared"])
def test_points_of_length_one_and_nothing_shared(kind: str) -> None:
    both = heads(kind)
    recipes = both.embed_recipes(torch.randn(5, 6).double())
    images = both.embed_images(torch.randn(5, 4).double())
    for points in (recipes, images):
        torch.testing.assert_close(points.norm(dim=1), torch.ones(5, dtype=torch.float64))
    recipes[:, 0].sum().backward()
    taught = {name.split(".")[0] for name, value in both.named_parameters() if value.grad is not None}
    assert taught == ({"recipe", "shared"} if kind == "shared" else {"recipe"})


def by_hand(kind: str, side: torch.nn.Module, x: Tensor) -> Tensor:
    if kind in ("mlp", "named"):
        out = side.last(side.first(x).clamp(min=0))
        return out if kind == "mlp" else out + F.normalize(x[:, side.place], dim=1) @ side.name.weight.T
    out = x @ side.only.weight.T + side.only.bias
    if kind == "linear":
        return out
    out = torch.tanh(out)
    if kind == "single":
        return out
    out = out / out.norm(dim=1, keepdim=True)
    return (out - out.mean(0)) / (out.var(0, unbiased=False) + 1e-5).sqrt()


@pytest.mark.parametrize("kind", KINDS)
def test_in_plain_formulas(kind: str) -> None:
    # The MLP without dropout, batch norm with the batch's numbers.
    both = heads(kind).train(kind == "aligned")
    recipes, images = torch.randn(5, 6).double(), torch.randn(5, 4).double()
    wanted = F.normalize(by_hand(kind, both.recipe, recipes), dim=1)
    torch.testing.assert_close(both.embed_recipes(recipes), wanted)
    wanted = F.normalize(by_hand(kind, both.image, images), dim=1)
    torch.testing.assert_close(both.embed_images(images), wanted)


def test_dropout_belongs_to_the_sample() -> None:
    both = heads("mlp")
    x, keys = torch.randn(6, 6).double(), torch.tensor([5, 17, 3, 8, 2, 11])
    whole = both.embed_recipes(x, SampleNoise(keys, 4))
    torch.testing.assert_close(both.embed_recipes(x[3:5], SampleNoise(keys[3:5], 4)), whole[3:5])
    assert not torch.allclose(both.embed_recipes(x, SampleNoise(keys, 5)), whole)
    assert not torch.allclose(both.embed_recipes(x), both.embed_recipes(x))  # torch's own generator


def test_named_heads_start_from_the_name_alone() -> None:
    """Before any step, cosines of points are those of the title's and the dish name's vectors."""
    both = heads("named")
    recipes, images = torch.randn(5, 6).double(), torch.randn(7, 4).double()
    cosines = both.embed_images(images) @ both.embed_recipes(recipes).T
    wanted = F.normalize(images[:, 2:], dim=1) @ F.normalize(recipes[:, :2], dim=1).T
    torch.testing.assert_close(cosines, wanted)
    both.recipe.last.weight.data.normal_()
    assert not torch.allclose(both.embed_images(images) @ both.embed_recipes(recipes).T, wanted)


@pytest.mark.parametrize(("named", "space"), [(True, 12), (False, 13)])
def test_members_cosine_is_a_mean_of_theirs(named: bool, space: int) -> None:
    torch.manual_seed(0)
    made = build_heads("members", 16, 4, space, 2, named, readings=[7, 3, 6])
    all_ = made.double().eval()
    assert isinstance(all_, MemberHeads)
    recipes, images = torch.randn(5, 16).double(), torch.randn(7, 4).double()
    seen = images[:, :2] if named else images
    first, second = all_.readers
    wanted = [
        first.embed_images(seen) @ first.embed_recipes(recipes[:, :7]).T,
        second.embed_images(seen) @ second.embed_recipes(recipes[:, 7:10]).T,
        all_.context.embed_images(images) @ all_.context.embed_recipes(recipes[:, 10:]).T,
    ]
    points = all_.embed_images(images), all_.embed_recipes(recipes)
    torch.testing.assert_close(points[0] @ points[1].T, sum(wanted) / 3)
    for ours, theirs, cosines in zip(*map(all_.shares, points), wanted, strict=True):
        torch.testing.assert_close(ours @ theirs.T, cosines)


def test_three_fully_connected_layers_in_plain_formulas() -> None:
    torch.manual_seed(1)
    shared = Heads(recipe=6, image=4, space=8).double()
    x = torch.randn(9, 6, dtype=torch.float64)

    def norm(values: torch.Tensor) -> torch.Tensor:
        return (values - values.mean(0)) / (values.var(0, unbiased=False) + 1e-5).sqrt()

    side = shared.recipe
    first = torch.tanh(norm(x) @ side.first.weight.T + side.first.bias)
    middle = torch.tanh(norm(first @ shared.shared.weight.T + shared.shared.bias))
    last = middle @ side.last.weight.T + side.last.bias
    torch.testing.assert_close(shared.embed_recipes(x), last / last.norm(dim=1, keepdim=True))


def test_half_precision_still_gives_length_one() -> None:
    shared = Heads(recipe=18, image=7, space=64)
    with torch.autocast("cpu", torch.bfloat16):
        points = shared.embed_recipes(torch.randn(5, 18))
    torch.testing.assert_close(points.norm(dim=1), torch.ones(5))


def batch(shape: tuple[int, ...]) -> Tensor:
    torch.manual_seed(0)
    return torch.randn(shape, dtype=torch.float64) * 3 + 1


def step(norm: nn.Module, x: Tensor, factors: Tensor) -> dict[str, Tensor]:
    """One training step; the loss is a sum over rows, so the processes' losses add up."""
    x = x.clone().requires_grad_()
    out = norm(x)
    (out.sin() * factors).sum().backward()
    grads = {f"grad {name}": value.grad for name, value in norm.named_parameters()}
    return {"x": x.grad, "out": out.detach(), **grads, **norm.state_dict()}


def ready() -> BatchNorm:
    norm = BatchNorm(5).double()
    with torch.no_grad():
        norm.weight.copy_(torch.linspace(0.5, 2, 5))
        norm.bias.copy_(torch.linspace(-1, 1, 5))
    return norm


def worker(rank: int, folder: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2)
    results: dict[str, Tensor] = {}
    for shape in SHAPES:
        rows = slice(0, FIRST) if rank == 0 else slice(FIRST, None)
        factors = torch.linspace(-1, 1, 7, dtype=torch.float64).view(-1, *[1] * (len(shape) - 1))
        result = step(ready(), batch(shape)[rows], factors[rows])
        results |= {f"{len(shape)} {name}": value for name, value in result.items()}
    save_file(results, f"{folder}/{rank}.safetensors")
    dist.destroy_process_group()


def test_two_processes_equal_one_with_the_full_batch(tmp_path: Path) -> None:
    mp.spawn(worker, (str(tmp_path),), nprocs=2)
    parts = [load_file(tmp_path / f"{rank}.safetensors") for rank in (0, 1)]
    for shape in SHAPES:
        factors = torch.linspace(-1, 1, 7, dtype=torch.float64).view(-1, *[1] * (len(shape) - 1))
        whole = step(ready(), batch(shape), factors)
        first, second = ({name: part[f"{len(shape)} {name}"] for name in whole} for part in parts)
        for name in ("x", "out"):
            torch.testing.assert_close(torch.cat([first[name], second[name]]), whole[name])
        for name in ("grad weight", "grad bias"):
            torch.testing.assert_close(first[name] + second[name], whole[name])
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            torch.testing.assert_close(first[name], whole[name])
            torch.testing.assert_close(second[name], whole[name])


@pytest.mark.parametrize("shape", SHAPES)
def test_one_process_is_torchs_own(shape: tuple[int, ...]) -> None:
    theirs = (nn.BatchNorm1d if len(shape) == 2 else nn.BatchNorm2d)(5).double()
    ours = BatchNorm(5).double()
    for _ in range(2):
        assert torch.equal(ours(batch(shape)), theirs(batch(shape)))
    assert torch.equal(ours.eval()(batch(shape)), theirs.eval()(batch(shape)))


def test_gather_statistics_keeps_the_values() -> None:
    network = nn.Sequential(nn.Conv2d(3, 5, 1), nn.BatchNorm2d(5), nn.Sequential(nn.BatchNorm2d(5)))
    x = torch.randn(4, 3, 2, 2)
    network(x)
    before = network.eval()(x)
    synchronise_batch_norm(network)
    assert isinstance(network[1], BatchNorm)
    assert isinstance(network[2][0], BatchNorm)
    assert torch.equal(network(x), before)


def test_wrong_shape() -> None:
    with pytest.raises(ValueError, match="batch norm takes"):
        BatchNorm(5)(torch.zeros(2, 5, 3))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_batchs_own_statistics_in_evaluation(shape: tuple[int, ...]) -> None:
    norm = nn.Sequential(ready())
    x = batch(shape)
    in_training = norm(x)
    kept = {name: value.clone() for name, value in norm.state_dict().items()}
    fixed = norm.eval()(x)
    assert not torch.allclose(fixed, in_training)
    use_batch_statistics(norm, True)
    torch.testing.assert_close(norm(x), in_training)
    for name, value in norm.state_dict().items():
        assert torch.equal(value, kept[name]), name  # looking changes nothing
    use_batch_statistics(norm, False)
    assert torch.equal(norm(x), fixed)


def test_a_point_is_shorter_the_nearer_the_querybank_is() -> None:
    torch.manual_seed(0)
    images, recipes, points = (unit(torch.randn(count, 6)).double() for count in (100, 100, 5))
    bank = Querybank(100, 6, nearest=7).double()
    bank.fill(images, recipes)

    def crowding(some: Tensor, others: Tensor) -> Tensor:
        return torch.stack([(others @ one).sort(descending=True).values[:7].mean() for one in some])

    for scale, own, others in ((bank.scale_images, images, recipes), (bank.scale_recipes, recipes, images)):
        usual = 0.3 + crowding(own, others).mean()
        lengths = usual / (0.3 + crowding(points, others))
        torch.testing.assert_close(scale(points), points * lengths[:, None])


def test_training_does_not_use_the_querybank() -> None:
    torch.manual_seed(0)
    model = JointModel(SMALL).eval()
    images = torch.randn(3, 3, 32, 32)
    plain = model.embed_images(images)
    bank = unit(torch.randn(8, SMALL.space))
    model.fill_querybank(bank, bank)
    scaled = model.embed_images(images)
    assert not torch.allclose(scaled, plain)
    torch.testing.assert_close(unit(scaled), plain)
    again = JointModel(model.config)
    again.load_state_dict(model.state_dict())
    torch.testing.assert_close(again.eval().embed_images(images), scaled)
    model.train()
    torch.testing.assert_close(model.embed_images(images).norm(dim=1), torch.ones(3))


def test_other_numbers_of_points_count_after_training() -> None:
    torch.manual_seed(0)
    model = JointModel(SMALL).eval()
    with pytest.raises(ChefError, match="no querybank"):
        model.count_nearest(3)
    images, recipes = torch.randn(5, 3, 32, 32), recipe_batch(numbers(SMALL.vocabulary, 5))
    bank = unit(torch.randn(2, 40, SMALL.space))
    model.fill_querybank(*bank)
    before = model.embed_images(images), model.embed_recipes(recipes)
    model.count_nearest(3)
    after = model.embed_images(images), model.embed_recipes(recipes)
    other = JointModel(model.config).eval()  # as it is loaded
    other.load_state_dict(model.state_dict())
    filled = JointModel(replace(SMALL, nearest=3)).eval()
    filled.load_state_dict(model.state_dict(), strict=False)
    filled.fill_querybank(*bank)
    for old, new, loaded, fresh in zip(
        before,
        after,
        *((one.embed_images(images), one.embed_recipes(recipes)) for one in (other, filled)),
        strict=True,
    ):
        assert not torch.allclose(old, new)
        torch.testing.assert_close(unit(old), unit(new))
        torch.testing.assert_close(loaded, new)
        torch.testing.assert_close(fresh, new)
