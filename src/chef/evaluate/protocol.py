"""All experiments of the paper under one protocol: models and data in, results out.

Read it from `evaluate` downwards. Models are evaluated one after the other, so that only one is in memory;
what they share (recipes, image features, the queries of the substitutions) is computed once.
"""

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
from chef.evaluate import figures, results
from chef.evaluate.actions import Hits, action_words
from chef.evaluate.evaluated_model import Cache, EvaluatedModel
from chef.evaluate.gold import gold_actions, gold_main, read_labels
from chef.evaluate.main_ingredient import average_depths, gold_ranks, main_ingredient
from chef.evaluate.population import Population, open_population
from chef.evaluate.pruning import pruning_task
from chef.evaluate.results import TASKS
from chef.evaluate.substitution import Queries, choose_queries, gain, substitution_task
from chef.evaluate.trees import tree_health
from chef.food.canonical import CanonicalMap
from chef.measure.bootstrap import paired
from chef.measure.ranks import DEPTH_AT, Ranks
from chef.measure.retrieval import RetrievalRanks, compare, summary
from chef.model.artefact import find, load, read_config
from chef.model.recipe_model import RecipeModel
from chef.model.registry import variant
from chef.progress import Progress

RETRIEVAL, MAIN, PRUNING, SUBSTITUTION, ACTIONS, TREES = TASKS
WithValidation = TypeVar("WithValidation", results.MainIngredient, results.ActionWords)


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
    gold: Path | None = None  # labels by hand

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


def evaluate(request: Request, progress: Progress | None = None) -> results.Results:
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
    return results.Results([one.result for one in measured], comparisons)


@dataclass
class Measured:
    """A result, and the ranks behind it that a paired test needs; None for a task that was not done."""

    result: results.ModelResult
    retrieval: RetrievalRanks | None = None
    main_ingredient: tuple[list[str], Ranks] | None = None  # ids with a gold ingredient, and its ranks
    actions: Hits | None = None


