import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import chef.model.artefact
from chef.data.batches import recipe_batch
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.model import export as module
from chef.model.artefact import load, save_artefact
from chef.model.export import export, recipe_inputs
from chef.model.joint import JointModel
from tests.model.small_words import config_of, small_context, small_words
from tests.model.test_joint import SMALL

TEXT = PrepareSettings(max_words=3, max_ingredients=3, max_sentences=2)
RECIPES = [
    {"title": [5], "ingredients": [2, 3, 4], "sentences": [[6, 7, 8], [3]]},
    {"title": [9, 8, 7], "ingredients": [11], "sentences": [[2, 3]]},
    {"title": [], "ingredients": [3, 3], "sentences": []},
]


def artefact(folder: Path, name: str) -> Path:
    torch.manual_seed(0)
    (folder / "vocabulary.tsv").write_text("<PAD>\t0\n<UNK>\t0\n" + "".join(f"w{n}\t1\n" for n in range(28)))
    (folder / "canonical.tsv").write_text("token\tname\tcount\thow\n")
    files = folder / "vocabulary.tsv", folder / "canonical.tsv"
    like = config_of(name, vocabulary=30)
    config = replace(SMALL, variant=name, words=like.words, context=like.context)
    words = small_words(name, 30) if like.words["kind"] == "minilm" else None
    model = JointModel(config, words=words, context=small_context(name, 30))
    if name == "chef-base":
        bank = torch.nn.functional.normalize(torch.randn(2, 40, config.space), dim=2)
        model.fill_querybank(*bank)
    save_artefact(folder / "model", model, *files, TEXT, {}, eight_bits=name == "chef-base")
    return folder / "model"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t+t+l", "pic2rec", "chef-base", "minilm-trees"])
def test_the_files_give_what_the_model_gives(tmp_path: Path, name: str, monkeypatch) -> None:
    monkeypatch.setattr(chef.model.artefact, "SMALL", 1)  # all of chef-base's matrices have 8 bits
    monkeypatch.setattr(chef.model.artefact, "is_fast", lambda: True)
    folder = artefact(tmp_path, name)
    differences = export(folder, tmp_path / "onnx")
    assert max(differences.values()) < 1e-5
    model = load(folder, eight_bits=False).model
    recipe = onnxruntime.InferenceSession(tmp_path / "onnx" / "recipe.onnx")
    assert [item.name for item in recipe.get_inputs()] == list(recipe_inputs(RECIPES, TEXT))
    inputs = {key: value.numpy() for key, value in recipe_inputs(RECIPES, TEXT).items()}
    with torch.no_grad():
        wanted = model.embed_recipes(recipe_batch(RECIPES))
    np.testing.assert_allclose(recipe.run(None, inputs)[0], wanted.numpy(), atol=1e-5)
    image = onnxruntime.InferenceSession(tmp_path / "onnx" / "image.onnx")
    pixels = torch.randn(1, 3, 32, 32)  # another batch size than any used before
    with torch.no_grad():
        wanted = model.embed_images(pixels)
    np.testing.assert_allclose(image.run(None, {"pixels": pixels.numpy()})[0], wanted.numpy(), atol=1e-5)
    config = json.loads((tmp_path / "onnx" / "config.json").read_text())
    assert (config["max_words"], config["image_transform"]["crop"]) == (3, 32)
    files = {"image.onnx", "recipe.onnx", "config.json", "vocabulary.tsv", "canonical.tsv"}
    assert {file.name for file in (tmp_path / "onnx").iterdir()} == files


def test_sentences_lie_recipe_by_recipe() -> None:
    inputs = recipe_inputs(RECIPES, TEXT)
    first, second, none = [[6, 7, 8], [3, 0, 0]], [[2, 3, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]]
    assert inputs["sentences"].tolist() == [first, second, none]
    assert inputs["sentence_lengths"].tolist() == [[3, 1], [2, 0], [1, 0]]
    assert inputs["steps"].tolist() == [2, 1, 1]


@pytest.mark.slow
def test_a_difference_is_an_error_that_leaves_nothing(tmp_path: Path, monkeypatch) -> None:
    folder = artefact(tmp_path, "pic2rec")
    monkeypatch.setattr(module, "LARGEST_DIFFERENCE", -1.0)
    with pytest.raises(ChefError, match=r"image.onnx differs from torch by"):
        export(folder, tmp_path / "new" / "onnx")
    assert not list((tmp_path / "new").iterdir())


def test_mistakes(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(ChefError, match="no model in"):
        export(tmp_path / "nothing", tmp_path / "out")
    (tmp_path / "out").mkdir()
    with pytest.raises(ChefError, match="exists already"):
        export(tmp_path, tmp_path / "out")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ChefError, match=r"needs onnx, onnxscript, onnxruntime .*chef-food\[export\]"):
        export(tmp_path, tmp_path / "out")
