"""A model's two towers as separate ONNX files, for use without torch.

OUT/image.onnx      pixels (batch, 3, H, W) -> embeddings (batch, space)
OUT/recipe.onnx     recipes' word numbers -> embeddings (batch, space)
OUT/config.json     the inputs' sizes, the image transform, the model's own configuration
OUT/vocabulary.tsv  words; a word's number is its line, from 0
OUT/canonical.tsv   the canonical map that the texts are read with

The batch size is free. Texts have fixed lengths, the limits on words, ingredients and sentences of the
model's data, since an exported tree must know its largest number of levels (trees have thousands of nodes, so
writing them takes minutes). Shorter texts are padded with 0 and come with their lengths. A recipe has all
seven inputs whatever the model reads, so that models can be exchanged.
"""

from __future__ import annotations

import json
import logging
import shutil
import warnings
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.files import staging_folder
from chef.model.artefact import find, load, read_config
from chef.model.joint import JointModel

LARGEST_DIFFERENCE = 1e-3  # between ONNX and torch, of any number of an embedding
_INPUTS = [item.name for item in fields(RecipeBatch) if item.name != "order"]
_Arrays = dict[str, Tensor]


def export(name: str | Path, out: Path) -> dict[str, float]:
    """Write the towers of a model or run to the new folder `out`, checked against torch.

    Returns the largest difference for "image" and "recipe".

    >>> export("run", Path("onnx"))
    {'image': 2.1e-07, 'recipe': 3.0e-07}
    """
    missing = [package for package in ("onnx", "onnxscript", "onnxruntime") if find_spec(package) is None]
    if missing:
        raise ChefError(f"exporting needs {', '.join(missing)}", "pip install 'chef-food[export]'")
    if out.exists():
        raise ChefError(f"{out} exists already", "choose another folder")
    folder = find(Path(name))
    config, model = read_config(folder), load(folder).model
    if model.variant.has_minilm:
        raise ChefError(
            f"{model.variant.name} reads words with MiniLM, which cannot be exported yet",
            "export a model with word vectors, such as one of the paper's",
        )
    text = PrepareSettings(**config["text"])
    with staging_folder(out) as new:
        differences = {
            "image": _export_images(model, new / "image.onnx"),
            "recipe": _export_recipes(model, text, new / "recipe.onnx"),
        }
        for file in ("vocabulary.tsv", "canonical.tsv"):
            shutil.copyfile(folder / file, new / file)
        facts = {
            "format": "chef-onnx",
            "version": 1,
            "space": model.config.space,
            "max_words": text.max_words,
            "max_ingredients": text.max_ingredients,
            "max_sentences": text.max_sentences,
            "image_transform": model.tower.transform.to_json(),
            "difference_from_torch": differences,
            "model": config["model"],
            "about": config["about"],
        }
        (new / "config.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return differences


class _Side(nn.Module):
    def __init__(self, model: JointModel) -> None:
        super().__init__()
        self.model = model


class _ImageSide(_Side):
    def forward(self, pixels: Tensor) -> Tensor:
        return self.model.embed_images(pixels)


class _RecipeSide(_Side):
    """`JointModel.embed_recipes` for sentences that are already grouped by recipe."""

    def forward(
        self,
        title: Tensor,
        title_lengths: Tensor,
        ingredients: Tensor,
        ingredient_lengths: Tensor,
        sentences: Tensor,
        sentence_lengths: Tensor,
        steps: Tensor,
    ) -> Tensor:
        """sentences (B, M, Ls), their lengths (B, M), padded with 0; others as in `RecipeBatch`."""
        recipe, most = self.model.recipe, sentences.shape[1]
        lengths = sentence_lengths.flatten().clamp(min=1)
        assert recipe.sentences is not None  # `export` took no other model
        read = recipe.sentences(recipe.words(sentences.flatten(0, 1)), lengths).vector
        parts = [
            recipe.ingredients(recipe.words(ingredients), ingredient_lengths).vector,
            recipe.instructions(read.unflatten(0, (-1, most)), steps).vector,
        ]
        if recipe.title is not None:
            parts.insert(0, recipe.title(recipe.words(title), title_lengths).vector)
        return self.model.heads.embed_recipes(torch.cat(parts, -1))


def _export_images(model: JointModel, file: Path) -> float:
    size = model.tower.transform.crop
    generator = torch.Generator().manual_seed(0)

    def pictures(count: int) -> _Arrays:
        return {"pixels": torch.randn(count, 3, size, size, generator=generator)}

    _write(_ImageSide(model), pictures(2), file)
    inputs = pictures(3)
    with torch.no_grad():
        wanted = model.embed_images(inputs["pixels"])
    return _difference(file, inputs, wanted)


def _export_recipes(model: JointModel, text: PrepareSettings, file: Path) -> float:
    _write(_RecipeSide(model), recipe_inputs(_recipes(model, text, 2), text), file)
    recipes = _recipes(model, text, 5)
    with torch.no_grad():
        wanted = model.embed_recipes(recipe_batch(recipes))  # the usual implementation, to check this one too
    return _difference(file, recipe_inputs(recipes, text), wanted)


def recipe_inputs(recipes: list[dict[str, Any]], text: PrepareSettings) -> _Arrays:
    """Recipes as word numbers (see `Tokens`) in the form that recipe.onnx takes."""
    batch = recipe_batch(recipes)
    inputs = {name: getattr(batch, name) for name in _INPUTS}
    rows = torch.repeat_interleave(torch.arange(len(batch)), batch.steps)
    positions = torch.cat([torch.arange(count) for count in batch.steps.tolist()])
    sentences = torch.zeros(len(batch), text.max_sentences, text.max_words, dtype=torch.long)
    sentences[rows, positions, : batch.sentences.shape[1]] = batch.sentences
    lengths = torch.zeros(len(batch), text.max_sentences, dtype=torch.long)
    lengths[rows, positions] = batch.sentence_lengths
    for name, width in (("title", text.max_words), ("ingredients", text.max_ingredients)):
        inputs[name] = nn.functional.pad(inputs[name], (0, width - inputs[name].shape[1]))
    return {**inputs, "sentences": sentences, "sentence_lengths": lengths}


def _recipes(model: JointModel, text: PrepareSettings, count: int) -> list[dict[str, Any]]:
    """Random recipes, from the shortest possible to the longest."""
    random = np.random.default_rng(0)

    def words(share: float, longest: int) -> list[int]:
        length = max(1, round(share * longest))
        return [int(word) for word in random.integers(1, model.config.vocabulary, length)]

    return [
        {
            "title": words(share, text.max_words),
            "ingredients": words(share, text.max_ingredients),
            "sentences": [
                words(share, text.max_words) for _ in range(max(1, round(share * text.max_sentences)))
            ],
        }
        for share in np.linspace(0, 1, count)
    ]


def _write(side: nn.Module, inputs: _Arrays, file: Path) -> None:
    batch = torch.export.Dim("batch")
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)  # without its log about its internals: the output is checked anyway
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                side.eval(),
                (),
                file,
                kwargs=inputs,
                input_names=list(inputs),
                output_names=["embeddings"],
                dynamic_shapes={name: {0: batch} for name in inputs},
                dynamo=True,
                external_data=False,
                verbose=False,
            )
    finally:
        log.setLevel(level)


def _difference(file: Path, inputs: _Arrays, wanted: Tensor) -> float:
    """The largest difference between the outputs of the file and of torch."""
    import onnxruntime

    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    known = {item.name for item in session.get_inputs()}
    (outputs,) = session.run(None, {name: value.numpy() for name, value in inputs.items() if name in known})
    difference = float(np.abs(outputs - wanted.numpy()).max())
    if not difference <= LARGEST_DIFFERENCE:  # nan is wrong too
        raise ChefError(
            f"{file.name} differs from torch by {difference:.1e}", "this model cannot be exported as it is"
        )
    return difference
