"""How models, controls and directions are called on the page."""

from __future__ import annotations

from pathlib import PurePath

from chef.report.paper import PAPER

BATCH_STATISTICS = " (batch statistics)"  # ends the name of ACME's second row
SPECIAL = {
    "acme": "ACME",
    "acme (batch statistics)": "ACME, batch norm in training mode",
    "h-t": "H-T",
    "afternoon": "afternoon (features + MLP)",
    "g+l+l-attention": "G+L+L with attention",
}
CONTROLS = {
    "random": "random tree",
    "balanced": "balanced tree",
    "left": "left-branching tree",
    "right": "right-branching tree",
    "first-listed": "first listed",
    "attention": "attention",
    "first-word": "first word",
    "random-word": "random word",
    "random-tree": "random tree",
}
DIRECTIONS = {"image-to-recipe": "Image to recipe", "recipe-to-image": "Recipe to image"}


def shown(model: str) -> str:
    """A model's name as the paper writes it.

    >>> shown("t+t+l")
    'T+T+L'
    """
    if model in SPECIAL:
        return SPECIAL[model]
    return model.upper() if _is_triple(model) else model


def data_name(data: str) -> str:
    """What data are called on the page: the last part of a path, the whole of an address."""
    return data if "://" in data else PurePath(data).name or data


def of_run(model: str, seed: int | None) -> str:
    """'T+T+L (training seed 0)': pictures are of one run."""
    return shown(model) if seed is None else f"{shown(model)} (training seed {seed})"


def control(name: str) -> str:
    return CONTROLS.get(name, name)


def order(model: str) -> tuple[int, str]:
    """Where a model stands in the paper's tables; models that the paper does not have come last."""
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


def _is_triple(model: str) -> bool:
    letters = model.split("+")
    return len(letters) == 3 and all(letter in "sglt" and len(letter) == 1 for letter in letters)
