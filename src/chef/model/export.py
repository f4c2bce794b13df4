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
import math
import shutil
import warnings
from collections.abc import Sequence
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.files import staging_folder, write_atomic
from chef.model.artefact import load
from chef.model.folder import checksum_of, find, read_config, read_weights
from chef.model.joint import JointModel, Reader
from chef.model.layout import Table
from chef.model.photos import GRAPH, PhotoSide, Vectors
from chef.model.words import END_PIECE, NO_PIECE, START_PIECE, ContextWords, Words
from chef.text.vocabulary import PAD

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
    config, model = read_config(folder), load(folder, eight_bits=False).model
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


def add_photo_graph(folder: Path) -> float:
    """Write a model's photo side for ONNX Runtime (`chef.model.photos`) into its folder.

    Returns the largest difference from torch. config.json gets the entries `photo` and `fingerprint`.
    """
    from onnx import TensorProto
    from onnxscript import optimizer

    config, loaded = read_config(folder), load(folder, eight_bits=False)
    model, state = loaded.model, loaded.model.state_dict()
    inputs = _pictures(model, 2)
    program = _exported(_PhotoSide(model), inputs, None, ["embeddings", "features"], optimize=False)
    optimizer.inline(program.model)
    # Small constants only: a batch norm stays as it is, and ONNX Runtime folds it when it has the weights.
    optimizer.fold_constants(program.model, input_size_limit=1024, output_size_limit=1024)
    optimizer.remove_unused_nodes(program.model)
    graph = program.model_proto
    names = []
    for tensor in graph.graph.initializer:
        if (name := tensor.name.removeprefix("model.")) in state:
            names.append(name)
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="weights")
    del graph.graph.value_info[:]
    for part in graph.graph.node:
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    write_atomic(folder / GRAPH, graph.SerializeToString())
    config["files"][GRAPH] = checksum_of(folder / GRAPH)
    config["fingerprint"] = loaded.fingerprint
    config["photo"] = {
        "transform": model.tower.transform.to_json(),
        "files": [file for file in config["weights"] if read_weights([folder / file], set(names))],
        "weights": names,
    }
    side = PhotoSide(folder, config)
    with torch.no_grad():
        wanted = model.embed_images(inputs["pixels"]).numpy()
    difference = _checked(side.embed(list(inputs["pixels"].numpy()))[0], wanted, GRAPH)
    write_atomic(folder / "config.json", (json.dumps(config, indent=2) + "\n").encode())
    return difference


class _Side(nn.Module):
    def __init__(self, model: JointModel) -> None:
        super().__init__()
        self.model = model


class _ImageSide(_Side):
    def forward(self, pixels: Tensor) -> Tensor:
        return self.model.embed_images(pixels)


class _PhotoSide(_Side):
    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        features = self.model.image_features(pixels, self.model.config.image_views)
        return self.model.place_images(features), features[0]


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
        whole, lengths = sentences.flatten(1), sentence_lengths.flatten().clamp(min=1)
        if recipe.words.contextual:
            words = _read(recipe.words, whole).view(-1, sentences.shape[2], recipe.words.width)
        else:
            words = _read(recipe.words, sentences.flatten(0, 1))
        parts = []
        for reader in (recipe, *(cast(Reader, other) for other in recipe.others)):
            if reader.title is not None:
                parts.append(reader.title(_read(recipe.words, title), title_lengths).vector)
            items = _read(recipe.words, ingredients)
            parts.append(reader.ingredients(items, ingredient_lengths).vector)
            if reader.sentences is None:
                text = whole.gather(1, _real_first(whole != PAD))
                parts.append(reader.instructions(_read(recipe.words, text), (whole != PAD).sum(1)).vector)
            else:
                read = reader.sentences(words, lengths).vector
                parts.append(reader.instructions(read.unflatten(0, (-1, most)), steps).vector)
        if recipe.context is not None:
            for ids in (title, ingredients, whole):
                real = (ids != PAD)[:, :, None]
                mean = (_read(recipe.context, ids) * real).sum(1) / real.sum(1)
                parts.append(nn.functional.normalize(mean, dim=1) * math.sqrt(recipe.context.width) / 2)
        return self.model.place_recipes(torch.cat(parts, -1))