def compare_models(first: Measured, second: Measured, seed: int) -> results.Comparison:
    """The paired tests of two models on the same recipes, first minus second, for every task both did.

    >>> compare_models(tree, attention, seed=0).retrieval["image-to-recipe"]["full"]["R@1"].p
    """
    one, other = first.result, second.result
    comparison = results.Comparison(
        first=one.model, second=other.model, seeds=[one.about.seed, other.about.seed]
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
    if one.substitution and other.substitution:
        theirs = other.substitution.pairs
        comparison.substitution = {
            name: {
                way: gain(np.array(hits), np.array(theirs[name].each.hits[way]), seed)
                for way, hits in pair.each.hits.items()
            }
            for name, pair in one.substitution.pairs.items()
            if name in theirs
        } or None
    return comparison


class Evaluation:
    """What all models of a request share."""

    def __init__(self, request: Request, progress: Progress) -> None:
        self.request, self.progress = request, progress
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._cache = Cache()
        self._populations: dict[tuple[str, bool], Population] = {}
        trees = (path for _, path in request.models if "tree" in _readings(path))
        self._chooser = request.queries_from or next(trees, None)
        self._loaded: dict[Path, RecipeModel] = {}
        self._models: dict[tuple[Path, str, int], EvaluatedModel] = {}  # by path, name and population
        self.labels = read_labels(request.gold) if request.gold is not None else None
        self._begun = 0  # tasks

    def begin(self, what: str) -> None:
        """Say which task begins, and how many there are."""
        self._begun += 1
        total = len(self.request.models) * len(self.request.tasks)
        self.progress.stage(f"{what}, {self._begun} of {max(total, self._begun)}")

    def measure(self, name: str | None, path: Path) -> list[Measured]:
        """One model's result; ACME has a second one, with batch norm in training mode."""
        model = self.model(path, self.population(), name)
        measured = [ModelEvaluation(self, model, path, self.request.tasks).run()]
        if RETRIEVAL in self.request.tasks and model.chef.model.variant.name == "acme":
            second = ModelEvaluation(self, model.with_batch_statistics(), path, (RETRIEVAL,))
            measured.append(second.run())
        if path not in (self._chooser, self.request.attention_model):  # others need those too
            del self._loaded[path]
            self._models = {key: one for key, one in self._models.items() if key[0] != path}
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

    def model(self, path: Path, population: Population, name: str | None = None) -> EvaluatedModel:
        """The model on these recipes; the same object for the same name, so that it encodes them once."""
        if path not in self._loaded:
            self._loaded[path] = load(path).to(self._device)
        chef = self._loaded[path]
        name = name or chef.model.variant.name
        key = (path, name, id(population))
        if key not in self._models:
            self._models[key] = EvaluatedModel(name, chef, population, cache=self._cache)
        return self._models[key]

    @cached_property
    def queries(self) -> tuple[Population, Queries]:
        """The queries of the substitutions, and the recipes that they search.

        These are the requested split, or all splits if it has too few queries for most pairs.
        """
        population = self.population()
        queries = self._choose(population)
        if queries.short and len(population.all_splits) > 1:
            population = self.population(everything=True)
            queries = self._choose(population)
        return population, queries

    def _choose(self, population: Population) -> Queries:
        if self._chooser is None:
            return choose_queries(population, None)
        name = next((name for name, path in self.request.models if path == self._chooser), None)
        return choose_queries(population, self.model(self._chooser, population, name))


class ModelEvaluation:
    """Takes one model through the tasks."""

    def __init__(self, shared: Evaluation, model: EvaluatedModel, path: Path, tasks: Sequence[str]) -> None:
        self.shared, self.model, self.path, self.tasks = shared, model, path, tasks
        self.seed = shared.request.seed
        config, settings = model.chef.model.config, model.chef.about.get("settings", {})
        self.result = results.ModelResult(
            model=model.name,
            about=results.About(
                path=str(path),
                variant=config.variant,
                seed=settings.get("seed"),
                tower=config.tower.get("kind"),
                space=config.space,
                epoch=model.chef.about.get("epoch"),
                settings=settings,
            ),
            data=model.population.name,
            split=model.population.split,
            seed=self.seed,
            n=len(model.population),
            left_out=model.population.left_out,
        )
        self.measured = Measured(self.result)

    def run(self) -> Measured:
        """Do the tasks; one that this model cannot do is skipped, and the result says why."""
        for task in TASKS:
            if task in self.tasks:
                self.shared.begin(f"{self.model.name}: {task}")
                try:
                    self._do(task)
                except results.CannotDo as reason:
                    self.result.skipped[task] = str(reason)
        return self.measured

    def _do(self, task: str) -> None:
        model, seed, result = self.model, self.seed, self.result
        if task == RETRIEVAL:
            self.measured.retrieval = model.retrieval_ranks(seed)
            result.figures.space = figures.space(model, seed)
            result.retrieval = summary(self.measured.retrieval)
        elif task == MAIN:
            self._main_ingredient()
        elif task == PRUNING:
            result.figures.pruning_space = figures.pruning_space(model, seed)
            result.pruning = pruning_task(model, seed)
        elif task == SUBSTITUTION:
            population, queries = self.shared.queries
            searched = self.shared.model(self.path, population, model.name)
            result.substitution = substitution_task(searched, queries, seed)
            if result.substitution.skipped:
                result.skipped[SUBSTITUTION] = result.substitution.skipped
            result.figures.swaps = figures.swap_examples(searched, queries, seed)
        elif task == ACTIONS:
            result.actions = self._with_validation(lambda one: action_words(one.sentence_trees, seed))
            if self.shared.labels is not None:
                result.actions.gold = gold_actions(model, self.shared.labels, seed)
            self.measured.actions = Hits(model.sentence_trees)
            self._draw(figures.sentence_trees(model, seed))
        elif task == TREES:
            result.trees = tree_health(model, seed)

    def _main_ingredient(self) -> None:
        def task(model: EvaluatedModel) -> results.MainIngredient:
            path, trees = self.shared.request.attention_model, model.ingredient_trees
            attention = self.shared.model(path, model.population).attention if path else None
            return main_ingredient([text.recipe for text in model.texts], trees, self.seed, attention)

        self.result.main_ingredient = self._with_validation(task)
        if self.shared.labels is not None:
            gold, shuffled = (
                gold_main(model, self.shared.labels, self.seed) for model in (self.model, self.model.shuffled)
            )
            self.result.main_ingredient.gold = replace(gold, shuffled=shuffled)
        self.measured.main_ingredient = gold_ranks(self.model)
        self.result.figures.depths = average_depths(self.model.ingredient_trees)
        self._draw(figures.ingredient_trees(self.model, self.seed))

    def _with_validation(self, task: Callable[[EvaluatedModel], WithValidation]) -> WithValidation:
        """The task on the requested split and, under "validation", on the validation split."""
        part = task(self.model)
        if self.model.population.split == VAL or VAL not in self.model.population.all_splits:
            return part
        other = self.shared.model(self.path, self.shared.population(VAL), self.model.name)
        return replace(part, validation=task(other))

    def _draw(self, trees: list[results.DrawnTree]) -> None:
        self.result.figures.trees = [*(self.result.figures.trees or []), *trees]


def _readings(path: Path) -> set[str]:
    """How a model reads ingredients, from its configuration alone: "tree", "attention" ..."""
    chosen = variant(read_config(find(path))["model"]["variant"])
    return {chosen.ingredients, "attention"} if chosen.attention else {chosen.ingredients}


def _text(path: Path) -> tuple[Any, Any]:
    """What decides how a model reads a recipe's words: lengths and canonical map."""
    config = read_config(find(path))
    return config["text"], config["files"]["canonical.tsv"]
