"""The results of base.py: means and spread over the seeds of every row, and the tables of docs/models.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import harness

from chef.measure.retrieval import DIRECTIONS
from chef.report.table import Value
from chef.train.settings import TrainSettings

KINDS = ("figures", "with querybank", "in eight bits")  # of the figures of a row
METRICS = ("medR", "R@1", "R@5", "R@10")
STAGES = ("prepare", "train", "evaluate", "finish")  # of base.py, from the raw data to what ships


def collect(about: str, out: Path, result: Path) -> None:
    """Means and spread over the seeds of each row of each part.

    What the file has of other rows stays, and other seeds of a row with the same settings. `stages` is how
    long each stage of base.py took, and on what.
    """
    runs: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for one in harness.read_scores(out):
        runs.setdefault(one["part"].partition("-")[0], {}).setdefault(one["row"], []).append(one)
    before = json.loads(result.read_text("utf-8")) if result.exists() else {}
    parts, stages = before.get("parts", {}), before.get("stages", {})
    for part, rows in runs.items():
        known = parts.setdefault(part, {})
        for row, seeds in rows.items():
            new = _row(seeds)
            alike = row in known and whole(known[row]["settings"]) == whole(new["settings"])
            known[row] = _joined(known[row], new) if alike else new
    parts = {part: dict(sorted(rows.items())) for part, rows in sorted(parts.items())}
    stages |= {file.stem: json.loads(file.read_text("utf-8")) for file in (out / "stages").glob("*.json")}
    stages = {name: stages[name] for name in STAGES if name in stages}
    harness.write_json(result, {"about": about, "stages": stages, "parts": parts})


def validation(run: Mapping[str, Any]) -> float:
    """The best score of a run on the validation pairs."""
    return float(max(line["score"] for line in run["log"]))


def whole(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with the defaults of those that are not there."""
    return {**TrainSettings().to_json(), **settings}


def _joined(known: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the seeds of both; where both have a seed, the new one."""
    places = {seed: (row, at) for row in (known, new) for at, seed in enumerate(row["seeds"])}
    runs = [places[seed] for seed in sorted(places)]
    joined: dict[str, Any] = {"seeds": sorted(places), "settings": new["settings"]}
    for name in ("seconds", "epochs", "validation"):
        joined[name] = [row[name][at] for row, at in runs]
    for name in (name for name in ("among all",) if name in known and name in new):
        joined[name] = harness.spread([row[name]["values"][at] for row, at in runs])
    for kind in (kind for kind in KINDS if kind in known and kind in new):
        joined[kind] = {
            name: harness.spread([row[kind][name]["values"][at] for row, at in runs]) for name in new[kind]
        }
    return joined


def _row(seeds: list[dict[str, Any]]) -> dict[str, Any]:
    # `figures` are those of cosines; a model with a querybank has others beside them.
    kinds = {"figures": [one.get("plain", one["retrieval"]) for one in seeds]}
    if all("plain" in one for one in seeds):
        kinds["with querybank"] = [one["retrieval"] for one in seeds]
    if all("eight bits" in one for one in seeds):
        kinds["in eight bits"] = [one["eight bits"] for one in seeds]
    extra = {}
    if all("among all" in one for one in seeds):
        extra["among all"] = harness.spread([one["among all"] for one in seeds])
    return {
        **harness.seeds_and_settings(seeds),
        **extra,
        "seconds": [one["seconds"] for one in seeds],
        "epochs": [one["epoch"] for one in seeds],
        "validation": [round(validation(one), 2) for one in seeds],
        **{kind: harness.over_seeds([_both_ways(one) for one in values]) for kind, values in kinds.items()},
    }


def machine(stage: Mapping[str, Any]) -> str:
    """What a stage of base.py ran on."""
    return stage["gpu"] or f"{stage['cores']} cores"


def _both_ways(scores: Mapping[str, Any]) -> dict[str, float]:
    """Each figure of both ways, and the sum of all R@K."""
    figures = {f"{way} {name}": scores[way]["gallery"][name] for way in DIRECTIONS for name in METRICS}
    return figures | {"sum": sum(value for name, value in figures.items() if "medR" not in name)}


def table(result: Path) -> None:
    """The tables of docs/models.md; folds by source are one table, as seeds of it."""
    ways = {"": "image-to-recipe", "back ": "recipe-to-image"}
    columns = {f"{short}{name}": f"{way} {name}" for short, way in ways.items() for name in ("R@1", "R@10")}
    columns["sum"] = "sum"
    cells = [(kind, name) for kind in ("figures", "with querybank") for name in columns.values()]
    content = json.loads(result.read_text("utf-8"))
    stages = content.get("stages", {}).items()
    harness.print_table(
        ["stage", "seconds", "on"],
        [[name, str(one["seconds"]), machine(one)] for name, one in stages],
    )
    for part, rows in content["parts"].items():
        print()
        harness.print_table(
            [part, "seeds", *columns, *(f"{name}, bank" for name in columns), "R@10 of all"],
            [
                [
                    row,
                    str(len(one["seeds"])),
                    *(_cell(one.get(kind, {}).get(name)) for kind, name in cells),
                    _cell(one.get("among all")),
                ]
                for row, one in sorted(rows.items(), key=lambda item: -item[1]["figures"]["sum"]["mean"])
            ],
        )


def _cell(figure: dict[str, Any] | None) -> str:
    return Value(tuple(figure["values"])).text if figure else ""
