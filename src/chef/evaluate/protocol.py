"""All experiments of the paper under one protocol: models and data in, one result out.

Read it from `evaluate` downwards. Models come one after the other, so that memory holds one at a time; what
they share (recipes, photos as towers see them, the queries of the substitutions) is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import torch

from chef.data.settings import TEST, VAL
from chef.errors import ChefError
from chef.evaluate import figures, retrieval
from chef.evaluate.actions import Hits, actions_task
from chef.evaluate.cannot import CannotDo
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.main_ingredient import gold_ranks, main_ingredient_task
from chef.evaluate.measured import Measured, comparison
from chef.evaluate.pictures import Pictures
from chef.evaluate.population import Population, open_population
from chef.evaluate.pruning import pruning_task
from chef.evaluate.queries import Queries, choose_queries
from chef.evaluate.readings import Readings
from chef.evaluate.substitution import substitution_task
from chef.evaluate.swaps import swap_examples
from chef.food.canonical import CanonicalMap
from chef.measure.retrieval import summary
from chef.model.artefact import find, load, read_config
from chef.model.recipe_model import RecipeModel
from chef.model.registry import variant
from chef.progress import Progress

RETRIEVAL, MAIN, PRUNING, SUBSTITUTION, ACTIONS = TASKS = (
    "retrieval",
    "main-ingredient",
    "pruning",
    "substitution",
    "actions",
)


@dataclass(frozen=True)
class Request:
    """What is to be evaluated. A model is a folder, with or without a name of its own."""

    models: Sequence[tuple[str | None, Path]]
    data: Path  # prepared, or any source of recipes
    split: str = TEST
    tasks: Sequence[str] = TASKS
    seed: int = 0  # of folds, resamples and random controls
    queries_from: Path | None = None
    attention_model: Path | None = None

    def __post_init__(self) -> None:
        if not self.models:
            raise ChefError("no model to evaluate", "name one with --model")
        if unknown := [task for task in self.tasks if task not in TASKS]:
            raise ChefError(f"no task {unknown[0]!r}", f"there are: {', '.join(TASKS)}")
        if not self.tasks:
            raise ChefError("no task to do", f"there are: {', '.join(TASKS)}")
        for path, part, problem, example in (
            (self.queries_from, "tree", "has no ingredient trees", "t+t+l"),
            (self.attention_model, "attention", "has no attention over ingredients", "g+l+l-attention"),
        ):
            if path is not None and part not in _readings(path):
                raise ChefError(f"{path} {problem}", f"name a model such as {example}")
        for _, path in self.models if self.attention_model else ():
            if "tree" in _readings(path) and _text(path) != _text(self.attention_model or path):
                raise ChefError(
                    f"{self.attention_model} reads recipes otherwise than {path}",
                    "use an attention model trained on the same prepared data",
                )


def evaluate(request: Request, progress: Progress | None = None) -> dict[str, Any]:
    """The result of one model, or {"models", "comparisons"} of several; see docs/evaluate.md.

    >>> evaluate(Request([(None, Path("run"))], Path("prepared")))["retrieval"]["image-to-recipe"]["full"]
    """
    progress = progress or Progress()
    evaluation = Evaluation(request, progress)
    measured = [one for name, path in request.models for one in evaluation.measure(name, path)]
    if len(measured) == 1:
        return measured[0].result
    progress.stage("paired tests")
    several = {
        "models": [one.result for one in measured],
        "comparisons": [comparison(*pair, request.seed) for pair in combinations(measured, 2)],
    }
    # One ACME has two rows. It can be read as the result of one model all the same.
    alone = measured[0].result if len(request.models) == 1 else {}
    return {key: value for key, value in alone.items() if key != "figures"} | several


class Evaluation:
    """What all models of a request share."""

    def __init__(self, request: Request, progress: Progress) -> None:
        self.request, self.progress = request, progress
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._pictures, self._readings = Pictures(), Readings()
        self._populations: dict[tuple[str, bool], Population] = {}
        trees = (path for _, path in request.models if "tree" in _readings(path))
        self._chooser = request.queries_from or next(trees, None)
        # Models that others need too stay, and so does what they made of the recipes.
        self._kept: dict[Path, RecipeModel] = {}
        self._subjects: list[EvaluatedModel] = []

    def measure(self, name: str | None, path: Path) -> list[Measured]:
        """One model's result; ACME has a second one, with batch norm in training mode."""
        chef = self._load(path)
        subject = self._subject(name or chef.model.variant.name, chef, self.population())
        found = [ModelEvaluation(self, subject, path).run()]
        second = retrieval.second_row(subject) if RETRIEVAL in self.request.tasks else None
        if second is not None:
            found.append(ModelEvaluation(self, second, path, tasks=(RETRIEVAL,)).run())
        if path not in self._kept:
            self._subjects = [one for one in self._subjects if one.chef is not chef]
        return found

    def population(self, split: str | None = None, *, everything: bool = False) -> Population:
        """The recipes of the split asked for, of another, or of all; read once."""
        key = (split or self.request.split, everything)
        if key not in self._populations:
            self.progress.stage(f"reading {'all splits' if everything else key[0]}")
            first = find(self.request.models[0][1]) / "canonical.tsv"
            self._populations[key] = open_population(
                self.request.data, key[0], everything=everything, canonical=CanonicalMap.load(first)
            )
        return self._populations[key]

    def on(self, subject: EvaluatedModel, population: Population) -> EvaluatedModel:
        """The same model on other recipes."""
        if population is subject.population:
            return subject
        return self._subject(subject.name, subject.chef, population)

    def attention(self, population: Population) -> EvaluatedModel | None:
        """The attention model of the request on these recipes."""
        if self.request.attention_model is None:
            return None
        chef = self._load(self.request.attention_model)
        return self._subject(chef.model.variant.name, chef, population)

    @cached_property
    def queries(self) -> tuple[Population, Queries]:
        """The queries of the substitutions, and the recipes that they search.

        They search the split asked for; all splits where that has too few queries for most pairs.
        """
        chef = None if self._chooser is None else self._load(self._chooser)
        population = self.population()
        queries = self._choose(chef, population)
        if queries.short and len(population.all_splits) > 1:
            population = self.population(everything=True)
            queries = self._choose(chef, population)
        return population, queries

    def _choose(self, chef: RecipeModel | None, population: Population) -> Queries:
        # By the name it is measured under, so that it reads the recipes once.
        name = next((name for name, path in self.request.models if path == self._chooser), None)
        chooser = None if chef is None else self._subject(name or chef.model.variant.name, chef, population)
        return choose_queries(population, chooser)

    def _load(self, path: Path) -> RecipeModel:
        if path in self._kept:
            return self._kept[path]
        chef = load(path).to(self.device)
        if path in (self._chooser, self.request.attention_model):
            self._kept[path] = chef
        return chef

    def _subject(self, name: str, chef: RecipeModel, population: Population) -> EvaluatedModel:
        for one in self._subjects:
            if one.chef is chef and one.population is population and one.name == name:
                return one
        subject = EvaluatedModel(name, chef, population, pictures=self._pictures, readings=self._readings)
        self._subjects.append(subject)
        return subject


