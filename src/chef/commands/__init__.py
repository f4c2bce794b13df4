"""What `chef` can be told to do: one file a command, gathered here by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from chef.commands.canonical import canonical
from chef.commands.demo import demo
from chef.commands.doctor import doctor
from chef.commands.evaluate import evaluate
from chef.commands.explain import explain
from chef.commands.export import export
from chef.commands.index import index
from chef.commands.kitchen import kitchen
from chef.commands.models import models
from chef.commands.prepare import prepare
from chef.commands.prune import prune
from chef.commands.report import report
from chef.commands.search import search
from chef.commands.serve import serve
from chef.commands.swap import swap
from chef.commands.train import train

COMMANDS: dict[str, Callable[..., Any]] = {
    "demo": demo,
    "search": search,
    "serve": serve,
    "explain": explain,
    "swap": swap,
    "prune": prune,
    "kitchen": kitchen,
    "prepare": prepare,
    "doctor": doctor,
    "train": train,
    "evaluate": evaluate,
    "report": report,
    "models": models,
    "export": export,
}
GROUPS: dict[str, typer.Typer] = {"index": index, "canonical": canonical}
