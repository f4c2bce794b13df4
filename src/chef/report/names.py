"""The names of models, controls and directions on the page, and the paper's own figures."""

import json
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from chef.evaluate.results import BATCH_STATISTICS, ModelResult
from chef.files import rows

# From the tables of the paper. They were measured on Recipe1M and are kept apart from ours.
PAPER: dict[str, Any] = json.loads(files("chef.report").joinpath("paper.json").read_text(encoding="utf-8"))
MARK = f"Paper, on {PAPER['data']}"  # above all figures of theirs
NAMES = {row[0]: row[1] for row in rows("chef.report", "names.tsv")}
DIRECTIONS = {"image-to-recipe": "Image to recipe", "recipe-to-image": "Recipe to image"}


def shown(model: str) -> str:
    """A model's name as the paper writes it.

    >>> shown("t+t+l")
    'T+T+L'
    """
    letters = model.split("+")
    triple = len(letters) == 3 and all(letter in ("s", "g", "l", "t") for letter in letters)
    return NAMES.get(model) or (model.upper() if triple else model)


def data_name(data: str) -> str:
    """The name of data on the page: the last part of a path, the whole of a URL."""
    return data if "://" in data else PurePath(data).name or data


def of_run(run: ModelResult) -> str:
    """'T+T+L (training seed 0)': pictures are of one run."""
    seed = "" if run.about.seed is None else f" (training seed {run.about.seed})"
    return shown(run.model) + seed


def control(name: str) -> str:
    return NAMES.get(name, name)


def order(model: str) -> tuple[int, str]:
    """The position of a model in the paper's tables; models that the paper does not have come last."""
    known = list(PAPER["retrieval"])
    base = model.removesuffix(BATCH_STATISTICS)
    base = "g+l+l-attention" if base == "g+l+l" else base
    return (known.index(base) if base in known else len(known), model)


def listed(words: list[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """'1 recipe', '1,200 recipes'."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
