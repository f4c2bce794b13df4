"""All experiments of the paper under one protocol: models and data in, results out.

Read it from `evaluate` downwards. Models are evaluated one after the other, so that only one is in memory;
what they share (recipes, image features, the queries of the substitutions) is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from chef.data.texts import TEST, VAL
from chef.errors import ChefError
from chef.evaluate import figures, retrieval
from chef.evaluate.actions import Hits, actions_task
from chef.evaluate.evaluated_model import Cache, EvaluatedModel
from chef.evaluate.main_ingredient import average_depths, gold_ranks, main_ingredient_task
from chef.evaluate.population import Population, open_population
from chef.evaluate.pruning import pruning_task
from chef.evaluate.queries import Queries, choose_queries
from chef.evaluate.results import (
    TASKS,
    About,
    ActionWords,
    CannotDo,
    Comparison,
    DrawnTree,
    MainIngredient,
    ModelResult,
    Results,
    Substitution,
)
from chef.evaluate.substitution import gain, substitution_task
from chef.food.canonical import CanonicalMap
from chef.measure.bootstrap import PairedTest, paired
from chef.measure.ranks import DEPTH_AT, Ranks
from chef.measure.retrieval import RetrievalRanks, compare, summary
from chef.model.artefact import find, load, read_config
from chef.model.recipe_model import RecipeModel
from chef.model.registry import variant
from chef.progress import Progress

RETRIEVAL, MAIN, PRUNING, SUBSTITUTION, ACTIONS = TASKS
WithValidation = TypeVar("WithValidation", MainIngredient, ActionWords)


@dataclass(frozen=True)
class Request:
    """What to evaluate. A model is a folder, with a name of its own or None."""

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
                    f"{self.attention_model} reads recipes differently from {path}",
                    "use an attention model trained on the same prepared data",
                )


def evaluate(request: Request, progress: Progress | None = None) -> Results:
    """The results of all models, and their paired tests; see docs/evaluate.md.

    >>> result = evaluate(Request([(None, Path("run"))], Path("prepared"))).models[0]
    >>> result.retrieval["image-to-recipe"]["full"]["R@1"]
    """
    progress = progress or Progress()
    evaluation = Evaluation(request, progress)
    measured = [one for name, path in request.models for one in evaluation.measure(name, path)]
    if len(measured) > 1:
        progress.stage("paired tests")
    comparisons = [compare_models(*pair, request.seed) for pair in combinations(measured, 2)]
    return Results([one.result for one in measured], comparisons)


@dataclass
class Measured:
    """A result, and the ranks behind it that a paired test needs; None for a task that was not done."""

    result: ModelResult
    retrieval: RetrievalRanks | None = None
    main_ingredient: tuple[list[str], Ranks] | None = None  # ids with a gold ingredient, and its ranks
    actions: Hits | None = None


def compare_models(first: Measured, second: Measured, seed: int) -> Comparison:
    """The paired tests of two models on the same recipes, first minus second, for every task both did.

    >>> compare_models(tree, attention, seed=0).retrieval["image-to-recipe"]["full"]["R@1"].p
    """
    pair = (first.result, second.result)
    comparison = Comparison(
        first=pair[0].model, second=pair[1].model, seeds=[result.about.seed for result in pair]
    )
    if first.retrieval and second.retrieval:
        comparison.retrieval = compare(first.retrieval, second.retrieval)
    if first.main_ingredient and second.main_ingredient:
        (recipes, ranks), (other_recipes, other_ranks) = first.main_ingredient, second.main_ingredient
        if recipes == other_recipes:  # with another canonical map the masses of other recipes are known
            everyone = [np.arange(len(recipes))]
            comparison.main_ingredient = paired(everyone, [ranks], [other_ranks], seed, DEPTH_AT)
    if first.actions and second.actions and np.array_equal(first.actions.counts, second.actions.counts):
        comparison.actions = first.actions.against(second.actions, seed)
    if pair[0].substitution and pair[1].substitution:
        comparison.substitution = _compare_swaps(pair[0].substitution, pair[1].substitution, seed) or None
    return comparison


def _compare_swaps(first: Substitution, second: Substitution, seed: int) -> dict[str, dict[str, PairedTest]]:
    """The tests for each pair of ingredients that both models did, in each direction."""
    return {
        name: {
            way: gain(np.array(hits), np.array(second.pairs[name].each.hits[way]), seed)
            for way, hits in pair.each.hits.items()
        }
        for name, pair in first.pairs.items()
        if name in second.pairs
    }


class Evaluation:
    """What all models of a request share."""

    def __init__(self, request: Request, progress: Progress) -> None:
        self.request, self.progress = request, progress
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._cache = Cache()
        self._populations: dict[tuple[str, bool], Population] = {}
        trees = (path for _, path in request.models if "tree" in _readings(path))
        self._chooser = request.queries_from or next(trees, None)
        # Models that others need too stay in memory, and so does what they made of the recipes.
        self._kept: dict[Path, RecipeModel] = {}
        self._subjects: list[EvaluatedModel] = []

    def measure(self, name: str | None, path: Path) -> list[Measured]:
        """One model's result; ACME has a second one, with batch norm in training mode."""
        chef = self._load(path)
        subject = self._subject(name or chef.model.variant.name, chef, self.population())
        measured = [ModelEvaluation(self, subject, path, self.request.tasks).run()]
        second = retrieval.second_row(subject) if RETRIEVAL in self.request.tasks else None
        if second is not None:
            measured.append(ModelEvaluation(self, second, path, (RETRIEVAL,)).run())
        if path not in self._kept:
            self._subjects = [one for one in self._subjects if one.chef is not chef]
        return measured

    def population(self, split: str | None = None, *, everything: bool = False) -> Population:
        """The recipes of the requested split, of another, or of all; read once."""
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

        These are the requested split, or all splits if it has too few queries for most pairs.
        """
        chef = None if self._chooser is None else self._load(self._chooser)
        population = self.population()
        queries = self._choose(chef, population)
        if queries.short and len(population.all_splits) > 1:
            population = self.population(everything=True)
            queries = self._choose(chef, population)
        return population, queries

    def _choose(self, chef: RecipeModel | None, population: Population) -> Queries:
        # Under the same name as in the results, so that it encodes the recipes once.
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
        subject = EvaluatedModel(name, chef, population, cache=self._cache)
        self._subjects.append(subject)
        return subject


class ModelEvaluation:
    """Takes one model through the tasks."""

    def __init__(self, shared: Evaluation, subject: EvaluatedModel, path: Path, tasks: Sequence[str]) -> None:
        self.shared, self.subject, self.tasks = shared, subject, tasks
        self.seed = shared.request.seed
        population = subject.population
        self.result = ModelResult(
            model=subject.name,
            about=_about(subject.chef, path),
            data=population.name,
            split=population.split,
            seed=self.seed,
            n=len(population),
            left_out=population.left_out,
        )
        self.measured = Measured(self.result)

    def run(self) -> Measured:
        """Do the tasks; one that this model cannot do is skipped, and the result says why."""
        do = {
            RETRIEVAL: self._retrieval,
            MAIN: self._main_ingredient,
            PRUNING: self._pruning,
            SUBSTITUTION: self._substitution,
            ACTIONS: self._actions,
        }
        for task in TASKS:
            if task in self.tasks:
                self.shared.progress.stage(f"{self.subject.name}: {task}")
                try:
                    do[task]()
                except CannotDo as reason:
                    self.result.skipped[task] = str(reason)
        return self.measured

    def _retrieval(self) -> None:
        ranks = self.measured.retrieval = retrieval.measure(self.subject, self.seed)
        self.result.figures.space = figures.space(self.subject, self.seed)
        self.result.retrieval = summary(ranks)

    def _main_ingredient(self) -> None:
        self.result.main_ingredient = self._with_validation(
            lambda subject: main_ingredient_task(
                subject, self.seed, self.shared.attention(subject.population)
            )
        )
        self.measured.main_ingredient = gold_ranks(self.subject)
        self.result.figures.depths = average_depths(self.subject.ingredient_trees)
        self._draw(figures.ingredient_trees(self.subject, self.seed))

    def _pruning(self) -> None:
        if not self.subject.has_ingredient_trees:
            raise CannotDo(f"{self.subject.name} reads the ingredients without a tree")
        self.result.figures.pruning_space = figures.pruning_space(self.subject, self.seed)
        self.result.pruning = pruning_task(self.subject, self.seed)

    def _substitution(self) -> None:
        population, queries = self.shared.queries
        subject = self.shared.on(self.subject, population)
        part = self.result.substitution = substitution_task(subject, queries, self.seed)
        if part.skipped:
            self.result.skipped[SUBSTITUTION] = part.skipped
        photo = figures.thumbnails(population)
        self.result.figures.swaps = figures.swap_examples(subject, queries, self.seed, photo)

    def _actions(self) -> None:
        self.result.actions = self._with_validation(lambda subject: actions_task(subject, self.seed))
        self.measured.actions = Hits(self.subject.sentence_trees)
        self._draw(figures.sentence_trees(self.subject, self.seed))

    def _with_validation(self, task: Callable[[EvaluatedModel], WithValidation]) -> WithValidation:
        """The task on the requested split and, under "validation", on the validation split."""
        part = task(self.subject)
        if self.subject.population.split == VAL or VAL not in self.subject.population.all_splits:
            return part
        return replace(part, validation=task(self.shared.on(self.subject, self.shared.population(VAL))))

    def _draw(self, trees: list[DrawnTree]) -> None:
        self.result.figures.trees = [*(self.result.figures.trees or []), *trees]


def _about(chef: RecipeModel, path: Path) -> About:
    config, settings = chef.model.config, chef.about.get("settings", {})
    return About(
        path=str(path),
        variant=config.variant,
        seed=settings.get("seed"),
        tower=config.tower.get("kind"),
        space=config.space,
        epoch=chef.about.get("epoch"),
        settings=settings,
    )


def _readings(path: Path) -> set[str]:
    """How a model reads ingredients, from its configuration alone: "tree", "attention" ..."""
    chosen = variant(read_config(find(path))["model"]["variant"])
    return {chosen.ingredients, "attention"} if chosen.attention else {chosen.ingredients}


def _text(path: Path) -> tuple[Any, Any]:
    """What decides how a model reads a recipe's words: lengths and canonical map."""
    config = read_config(find(path))
    return config["text"], config["files"]["canonical.tsv"]
