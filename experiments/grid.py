"""A grid as data: which recipes, image tower, models and seeds an experiment is made of.

Everything is checked when it is read: a misspelt setting must not surface after a night of training.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from chef.errors import ChefError, did_you_mean
from chef.evaluate.results import TASKS
from chef.model.registry import variant
from chef.train.settings import make_settings

Options = Mapping[str, Any]
_OURS = ("model", "seed", "tower")  # settings that the grid itself fills in


@dataclass(frozen=True)
class Data:
    """Recipes: a kitchen to generate, a source to prepare, or prepared data as it is. One of the three."""

    name: str  # of its folder, and in the report
    kitchen: Options | None = None  # what `chef kitchen` takes
    source: str | None = None
    prepared: str | None = None
    prepare: Options | None = None  # what `chef prepare` takes


@dataclass(frozen=True)
class Tower:
    """An image tower to train first, inside its own model, and then freeze for all others."""

    data: Data | None  # None: the data of the grid
    model: str
    settings: Options


@dataclass(frozen=True)
class Grid:
    """Every model with every seed, on the same data and over the same tower."""

    data: Data
    tower: Tower | str  # one to train, or what `chef train --tower` takes
    models: Sequence[str]
    seeds: Sequence[int]
    settings: Options  # of `chef train`
    settings_of: Mapping[str, Options]  # more of them, for single models
    evaluate: Options  # of `chef evaluate`; attention-model and queries-from are names of the grid's models


def read_grid(path: Path) -> Grid:
    """The grid of a JSON file; a mistake in it is one clear line.

    >>> read_grid(Path("experiments/kitchen.json")).models
    ['t+t+l', 'g+l+l', 's+l+l']
    """
    try:
        values = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ChefError(
            f"no such grid: {path}", "name a JSON file, such as experiments/kitchen.json"
        ) from error
    except (OSError, ValueError) as error:
        raise ChefError(f"cannot read the grid {path}: {error}") from error
    _known(values, "the grid", ("about", *(field.name.replace("_", "-") for field in fields(Grid))))
    for name in ("data", "models", "seeds"):
        if not values.get(name):
            raise ChefError(f"the grid lacks {name!r}", f"name it in {path}")
    grid = Grid(
        data=_data(values["data"]),
        tower=_tower(values.get("tower", "small-cnn")),
        models=[variant(name).name for name in values["models"]],
        seeds=values["seeds"],
        settings=values.get("settings", {}),
        settings_of=values.get("settings-of", {}),
        evaluate=values.get("evaluate", {}),
    )
    _known(grid.settings_of, "'settings-of'", grid.models)
    for model in grid.models:
        _check_settings(model, {**grid.settings, **grid.settings_of.get(model, {})})
    _check_seeds(grid.seeds)
    _check_names(grid)
    _check_evaluation(grid)
    return grid


def expand(text: str) -> str:
    """The text with each `$NAME` replaced by its value in the environment."""
    expanded = os.path.expandvars(text)
    if missing := re.search(r"\$\{?(\w+)", expanded):
        name = missing[1]
        raise ChefError(f"the grid names {text}, and {name} is not set", f"set {name}=FOLDER and run again")
    return expanded


def _data(values: Any) -> Data:
    _known(values, "'data'", ("name", "kitchen", "source", "prepared", "prepare"))
    if not re.fullmatch(r"\w[\w.-]*", str(values.get("name", ""))):
        raise ChefError("'data' of the grid has no name for the report", "give one word, such as kitchen")
    data = Data(**values)
    if sum(one is not None for one in (data.kitchen, data.source, data.prepared)) != 1:
        raise ChefError("'data' of the grid is not one thing", "give one of kitchen, source, prepared")
    expand(data.source or data.prepared or "")
    return data


def _tower(values: Any) -> Tower | str:
    if isinstance(values, str):
        expand(values)
        return values
    _known(values, "'tower'", ("data", "model", "settings"))
    settings = values.get("settings", {})
    tower = Tower(
        data=_data(values["data"]) if "data" in values else None,
        model=variant(values.get("model", "s+l+l")).name,
        settings=settings,
    )
    _check_settings(tower.model, settings)
    return tower


def _check_names(grid: Grid) -> None:
    """Two data sets of one name would share a folder."""
    other = grid.tower.data if isinstance(grid.tower, Tower) else None
    if other is not None and other.name == grid.data.name and other != grid.data:
        raise ChefError(f"two data of the grid are called {other.name!r}", "give the tower's another name")


def _known(values: Any, what: str, names: Sequence[str]) -> None:
    if not isinstance(values, dict):
        raise ChefError(f"{what} is not a JSON object", f"with names such as {', '.join(names)}")
    for name in values:
        if name not in names:
            raise ChefError(f"unknown name {name!r} in {what}", did_you_mean(name, names))


def _check_settings(model: str, settings: Options) -> None:
    for name in _OURS:
        if name in settings:
            raise ChefError(
                f"{name!r} does not belong in the grid's settings", f"the grid has {name}s elsewhere"
            )
    for value in settings.values():
        expand(str(value))
    make_settings({**settings, "model": model})


def _check_seeds(seeds: Any) -> None:
    if not isinstance(seeds, list) or not all(type(seed) is int for seed in seeds):
        raise ChefError(
            f"'seeds' of the grid is {seeds!r}", "give a list of whole numbers, such as [0, 1, 2]"
        )


def _check_evaluation(grid: Grid) -> None:
    options = grid.evaluate
    _known(options, "'evaluate'", ("split", "tasks", "seed", "attention-model", "queries-from"))
    for task in options.get("tasks", ()):
        if task not in TASKS:
            raise ChefError(f"no task {task!r}", f"there are: {', '.join(TASKS)}")
    for name in ("attention-model", "queries-from"):
        if name in options and options[name] not in grid.models:
            raise ChefError(f"{name} {options[name]!r} is no model of the grid", "add it to 'models'")
    if "attention-model" in options and not variant(options["attention-model"]).attention:
        raise ChefError(f"{options['attention-model']} has no attention", "name one such as g+l+l-attention")
    if "queries-from" in options and variant(options["queries-from"]).ingredients != "tree":
        raise ChefError(f"{options['queries-from']} has no ingredient trees", "name one such as t+t+l")