def _read(words: Words, ids: Tensor) -> Tensor:
    """The vectors of words (B, L), of which 0 is none; of MiniLM without the packing, of unknown size.

    The pieces of a row come to its front, all rows are cut behind the longest, and sums go back to the words.
    """
    if not isinstance(words, ContextWords):
        vectors: Tensor = words(ids)
        return vectors
    spelled = words.table[ids]
    most, width = spelled.shape[2], ids.shape[1] * spelled.shape[2] + 2
    tokens = nn.functional.pad(spelled.flatten(1), (1, 0), value=START_PIECE)
    tokens = nn.functional.pad(tokens, (0, 1), value=END_PIECE).long()
    longest = int((tokens != NO_PIECE).sum(1).max().item())
    torch._check(longest >= 2)  # type: ignore[no-untyped-call]
    torch._check(longest <= width)  # type: ignore[no-untyped-call]
    order = _real_first(tokens != NO_PIECE)[:, :longest]
    tokens = tokens.gather(1, order)
    table = Table(tokens != NO_PIECE)
    position = torch.arange(longest).clamp(max=words.positions.num_embeddings - 1)
    x = words.norm(words.pieces(tokens) + words.positions(position)).flatten(0, 1)
    for layer in words.layers:
        x = layer(x, table)
    inside = table.mask & (order > 0) & (order < width - 1)
    word = torch.where(inside, (order - 1).div(most, rounding_mode="floor"), ids.shape[1])
    sums = x.new_zeros(ids.shape[0], ids.shape[1] + 1, words.width)
    sums = sums.scatter_add(1, word[:, :, None].expand(-1, -1, words.width), table.pad(x))
    means: Tensor = sums[:, :-1] / (spelled != NO_PIECE).sum(2).clamp(min=1)[:, :, None]
    return means


def _real_first(real: Tensor) -> Tensor:
    """(B, L) positions, those that are real first, in their order."""
    width = real.shape[1]
    return (torch.arange(width) + width * ~real).argsort(1)


def _pictures(model: JointModel, count: int) -> _Arrays:
    size = model.tower.transform.side
    return {"pixels": torch.randn(count, 3, size, size, generator=torch.Generator().manual_seed(count))}


def _export_images(model: JointModel, file: Path) -> float:
    _exported(_ImageSide(model), _pictures(model, 2), file)
    inputs = _pictures(model, 3)
    with torch.no_grad():
        wanted = model.embed_images(inputs["pixels"])
    return _difference(file, inputs, wanted)


def _export_recipes(model: JointModel, text: PrepareSettings, file: Path) -> float:
    _exported(_RecipeSide(model), recipe_inputs(_recipes(model, text, 2), text), file)
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


def _exported(
    side: nn.Module,
    inputs: _Arrays,
    file: Path | None,
    outputs: Sequence[str] = ("embeddings",),
    optimize: bool = True,
) -> Any:
    """The side as an ONNX program, also as a file where one is named."""
    batch = torch.export.Dim("batch")
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)  # without its log about its internals: the output is checked anyway
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.onnx.export(
                side.eval(),
                (),
                file,
                kwargs=inputs,
                input_names=list(inputs),
                output_names=list(outputs),
                dynamic_shapes={name: {0: batch} for name in inputs},
                dynamo=True,
                external_data=False,
                optimize=optimize,
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
    return _checked(outputs, wanted.numpy(), file.name)


def _checked(outputs: Vectors, wanted: Vectors, name: str) -> float:
    difference = float(np.abs(outputs - wanted).max())
    if not difference <= LARGEST_DIFFERENCE:  # nan is wrong too
        raise ChefError(
            f"{name} differs from torch by {difference:.1e}", "this model cannot be exported as it is"
        )
    return difference
