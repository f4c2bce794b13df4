"""A few dishes of the generated kitchen, served by `chef serve` in a process, for the tests of the page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from chef.data.kitchen import write_kitchen
from chef.data.texts import PrepareSettings, TextMaker
from chef.food.canonical import CanonicalMap
from chef.index import Index
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from chef.readers import read
from chef.recipe import Recipe
from chef.text.vocabulary import Vocabulary

DISHES = 18
HOSTILE = "<img src=x onerror=\"document.title='broken in'\">Toast"  # a title that must stay a text
PLAIN = {
    "id": "toast",
    "title": HOSTILE,
    # Twice, so that the review has a pair to ask about: butter and unsalted butter.
    "ingredients": ["2 slices bread", "20 g unsalted butter", "1 tomato", "10 g unsalted butter"],
    "instructions": ["Toast the bread. Spread the butter on it.", "Slice the tomato and serve."],
    "tags": ["quick"],
}


def write_collection(folder: Path) -> Path:
    """A collection of painted plates and one recipe without a photo; its model knows their words."""
    write_kitchen(folder / "kitchen", DISHES, seed=95, size=128)
    recipes = [*read(folder / "kitchen"), Recipe.from_json(PLAIN)]
    Index(folder / "collection", _write_model(folder / "made", recipes)).add(recipes)
    return folder / "collection"


def _write_model(folder: Path, recipes: list[Recipe]) -> Path:
    """A T+T+L as it is before training."""
    texts = TextMaker(CanonicalMap.load(), PrepareSettings())
    words: Counter[str] = Counter({"beef": 1, "pork": 1})
    for text in map(texts, recipes):
        words.update([*text.title, *text.ingredients, *(word for part in text.sentences for word in part)])
    folder.mkdir()
    vocabulary = Vocabulary.build(words, minimum=1)
    vocabulary.save(folder / "words.tsv")
    CanonicalMap.load().save(folder / "map.tsv")
    torch.manual_seed(0)
    tower = {"kind": "small-cnn", "size": 32}
    model = JointModel(ModelConfig("t+t+l", len(vocabulary.words), tower, word=8, hidden=8, space=16)).eval()
    files = folder / "words.tsv", folder / "map.tsv"
    save_artefact(folder / "model", model, *files, PrepareSettings(), {"name": "small"})
    return folder / "model"


@contextmanager
def serving(collection: Path, review: Path) -> Iterator[str]:
    """The address of `chef serve`, which ends with the block."""
    command = [sys.executable, "-m", "chef", "serve", "--index", str(collection), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--review", str(review)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), "chef serve did not start"
        yield address
    finally:
        process.terminate()
        process.wait(20)
