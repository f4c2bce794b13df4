"""Writes the card of a model: what it is for, its figures, where it fails, its data, how it was trained.

    python experiments/card.py MODEL --data RECIPES --out MODEL_CARD.md --results seed-0.json seed-1.json ...
        [--texts RECIPES ...] [--without SOURCE ...] [--command "chef train ..." ...]
        [--built-on "a pre-trained network, its source and licence" ...] [--remark "on the figures" ...]

MODEL is a folder or a bundled model. The text is in `card.md`; all numbers are computed: figures from the
results of `chef evaluate`, failures by running the model on the test split of RECIPES, sources by counting.
No recipe is quoted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weak_spots import FEWEST, Spot, weak_spots

import chef
from chef.data.texts import TEST, TRAIN, VAL, PrepareSettings, split_of
from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.population import open_population
from chef.evaluate.results import ActionWords, MainIngredient
from chef.files import write_atomic
from chef.model.artefact import find, load
from chef.model.recipe_model import RecipeModel
from chef.report.names import DIRECTIONS, control, counted, data_name
from chef.report.study import Study, read_studies
from chef.report.table import Value

TEMPLATE = Path(__file__).with_name("card.md")
METRICS = ("medR", "R@1", "R@5", "R@10")
SPOT = ("photos", "medR", "R@1", "R@10", "found instead, most often")
SPLITS = (TRAIN, VAL, TEST)
TEXTS = "texts"
_NO_SOURCE, _NO_LICENCE = "no source named", "none stated"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", required=True, help="the recipes with photos, as chef prepare read them")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--results", type=Path, nargs="+", required=True, help="of chef evaluate, one for each seed"
    )
    parser.add_argument("--texts", nargs="*", default=[], help="recipes whose text alone was used")
    parser.add_argument("--without", nargs="*", default=[], help="sources that were left out")
    parser.add_argument("--command", nargs="*", default=[], help="the commands that train it again")
    parser.add_argument("--built-on", nargs="*", default=[], help="pre-trained networks inside, and whose")
    parser.add_argument("--remark", nargs="*", default=[], help="what else a reader of the figures must know")
    parser.add_argument("--name", help="what the results call the model; its folder's name if not given")
    given = parser.parse_args()
    try:
        folder = find(given.model)
        name, model = given.name or folder.name, load(folder)
        seed = model.about.get("settings", {}).get("seed")
        fields = {
            **about(name, folder, model),
            "figures": "\n\n".join(figures(name, read_studies(given.results), seed)),
            **failures(model, Path(given.data)),
            **data(count_sources(given.data, given.texts, given.without), given.without),
            "commands": "\n".join(["```", *given.command, "```"]),
            "remarks": "".join(f"\n\n{remark}" for remark in given.remark),
            "built_on": built_on(given.built_on),
        }
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    write_atomic(given.out, TEMPLATE.read_text("utf-8").format(**fields).encode())
    return 0


def built_on(networks: Sequence[str]) -> str:
    """The section on pre-trained networks inside the model; empty if there are none."""
    if not networks:
        return ""
    return "## Built on\n\n" + "".join(f"- {network}\n" for network in networks) + "\n"


def about(name: str, folder: Path, model: RecipeModel) -> dict[str, str]:
    """What the model is, and how it was trained."""
    config, known = model.model.config, model.about
    sizes = [file.stat().st_size for file in folder.iterdir() if file.is_file()]
    parameters = load(folder, eight_bits=False).model.parameters()  # layers in 8 bits have none
    about = model.model.variant.about
    return {
        "name": name,
        "about": about[:1].upper() + about[1:],
        "space": str(config.space),
        "parameters": f"{sum(parameter.numel() for parameter in parameters) / 1e6:.1f}",
        "size": f"{sum(sizes) / 1e6:.1f}",
        "words": f"{config.vocabulary:,}",
        "tower": config.tower["kind"],
        "epoch": str(known["epoch"]),
        "validation": ", ".join(f"{name} {value:.1f}" for name, value in known["validation"].items()),
        "settings": json.dumps(known["settings"], indent=2),
    }


def figures(name: str, studies: Sequence[Study], seed: int | None) -> Iterator[str]:
    """On each population, over all training seeds and of the seed that this model is."""
    for study in studies:
        if name not in study.models:
            known = ", ".join(study.models)
            raise ChefError(f"no figures of {name!r} in the results", f"give --name, one of {known}")
        runs = study.of(name)
        ours = Study(study.data, study.split, study.n, tuple(run for run in runs if run.about.seed == seed))
        yield (
            f"On the {study.split} split of {data_name(study.data)}, {counted(study.n or 0, 'pair')}, "
            f"{counted(len(runs), 'training seed')}: means with the standard deviation over seeds. This "
            f"model is seed {seed}; its 95 % intervals are by bootstrap over the queries."
        )
        yield table(("", *METRICS), _retrieval(name, study, ours))
        if rows := list(_trees(name, study)):
            yield "What its trees say, and what one would say without them:"
            yield table(("", name, "without its tree"), rows)


def _retrieval(name: str, study: Study, ours: Study) -> Iterator[list[str]]:
    for direction, label in DIRECTIONS.items():
        for part, of in ((study, "all seeds"), (ours, "this model")):
            scores = [run.retrieval[direction]["full"] for run in part.of(name) if run.retrieval]
            if scores:
                yield [f"{label}, {of}", *(_text(Value.of(scores, metric)) for metric in METRICS)]


def _trees(name: str, study: Study) -> Iterator[list[str]]:
    runs = study.of(name)
    if parts := [run.main_ingredient for run in runs if run.main_ingredient]:
        yield _tree("the heaviest ingredient is the shallowest leaf, %", "R@1", parts)
    if parts := [run.actions for run in runs if run.actions]:
        yield _tree("the shallowest word of a sentence is a verb, %", "percent", parts)


def _tree(label: str, metric: str, parts: Sequence[MainIngredient | ActionWords]) -> list[str]:
    others = [
        f"{control(name)} {_text(Value.of([part.controls[name] for part in parts], metric))}"
        for name in parts[0].controls
    ]
    return [label, _text(Value.of([part.model for part in parts], metric)), "; ".join(others)]


def failures(model: RecipeModel, recipes: Path) -> dict[str, str]:
    """Where the model fails on the test split."""
    population = open_population(recipes, TEST, canonical=model.texts.canonical)
    spots = weak_spots(EvaluatedModel("", model, population))
    return {
        "wrong": str(spots.wrong),
        "photos": str(len(population)),
        "same_kind": f"{spots.same_kind:.0f}",
        "fewest": str(FEWEST),
        "kinds": table(("kind", *SPOT), map(_spot, spots.kinds)),
        "lengths": table(("ingredients", *SPOT), map(_spot, spots.lengths)),
    }


def _spot(spot: Spot) -> list[str]:
    scores = [f"{spot.scores[metric]:.1f}" for metric in ("medR", "R@1", "R@10")]
    return [spot.name, str(spot.n), *scores, spot.instead]


def data(sources: Sequence[Source], without: Sequence[str]) -> dict[str, str]:
    """The sources, with the licences that they state."""
    parts = (*SPLITS, TEXTS)
    rows = [[one.name, *(str(one.counts[part] or "") for part in parts), one.licence] for one in sources]
    return {
        **{part: f"{sum(source.counts[part] for source in sources):,}" for part in parts},
        "without": ", ".join(without) or "nothing",
        "licences": ", ".join(f"{licence} {count:,}" for licence, count in licences(sources).most_common()),
        "sources": table(("source", *parts, "licence stated"), rows),
    }


@dataclass
class Source:
    """One source. `counts`: recipes with a photo in each split, and recipes whose text alone is used."""

    name: str
    licence: str = _NO_LICENCE
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """The recipes that are used: those of other splits are not."""
        return sum(self.counts[part] for part in (*SPLITS, TEXTS))


def count_sources(data: str, texts: Sequence[str], without: Collection[str]) -> list[Source]:
    """The sources of what a model was trained, chosen and tested on, the largest first.

    data: recipes with photos. texts: further recipes, of which the text is used in training. without:
    sources that were left out. Where texts state no licence, it is what their source states elsewhere.

    >>> count_sources("open-recipes/", [], without=[])[0].counts["train"]
    846
    """
    sources: dict[str, Source] = {}
    settings = PrepareSettings()
    for place in (data, *texts):
        for recipe in chef.read(place):
            if recipe.source in without:
                continue
            source = sources.setdefault(recipe.source or _NO_SOURCE, Source(recipe.source or _NO_SOURCE))
            if recipe.licence and source.licence == _NO_LICENCE:
                source.licence = " ".join(recipe.licence.split())
            if place != data:
                source.counts[TEXTS] += 1
            elif recipe.images:
                source.counts[split_of(recipe, settings)] += 1
            elif split_of(recipe, settings) == TRAIN:
                source.counts[TEXTS] += 1
    used = [source for source in sources.values() if source.total]
    return sorted(used, key=lambda source: (-source.total, source.name))


def licences(sources: Sequence[Source]) -> Counter[str]:
    """How many recipes there are under each licence, whatever file states it."""
    counts = Counter[str]()
    for source in sources:
        counts[source.licence.partition(" (")[0]] += source.total
    return counts


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _text(value: Value | None) -> str:
    return value.text if value else ""


if __name__ == "__main__":
    sys.exit(main())
