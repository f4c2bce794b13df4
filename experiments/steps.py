"""A grid as steps: chef commands, each with the files it reads and the file that marks it complete.

OUT/kitchens/  kitchens that the grid generates
OUT/prepared/  prepared data
OUT/tower/     the image tower's run, where the grid trains one
OUT/runs/      one run per model and seed
OUT/results/   one result per seed, with paired tests between its models
OUT/report/    the page and its tables
OUT/done/      one file per finished step
OUT/logs/      the output of each step
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grid import Data, Grid, Options, Tower

Argument = str | Path  # a Path is below OUT; a string may hold $NAMEs of the environment


@dataclass(frozen=True)
class Step:
    """One command. `makes` exists when it is complete; `reads` are outputs of other steps, or given files."""

    name: str
    call: tuple[Argument, ...]  # what follows `chef`
    makes: Path
    reads: tuple[Argument, ...] = ()

    @property
    def trains(self) -> bool:
        return self.call[0] == "train"


def steps(grid: Grid, out: Path) -> list[Step]:
    """All steps in topological order; the models of one seed are adjacent."""
    todo: list[Step] = []
    tower: Argument
    if isinstance(grid.tower, Tower):
        todo += _data_steps(grid.tower.data or grid.data, out)
        todo.append(_tower_step(grid.tower, grid.tower.data or grid.data, out))
        tower = out / "tower"
    else:
        tower = grid.tower
    # The tower may have used the same data.
    todo += [step for step in _data_steps(grid.data, out) if step not in todo]
    results = []
    for seed in grid.seeds:
        runs = {model: _train_step(grid, model, seed, tower, out) for model in grid.models}
        todo += runs.values()
        results.append(_evaluate_step(grid, seed, runs, out))
        todo.append(results[-1])
    files = tuple(step.makes for step in results)
    report = out / "report"
    return [*todo, Step("report", ("report", *files, "--out", report), report / "index.html", files)]


def _data_steps(data: Data, out: Path) -> Iterator[Step]:
    source: Argument | None = data.source
    reads: tuple[Argument, ...] = ()
    if data.kitchen is not None:
        source = out / "kitchens" / data.name
        reads = (source / "truth.jsonl",)
        yield Step(f"cook-{data.name}", ("kitchen", source, *_options(data.kitchen)), source / "truth.jsonl")
    if source is not None:
        folder = out / "prepared" / data.name
        call = ("prepare", source, folder, *_options(data.prepare or {}))
        yield Step(f"prepare-{data.name}", call, folder / "manifest.json", reads)


def _prepared(data: Data, out: Path) -> Argument:
    return data.prepared or out / "prepared" / data.name


def _tower_step(tower: Tower, data: Data, out: Path) -> Step:
    prepared = _prepared(data, out)
    call = ("train", prepared, "--out", out / "tower", "--model", tower.model, *_settings(tower.settings))
    return Step("tower", call, _best(out / "tower"), (_manifest(prepared),))


def _train_step(grid: Grid, model: str, seed: int, tower: Argument, out: Path) -> Step:
    data, run = _prepared(grid.data, out), out / "runs" / f"{model}-{seed}"
    call = (
        "train", data, "--out", run, "--model", model, "--seed", str(seed), "--tower", tower,
        *_settings({**grid.settings, **grid.settings_of.get(model, {})}),
    )  # fmt: skip
    reads = (_manifest(data), _best(tower)) if isinstance(tower, Path) else (_manifest(data),)
    return Step(f"train-{run.name}", call, _best(run), reads)


def _evaluate_step(grid: Grid, seed: int, runs: dict[str, Step], out: Path) -> Step:
    data, result = _prepared(grid.data, out), out / "results" / f"seed-{seed}.json"
    folder = {model: step.makes.parents[1] for model, step in runs.items()}
    call: list[Argument] = ["evaluate", "--data", data, "--out", result]
    for model in grid.models:
        call += ["--model", folder[model]]
    for name, value in grid.evaluate.items():
        if name in ("attention-model", "queries-from"):  # of the same seed
            call += [f"--{name}", folder[value]]
        else:
            call += [f"--{name}", ",".join(value) if isinstance(value, list) else str(value)]
    reads = (_manifest(data), *(step.makes for step in runs.values()))
    return Step(f"evaluate-seed-{seed}", tuple(call), result, reads)


def _best(run: Path) -> Path:
    return run / "best" / "config.json"  # holds the checksums of all the rest


def _manifest(prepared: Argument) -> Argument:
    return prepared / "manifest.json" if isinstance(prepared, Path) else f"{prepared}/manifest.json"


def _options(options: Options) -> list[str]:
    return [text for name, value in options.items() for text in (f"--{name}", str(value))]


def _settings(settings: Options) -> list[str]:
    return [f"--set={name}={_plain(value)}" for name, value in settings.items()]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