class ModelEvaluation:
    """One model on its way through the tasks."""

    def __init__(
        self, shared: Evaluation, subject: EvaluatedModel, path: Path, tasks: Sequence[str] | None = None
    ) -> None:
        self.shared, self.subject = shared, subject
        self.seed = shared.request.seed
        self.tasks = shared.request.tasks if tasks is None else tasks
        population = subject.population
        self.figures: dict[str, Any] = {}
        self.skipped: dict[str, Any] = {}
        self.measured = Measured(
            {
                "model": subject.name,
                "about": _about(subject.chef, path),
                "data": population.name,
                "split": population.split,
                "seed": self.seed,
                "n": len(population),
                "left_out": population.left_out,
            }
        )

    def run(self) -> Measured:
        """Do the tasks; one that this model cannot do is left out, and the result says why."""
        do = {
            RETRIEVAL: self._retrieval,
            MAIN: self._main_ingredient,
            PRUNING: self._pruning,
            SUBSTITUTION: self._substitution,
            ACTIONS: self._actions,
        }
        result = self.measured.result
        for task in TASKS:
            if task in self.tasks:
                self.shared.progress.stage(f"{self.subject.name}: {task}")
                try:
                    result[task] = do[task]()
                except CannotDo as reason:
                    self.skipped[task] = str(reason)
        result["skipped"] = self.skipped
        result["figures"] = self.figures
        return self.measured

    def _retrieval(self) -> dict[str, Any]:
        ranks = self.measured.retrieval = retrieval.measure(self.subject, self.seed)
        self.figures["space"] = figures.space(self.subject, self.seed)
        return summary(ranks)

    def _main_ingredient(self) -> dict[str, Any]:
        def task(subject: EvaluatedModel) -> dict[str, Any]:
            return main_ingredient_task(subject, self.seed, self.shared.attention(subject.population))

        part = self._with_validation(task)
        self.measured.main_ingredient = gold_ranks(self.subject)
        self.figures["depths"] = figures.depths(self.subject)
        self._draw(figures.ingredient_trees(self.subject, self.seed))
        return part

    def _pruning(self) -> dict[str, Any]:
        if not self.subject.has_ingredient_trees:
            raise CannotDo(f"{self.subject.name} reads the ingredients without a tree")
        self.figures["pruning-space"] = figures.pruning_space(self.subject, self.seed)
        return pruning_task(self.subject, self.seed)

    def _substitution(self) -> dict[str, Any]:
        population, queries = self.shared.queries
        subject = self.shared.on(self.subject, population)
        part = substitution_task(subject, queries, self.seed)
        if part["skipped"]:
            self.skipped[SUBSTITUTION] = part["skipped"]
        photo = figures.thumbnails(population)
        self.figures["swaps"] = swap_examples(subject, queries, self.seed, photo)
        return part

    def _actions(self) -> dict[str, Any]:
        part = self._with_validation(lambda subject: actions_task(subject, self.seed))
        self.measured.actions = Hits(self.subject.sentence_trees)
        self._draw(figures.sentence_trees(self.subject, self.seed))
        return part

    def _with_validation(self, task: Callable[[EvaluatedModel], dict[str, Any]]) -> dict[str, Any]:
        """The task on the split asked for and, under "validation", on the validation split."""
        part = task(self.subject)
        if self.subject.population.split != VAL and VAL in self.subject.population.all_splits:
            other = self.shared.on(self.subject, self.shared.population(VAL))
            part["validation"] = task(other)
        return part

    def _draw(self, trees: list[dict[str, Any]]) -> None:
        self.figures.setdefault("trees", []).extend(trees)


def _about(chef: RecipeModel, path: Path) -> dict[str, Any]:
    """What a reader should know of the model besides its name."""
    config, settings = chef.model.config, chef.about.get("settings", {})
    return {
        "path": str(path),
        "variant": config.variant,
        "seed": settings.get("seed"),
        "tower": config.tower.get("kind"),
        "space": config.space,
        "epoch": chef.about.get("epoch"),
        "settings": settings,
    }


def _readings(path: Path) -> set[str]:
    """How a model reads ingredients, from its configuration alone: "tree", "attention" ..."""
    chosen = variant(read_config(find(path))["model"]["variant"])
    return {chosen.ingredients, "attention"} if chosen.attention else {chosen.ingredients}


def _text(path: Path) -> tuple[Any, Any]:
    """What decides how a model reads a recipe's words: lengths and canonical map."""
    config = read_config(find(path))
    return config["text"], config["files"]["canonical.tsv"]
