"""Objectives: what a step of a run minimises. One file each; `build_objective` finds the model's own."""

from chef.train.objectives.base import Objective, StepInput
from chef.train.objectives.build import build_objective

__all__ = ["Objective", "StepInput", "build_objective"]
