import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import chef
from chef.data.prepared import Prepared
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.model import artefact
from chef.model.eight_bits import EightBitLinear, scale_of, to_eight_bits
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from tests.model.small_words import config_of, small_context
from tests.tiny import write_prepared


def layer(inputs: int = 40, outputs: int = 24) -> EightBitLinear:
    """Rows of very different size, which one scale for all of them could not hold."""
    torch.manual_seed(0)
    weight = torch.randn(outputs, inputs) * torch.logspace(-3, 1, outputs)[:, None]
    scale = scale_of(weight)
    return EightBitLinear(to_eight_bits(weight, scale), scale, nn.Parameter(torch.randn(outputs)))


def tokens(count: int = 17, inputs: int = 40) -> Tensor:
    x = torch.randn(count, inputs, generator=torch.Generator().manual_seed(1))
    x *= torch.logspace(-3, 3, count)[:, None]
    x[3] = 0
    return x


@torch.no_grad()
def test_a_layer_is_off_by_half_a_step_of_its_inputs_at_most() -> None:
    ours, x = layer(), tokens()
    exact = x.double() @ ours.weight.double().T
    rounding = scale_of(x).double()[:, None] / 2 * ours.weight.double().abs().sum(1)
    difference = (ours(x).double() - ours.bias.double() - exact).abs()
    assert (difference <= 1.001 * rounding + 1e-6 * exact.abs() + 1e-6).all()
    assert difference.max() > 0  # it does round


@torch.no_grad()
def test_a_token_has_its_own_scale_whatever_is_beside_it() -> None:
    ours, x = layer(), tokens()
    together = ours(x)
    for row in range(len(x)):
        assert torch.equal(ours(x[row : row + 1])[0], together[row])


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@torch.no_grad()
def test_on_a_gpu_it_computes_in_single_precision() -> None:
    ours, x = layer(), tokens().cuda()
    wanted = torch.nn.functional.linear(x, ours.weight.cuda(), ours.bias.cuda())
    assert torch.equal(copy.deepcopy(ours).cuda()(x), wanted)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Prepared:
    return Prepared(write_prepared(tmp_path_factory.mktemp("tiny"), recipes=20))


@pytest.fixture(scope="module")
def folder(prepared, tmp_path_factory) -> Path:
    """A small chef-base in 8 bits."""
    torch.manual_seed(0)
    count = len(prepared.vocabulary)
    like = config_of("chef-base", vocabulary=count)
    config = ModelConfig("chef-base", vocabulary=count, context=like.context, word=16, hidden=12, space=24)
    model = JointModel(config, context=small_context("chef-base", count))
    place = tmp_path_factory.mktemp("saved") / "model"
    files = (prepared.folder / name for name in ("vocabulary.tsv", "canonical.tsv"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(artefact, "SMALL", 1)
        artefact.save_artefact(place, model, *files, PrepareSettings(max_words=7), {}, eight_bits=True)
    return place


@pytest.fixture(autouse=True)
def _on_such_a_cpu(monkeypatch) -> None:
    monkeypatch.setattr(artefact, "is_fast", lambda: True)


def layers(model: nn.Module) -> list[str]:
    return [name for name, part in model.named_modules() if isinstance(part, EightBitLinear)]


def test_transformers_are_loaded_in_8_bits_and_nothing_else(folder, monkeypatch) -> None:
    loaded = chef.load(folder)
    names = layers(loaded.model)
    # MiniLM has 2 layers of 4 dense ones here, H-T 2 of 4 for each of title, ingredients and two levels
    assert len([name for name in names if name.startswith("recipe.context.layers.")]) == 8
    assert len([name for name in names if name.startswith("recipe.others.0.")]) == 32
    assert len(names) == 40
    assert not layers(chef.load(folder, eight_bits=False).model)
    monkeypatch.setattr(artefact, "is_fast", lambda: False)
    assert not layers(chef.load(folder).model)


def test_the_state_is_that_of_single_precision(folder, prepared, tmp_path) -> None:
    ours, plain = chef.load(folder), chef.load(folder, eight_bits=False)
    assert ours.fingerprint == plain.fingerprint
    state, wanted = ours.model.state_dict(), plain.model.state_dict()
    assert state.keys() == wanted.keys()
    assert all(torch.equal(state[name], wanted[name]) for name in wanted)
    fresh = JointModel(ours.model.config)
    fresh.load_state_dict(state)  # strictly
    assert copy.deepcopy(ours.model).state_dict().keys() == wanted.keys()
    files = (prepared.folder / name for name in ("vocabulary.tsv", "canonical.tsv"))
    artefact.save_artefact(tmp_path / "again", ours.model, *files, PrepareSettings(max_words=7), {})
    again = chef.load(tmp_path / "again").model.state_dict()
    assert all(torch.equal(again[name], wanted[name].half().to(wanted[name].dtype)) for name in wanted)


def test_vectors_hardly_change_and_trees_do_not(folder, prepared) -> None:
    ours, plain = chef.load(folder), chef.load(folder, eight_bits=False)
    split = prepared.split("train")
    texts = [plain.read(split.recipe(place)) for place in range(10)]
    mine, its = ours.encoder.encode(texts), plain.encoder.encode(texts)
    cosines = (mine.vectors * its.vectors).sum(1) / np.linalg.norm(its.vectors, axis=1)
    assert cosines.min() > 0.999
    assert not np.array_equal(mine.vectors, its.vectors)
    assert mine.trees == its.trees
    for row, text in enumerate(texts):
        np.testing.assert_allclose(ours.encoder.embed([text])[0], mine.vectors[row], atol=1e-5)


def test_several_threads_get_what_one_gets(folder, prepared) -> None:
    model, split = chef.load(folder), prepared.split("train")
    texts = [model.read(split.recipe(place)) for place in range(8)]
    alone = [model.encoder.embed([text]).tolist() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(lambda text: model.encoder.embed([text]).tolist(), texts)) == alone


def test_it_cannot_be_trained(folder) -> None:
    with pytest.raises(ChefError, match="8 bits cannot be trained"):
        chef.load(folder).model.train()
    chef.load(folder, eight_bits=False).model.train()
