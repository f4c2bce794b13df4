"""`chef prepare`, `chef doctor`, `chef kitchen`: prepared data, faults of recipes, generated recipes."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from chef.commands.shared import RayAddress, plain_table, print_json, show
from chef.data.texts import GIVEN, PrepareSettings

_DEFAULT = PrepareSettings()
_SHOWN = 3  # examples of a problem in the table of `chef doctor`; --json gives them all


def prepare(
    source: Annotated[str, typer.Argument(help="Recipes in any format that chef reads.")],
    out: Annotated[str, typer.Argument(help="The folder to create, or an s3:// address.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; default: all cores.")] = None,
    image_size: Annotated[
        int, typer.Option(min=16, help="Short side of the stored images in pixels, at most.")
    ] = _DEFAULT.image_size,
    images: Annotated[int, typer.Option(min=1, help="Images kept per recipe.")] = _DEFAULT.images,
    max_words: Annotated[
        int, typer.Option(min=1, help="Longest title and sentence in words; the rest is cut.")
    ] = _DEFAULT.max_words,
    max_ingredients: Annotated[
        int, typer.Option(min=1, help="Longest ingredient list.")
    ] = _DEFAULT.max_ingredients,
    max_sentences: Annotated[
        int, typer.Option(min=1, help="Longest instructions in sentences.")
    ] = _DEFAULT.max_sentences,
    punctuation: Annotated[
        bool, typer.Option("--punctuation", help="Keep punctuation in sentences, as words of their own.")
    ] = False,
    minimum_count: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rarer words become <UNK>. Default: 10 above 100,000 training recipes, "
            "5 above 20,000, else 2.",
        ),
    ] = None,
    texts: Annotated[
        list[str] | None,
        typer.Option(help="More recipes for the train split, without their photos. May be repeated."),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Leave out recipes that name this as their source. May be repeated."),
    ] = None,
    canonical: Annotated[
        Path | None, typer.Option(help="A canonical map to use instead of the bundled one.")
    ] = None,
    splits: Annotated[
        str, typer.Option(help="given: as in the source, by title where it has none; hash: all by title.")
    ] = GIVEN,
    dimension: Annotated[int, typer.Option(min=1, help="Length of the word vectors.")] = _DEFAULT.dimension,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs of word2vec.")] = _DEFAULT.epochs,
    seed: Annotated[int, typer.Option(min=0, help="Seed of word2vec.")] = _DEFAULT.seed,
    ray: RayAddress = None,
) -> None:
    """Make shards, splits, vocabulary and word vectors from recipes. Run again to continue a stopped run."""
    from rich.console import Console
    from rich.table import Table

    from chef.data.pool import Ray
    from chef.data.preparing import prepare as prepare_data
    from chef.progress import ConsoleProgress

    settings = PrepareSettings(
        image_size=image_size,
        images=images,
        max_words=max_words,
        max_ingredients=max_ingredients,
        max_sentences=max_sentences,
        punctuation=punctuation,
        minimum_count=minimum_count,
        splits=splits,
        dimension=dimension,
        epochs=epochs,
        seed=seed,
    )
    with ConsoleProgress() as progress:
        manifest = prepare_data(
            source,
            out,
            settings,
            texts=texts or [],
            without=without or [],
            canonical=canonical,
            workers=workers,
            ray=Ray(ray) if ray else None,
            progress=progress,
        )
    if json:
        print_json(manifest.summary())
        return
    table = Table(title=f"Prepared in {out}", title_justify="left", show_header=False)
    table.add_row("recipes", f"{manifest.recipes:,}")
    table.add_row("with image", f"{manifest.with_image:,}")
    for title, counts in (
        ("splits", manifest.splits),
        ("skipped", manifest.skipped),
        ("image problems", manifest.image_problems),
        ("cut to length", manifest.truncated),
    ):
        if counts:
            table.add_row(title, ", ".join(f"{name} {count:,}" for name, count in counts.items()))
    table.add_row("vocabulary", f"{manifest.vocabulary:,}")
    table.add_row("canonical ingredients", f"{manifest.canonical_ingredients:,}")
    console = Console()
    console.print(table)
    for note in manifest.notes:
        console.print(f"note: {note}", markup=False, highlight=False)


def kitchen(
    out: Annotated[Path, typer.Argument(help="The folder to write; a generated kitchen there is replaced.")],
    recipes: Annotated[int, typer.Option(help="Number of recipes.")] = 200,
    seed: Annotated[int, typer.Option(help="Another seed makes another kitchen.")] = 0,
    size: Annotated[int, typer.Option(help="Width and height of the photos in pixels.")] = 256,
    images: Annotated[int, typer.Option(help="Photos per dish, 1 to 3.")] = 1,
) -> None:
    """Write generated recipes with painted photos and their ground truth."""
    from chef.data.kitchen import write_kitchen
    from chef.progress import ConsoleProgress

    with ConsoleProgress() as progress:
        write_kitchen(out, recipes, seed, size, images, progress)
    typer.echo(f"wrote {recipes} recipes to {out}", err=True)


def doctor(
    source: Annotated[str, typer.Argument(help="A file, folder or archive of recipes.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="How many examples of each problem to keep.")] = 5,
) -> None:
    """Examine recipes and photos: what is broken, empty, odd, in another language, or there twice."""
    from rich.text import Text

    from chef.data.doctor import examine
    from chef.progress import ConsoleProgress

    with ConsoleProgress() as progress:
        report = examine(source, limit=limit, progress=progress)
    if json:
        print_json(asdict(report))
        return
    table = plain_table()
    table.add_column("count", justify="right")
    table.add_column("problem", no_wrap=True)
    table.add_column("what it means", ratio=3)
    table.add_column("examples", ratio=4, overflow="fold")
    for problem in report.problems:
        # A pair is two recipes, or a recipe and what is wrong there.
        between = " = " if problem.kind.startswith("near-duplicate") else ": "
        shown = problem.examples[:_SHOWN]
        examples = "\n".join(one if isinstance(one, str) else between.join(one) for one in shown)
        # Text, not str: an id may contain what rich would read as markup.
        table.add_row(f"{problem.count:,}", problem.kind, problem.explanation, Text(examples))
    if report.problems:
        show(table, "")
    splits = ", ".join(f"{name} {count:,}" for name, count in report.splits.items() if name)
    kinds = len(report.problems)
    plural = "s" * (kinds > 1)
    problems = f"{kinds} kind{plural} of problem{plural}" if kinds else "no problems found"
    of_splits = f" ({splits})" if splits else ""
    show(Text(f"{report.recipes:,} recipes{of_splits}, {report.with_image:,} with a photo: {problems}."))
