"""Run and Study: results in the order the report tells them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chef.model.registry import models, variant
from chef.report.names import BATCH_STATISTICS, order

LEAD = "t+t+l"  # the paper's own choice among its models
Part = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """One model, trained once, measured on one population; `seed` is the seed it was trained with."""

    model: str
    seed: int | None
    result: Part

    def part(self, task: str) -> Part | None:
        """What the run has to say about a task; None where the task was not run or cannot be done."""
        return self.result.get(task)

    def figure(self, name: str) -> Any:
        return self.result.get("figures", {}).get(name)


@dataclass(frozen=True)
class Study:
    """Everything measured on one population: its runs can stand in one table, others cannot."""

    data: str
    split: str
    n: int | None
    runs: tuple[Run, ...]
    comparisons: tuple[Part, ...] = ()

    @property
    def models(self) -> list[str]:
        """The models, in the order of the paper's tables."""
        return sorted({run.model for run in self.runs}, key=order)

    def variant(self, model: str) -> str:
        """The variant behind a model's name, by which the paper knows it.

        ACME with batch norm in training mode is no row of the paper.
        """
        name: str = self.of(model)[0].result.get("about", {}).get("variant") or model
        return model if model.endswith(BATCH_STATISTICS) else name

    def has_tree(self, model: str) -> bool:
        """Whether the model reads ingredients with a tree."""
        return self.variant(model) in models() and variant(self.variant(model)).ingredients == "tree"

    @property
    def lead(self) -> str:
        """The model that stands for the others where there is room for one: T+T+L, as in the paper."""
        trees = [model for model in self.models if self.has_tree(model)]
        named = [model for model in trees if self.variant(model) == LEAD]
        return (named or trees or self.models)[0]

    def of(self, model: str) -> list[Run]:
        """The runs of a model, by training seed."""
        runs = [run for run in self.runs if run.model == model]
        return sorted(runs, key=lambda run: -1 if run.seed is None else run.seed)

    def parts(self, model: str, task: str) -> list[Part]:
        """What each run of a model says about a task."""
        return [part for run in self.of(model) if (part := run.part(task)) is not None]

    def able(self, task: str) -> list[str]:
        """The models that did a task."""
        return [model for model in self.models if self.parts(model, task)]

    def between(self, first: str, second: str, task: str) -> list[Part]:
        """The paired comparisons of two models on a task, first minus second, one for each pair of runs."""
        return [row[task] for row in self.compared(task) if (row["first"], row["second"]) == (first, second)]

    def compared(self, task: str) -> list[Part]:
        """The comparisons of different models on a task; those of one training seed, where there are any."""
        rows = [row for row in self.comparisons if task in row and row["first"] != row["second"]]
        alike = [row for row in rows if len(set(row.get("seeds", ()))) == 1]
        return alike or rows

    def illustrated(self, name: str, models: Sequence[str] | None = None) -> list[Run]:
        """For each model the first run that has the figure, the leading model first.

        Pictures are of one run, never an average.
        """
        found = []
        for model in self.leading(self.models if models is None else models):
            found += [run for run in self.of(model) if run.figure(name)][:1]
        return found

    def leading(self, models: Sequence[str]) -> list[str]:
        """The models with the leading one first."""
        return sorted(models, key=lambda model: model != self.lead)
