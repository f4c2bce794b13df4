"""A few dishes of the generated kitchen, served by `chef serve` in a process, for the tests of the page."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chef.data.kitchen import write_kitchen
from chef.data.texts import PrepareSettings, TextMaker
from chef.food.canonical import CanonicalMap
from chef.index import Index
from chef.readers import read
from chef.recipe import Recipe
from tests.serve.small import write_model

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
    words = ["beef", "pork"]
    for text in map(TextMaker(CanonicalMap.load(), PrepareSettings()), recipes):
        words += [*text.title, *text.ingredients, *(word for part in text.sentences for word in part)]
    model = write_model(folder / "made", words, seed=2)  # to which photos and recipes look alike
    Index(folder / "collection", model).add(recipes)
    return folder / "collection"


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or a skip."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium here")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()
