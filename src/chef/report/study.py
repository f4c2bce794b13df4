"""Study: all results on one population, in the order in which the report presents them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chef.errors import ChefError
from chef.evaluate.results import BATCH_STATISTICS, Comparison, ModelResult, Results, Tests
from chef.model.registry import models, variant
from chef.report.names import order

LEAD = "t+t+l"  # the paper's own choice among its models
Key = tuple[str, str, int | None]


@dataclass(frozen=True)
class Study:
    """Everything measured on one population: its runs can be compared in one table, others cannot.

    A run is one model, trained once. Runs of one model differ in their training seed.
    """

    data: str
    split: str
    n: int | None
    runs: tuple[ModelResult, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def models(self) -> list[str]:
        """The models, in the order of the paper's tables."""
        return sorted({run.model for run in self.runs}, key=order)

    def variant(self, model: str) -> str:
        """The variant behind a model's name, by which the paper knows it.

        ACME with batch norm in training mode is not a row of the paper.
        """
        return model if model.endswith(BATCH_STATISTICS) else self.of(model)[0].about.variant or model

    def has_tree(self, model: str) -> bool:
        """Whether the model reads ingredients with a tree."""
        return self.variant(model) in models() and variant(self.variant(model)).ingredients == "tree"

    def taught(self, model: str, part: str) -> bool:
        """Whether labels had a part in what the trees over `part` learned."""
        weight = {"ingredients": "main_weight", "sentences": "action_weight"}.get(part, "")
        return any(run.about.settings.get(weight) for run in self.of(model))

    def untested(self, model: str, part: str) -> str | None:
        """Why a model's figures test no claim about its trees over `part`; None: its parser has learned."""
        if self.taught(model, part):
            return "its trees were taught by labels, as the paper's were not"
        runs = self.of(model)
        health = [run.trees.parts[part] for run in runs if run.trees and part in run.trees.parts]
        if not health or len(health) < len(runs):
            return "parser health was not measured"
        idle = [one for one in health if not one.has_learned]
        if not idle:
            return None
        worst = max(idle, key=lambda one: one.entropy)
        some = f" in {len(idle)} of {len(health)} runs" if len(health) > 1 else ""
        return (
            f"the parser has not learned where to merge{some} (entropy {worst.entropy:.2f} of its maximum; "
            f"sampled trees share {worst.agreement:.0%} of their merges, {worst.agreement_by_chance:.0%} by "
            "chance)"
        )

    @property
    def lead(self) -> str:
        """The model that represents the others where only one fits: T+T+L, as in the paper."""
        trees = [model for model in self.models if self.has_tree(model)]
        named = [model for model in trees if self.variant(model) == LEAD]
        return (named or trees or self.models)[0]

    def of(self, model: str) -> list[ModelResult]:
        """The runs of a model, by training seed."""
        runs = [run for run in self.runs if run.model == model]
        return sorted(runs, key=lambda run: -1 if run.about.seed is None else run.about.seed)

    def able(self, task: str) -> list[str]:
        """The models that did a task."""
        return [model for model in self.models if any(run.did(task) for run in self.of(model))]

    def compared(self) -> list[Comparison]:
        """The comparisons of different models on retrieval; of equal training seeds, if there are any."""
        rows = [row for row in self.comparisons if row.retrieval and row.first != row.second]
        return [row for row in rows if len(set(row.seeds)) == 1] or rows

    def between(self, first: str, second: str, direction: str, size: str) -> list[Tests]:
        """The paired tests of two models on retrieval, first minus second, one for each pair of runs."""
        rows = [row for row in self.compared() if (row.first, row.second) == (first, second)]
        return [row.retrieval[direction][size] for row in rows if row.retrieval]

    def illustrated(self, figure: str, models: Sequence[str] | None = None) -> list[ModelResult]:
        """For each model the first run that has the figure, the leading model first.

        Pictures are of one run, never an average.
        """
        models = self.leading(self.models if models is None else models)
        having = ([run for run in self.of(model) if getattr(run.figures, figure)] for model in models)
        return [runs[0] for runs in having if runs]

    def leading(self, models: Sequence[str]) -> list[str]:
        """The models with the leading one first."""
        return sorted(models, key=lambda model: model != self.lead)


def read_studies(paths: Sequence[Path]) -> list[Study]:
    """The studies in the result files, in order of appearance. Runs on different data are kept apart.

    >>> [study.data for study in read_studies([Path("seed-0.json"), Path("seed-1.json")])]
    ['kitchen']
    """
    runs: dict[Key, list[ModelResult]] = {}
    comparisons: dict[Key, list[Comparison]] = {}
    for path in paths:
        results = Results.load(path)
        for run in results.models:
            others = runs.setdefault(_key(run), [])
            same = [one for one in others if (one.model, one.about.seed) == (run.model, run.about.seed)]
            if run in same:
                continue  # there already
            if same and run.about.seed is not None:
                raise ChefError(
                    f"two results of {run.model}, training seed {run.about.seed}, that differ",
                    "give one of them",
                )
            others.append(run)
        comparisons.setdefault(_key(results.models[0]), []).extend(results.comparisons)
    return [Study(*key, tuple(group), tuple(comparisons.get(key, ()))) for key, group in runs.items()]


def _key(run: ModelResult) -> Key:
    return run.data, run.split, run.n
