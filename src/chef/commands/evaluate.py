"""`chef evaluate` and `chef report`: the experiments of the paper on trained models, as JSON and a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from chef.evaluate.results import ModelResult

_TASKS = "retrieval,main-ingredient,pruning,substitution,actions,trees"
_COLUMNS = {  # of the tables that are printed: metric and heading
    "retrieval": {name: name for name in ("medR", "R@1", "R@5", "R@10")},
    "main ingredient, and controls": {name: name for name in ("medR", "R@1", "R@2", "R@3")},
    "action words, and controls": {"percent": "% verbs", "strict_percent": "% strictly"},
    "main ingredient, by hand": {"strict": "% right", "accepted": "% accepted"},
    "action words, by hand": {"right": "% right"},
}


def evaluate(
    model: Annotated[
        list[str],
        typer.Option(
            help="A bundled model, a model's folder, or a run; NAME=FOLDER calls it NAME. May be repeated."
        ),
    ],
    data: Annotated[Path, typer.Option(help="Prepared data, or recipes in any format that chef reads.")],
    out: Annotated[Path, typer.Option(help="The JSON file to write.")],
    split: Annotated[str, typer.Option(help="The split to evaluate on.")] = "test",
    tasks: Annotated[str, typer.Option(help="Which experiments, separated by commas.")] = _TASKS,
    queries_from: Annotated[
        Path | None,
        typer.Option(help="The tree model that chooses the substitution queries; default: the first given."),
    ] = None,
    attention_model: Annotated[
        Path | None,
        typer.Option(help="A model with attention over ingredients: one more control for main-ingredient."),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="Labels by hand: scores main ingredients and action words against them too."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of folds, intervals and random controls.")] = 0,
) -> None:
    """Evaluate models on a split, each with its controls, and compare them in pairs."""
    from rich.console import Console

    from chef.errors import ChefError
    from chef.evaluate.protocol import Request
    from chef.evaluate.protocol import evaluate as run
    from chef.files import write_atomic
    from chef.progress import ConsoleProgress

    if out.is_dir():
        raise ChefError(f"{out} is a folder", "name a file, such as result.json")
    request = Request(
        models=[_named(one) for one in model],
        data=data,
        split=split,
        tasks=[task.strip() for task in tasks.split(",") if task.strip()],
        seed=seed,
        queries_from=queries_from,
        attention_model=attention_model,
        gold=gold,
    )
    console = Console(stderr=True, highlight=False)
    with ConsoleProgress() as progress:
        results = run(request, progress)
    content = json.dumps(results.to_json(), ensure_ascii=False, allow_nan=False)
    write_atomic(out, f"{content}\n".encode())
    for table in _tables(results.models):
        Console(highlight=False).print(table)
    for one in results.models:
        for task, reason in one.skipped.items():
            said = reason if isinstance(reason, str) else f"{len(reason)} pairs, most with too few queries"
            console.print(f"{one.model}, {task} left out: {said}", markup=False, soft_wrap=True)
    console.print(f"wrote {out}", markup=False, soft_wrap=True)


def _named(text: str) -> tuple[str | None, Path]:
    """`run/`, `name=run/` or a shipped model; a folder whose own name holds "=" is that folder."""
    from chef.bundled import SHIPPED

    name, equals, path = text.partition("=")
    if equals and name and not Path(text).exists():
        return name, Path(path)
    return text if text in SHIPPED else None, Path(text)


def _tables(results: list[ModelResult]) -> list[Table]:
    """A few figures of each task; the file and the report have all of them."""
    from rich.table import Table
    from rich.text import Text

    from chef.measure.ranks import Scores

    rows: dict[str, list[tuple[str, Scores]]] = {title: [] for title in _COLUMNS}
    for one in results:
        for direction, galleries in one.retrieval.directions.items() if one.retrieval else ():
            scores = galleries.get("1k") or galleries["full"]
            rows["retrieval"].append((f"{one.model}, {direction}, n = {scores.n}", scores))
        for task, part in (("main ingredient", one.main_ingredient), ("action words", one.actions)):
            if part is not None:
                rows[f"{task}, and controls"].append((one.model, part.model))
                rows[f"{task}, and controls"] += [(f"  {name}", row) for name, row in part.controls.items()]
            if part is not None and (gold := part.gold) is not None:
                rows[f"{task}, by hand"].append((f"{one.model}, n = {gold.n}", gold.model))
                rows[f"{task}, by hand"] += [(f"  {name}", row) for name, row in gold.controls.items()]
    tables = []
    for title, of_table in rows.items():
        made = Table("", title=title, title_justify="left", box=None, header_style="bold")
        for column in _COLUMNS[title].values():
            made.add_column(column, justify="right")
        for name, scores in of_table:
            made.add_row(Text(name), *(f"{scores[metric]:.1f}" for metric in _COLUMNS[title]))
        tables += [made] if of_table else []
    return tables


def report(
    results: Annotated[list[Path], typer.Argument(help="Files written by `chef evaluate --out`.")],
    out: Annotated[
        Path, typer.Option(help="The folder to write; files of an earlier report are overwritten.")
    ],
) -> None:
    """Write the paper's tables and figures as one HTML page, and each table as LaTeX and CSV.

    Results of one model with different training seeds become one row: mean and standard deviation.
    """
    from chef.report.page import write_report

    page = write_report(results, out)
    typer.echo(f"wrote {page} ({page.stat().st_size / 1e6:.1f} MB) and {out / 'tables'}")
