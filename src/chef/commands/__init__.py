"""The commands of `chef`, collected by name."""

from collections.abc import Callable
from typing import Any

import typer

from chef.commands.canonical import canonical
from chef.commands.evaluate import evaluate, report
from chef.commands.index import backup, index, restore, sync
from chef.commands.models import export, models, train
from chef.commands.prepare import doctor, kitchen, prepare
from chef.commands.recipes import explain, prune, swap
from chef.commands.search import search
from chef.commands.serve import demo, mcp, serve

_COMMANDS = (
    demo, search, serve, mcp, explain, swap, prune, kitchen, prepare, doctor, train, evaluate, report, models,
    export, backup, restore, sync,
)  # fmt: skip
COMMANDS: dict[str, Callable[..., Any]] = {command.__name__: command for command in _COMMANDS}
GROUPS: dict[str, typer.Typer] = {"index": index, "canonical": canonical}
